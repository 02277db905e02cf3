//! `kzui blame`: the output, and beside each line where its value is written, and by which step.

use clap::Args;

use crate::answers::Recording;
use crate::answers::blame::is_secret;
use crate::answers::source_map::{Holds, Mapped};
use crate::engine::yaml::print_documents;

use super::place::Places;
use super::report::tell_failure;
use super::{BuildFlags, Exit, Outside, evaluate_once, options};

/// `kzui blame`
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Beside each value stand the file and line that it comes from, and the number of the step that wrote it last, as in \
                  `kzui trace`. `kzui why` tells of every step that wrote a field.\n\n\
                  Exit status: 0, 1 when the build fails, 2 for what makes no sense."
)]
pub struct Blame {
    /// The directory with the kustomization file
    #[arg(default_value = ".")]
    pub dir: String,
    /// With the values that Secrets keep
    #[arg(long)]
    pub show_secrets: bool,
    /// How the build is done
    #[command(flatten)]
    pub build: BuildFlags,
}

/// A line of the output, with the places and steps of the values that begin on it.
struct Line {
    places: String,
    steps: String,
    text: String,
}

/// Prints it.
pub(super) fn run(arguments: &Blame, outside: &mut Outside<'_>) -> std::io::Result<Exit> {
    let options = match options::headless(&arguments.build, &arguments.dir, outside) {
        Ok(options) => options,
        Err(error) => {
            writeln!(outside.err, "error: {error}")?;
            return Ok(Exit::USAGE);
        }
    };
    let (evaluation, _memory) = evaluate_once(&arguments.dir, &options, outside);
    let recording = Recording::new(evaluation, &outside.current.join(&arguments.dir));
    if let Some(error) = &recording.error {
        return tell_failure(error, &recording.trace.sources, outside);
    }
    let printed = print_documents(recording.output.iter().map(|(_, resource)| &resource.node));
    let mapped = printed.and_then(|text| Ok((recording.source_map(&text)?, text)));
    let (map, text) = match mapped {
        Ok(mapped) => mapped,
        Err(error) => {
            writeln!(outside.err, "error: {error}")?;
            return Ok(Exit::FAILED);
        }
    };
    let current = outside.current.clone();
    let places = Places::new(&recording, &current, arguments.show_secrets);
    let lines = lines(&text, &map, &places);
    let width = |column: fn(&Line) -> &str| {
        lines.iter().map(|line| column(line).chars().count()).max().unwrap_or(0)
    };
    let (wide, steps) = (width(|line| &line.places), width(|line| &line.steps));
    for line in &lines {
        let text = format!("{:wide$}  {:>steps$}  {}", line.places, line.steps, line.text);
        writeln!(outside.out, "{}", text.trim_end())?;
    }
    Ok(Exit::OK)
}

fn lines(text: &str, map: &[Mapped], places: &Places<'_>) -> Vec<Line> {
    let mut values = map.iter().filter(|field| field.holds == Holds::Value).peekable();
    let mut hidden_to = 0;
    let mut lines = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        let (mut at, mut steps) = (Vec::new(), Vec::new());
        let mut text = text.to_owned();
        if number <= hidden_to {
            let indent = text.len() - text.trim_start().len();
            text = format!("{}(hidden)", " ".repeat(indent));
        }
        while let Some(value) = values.next_if(|value| value.line <= number) {
            let (step, mark) = places.recording.winner(value.mark);
            at.push(places.text(mark));
            steps.extend(step.map(|step| (step + 1).to_string()));
            if hides(value, places) {
                hidden_to = value.end_line;
                let shown = usize::try_from(value.column).unwrap_or(1).saturating_sub(1);
                text = text.chars().take(shown).chain("(hidden)".chars()).collect();
            }
        }
        at.dedup();
        steps.dedup();
        lines.push(Line { places: at.join(", "), steps: steps.join(", "), text });
    }
    lines
}

/// True for what a Secret keeps, unless it is asked for.
fn hides(value: &Mapped, places: &Places<'_>) -> bool {
    let last = places.recording.identity.last_of(value.slot);
    !places.shows_secrets && last.is_some_and(|last| is_secret(&last.resource, &value.path))
}
