//! `kzui blame`: the output, with the origin, the step and the commit of each line.

use std::cell::RefCell;
use std::path::Path;

use clap::Args;

use crate::answers::Recording;
use crate::answers::provenance::output_lines::{LineValue, OutputLine};
use crate::answers::recording::field::path_text;
use crate::answers::report::{BlameCommit, BlameReport};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::{line, to_json_lines};
use crate::engine::yaml::Mark;
use crate::repository::{LineCommits, WrittenBy};

use super::place::LocationFormatter;
use super::report::complete_build;
use super::{AnswerFlags, CliPorts, Exit};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "The columns beside each value: its file and line, and the number of the step that wrote it last, as in `kzui trace`. `kzui why` lists every writer of a field.\n\n\
                  --commits reads git's objects itself: no hook, filter or configuration of the repository takes part. A line that differs from the last commit is \"not committed\".\n\n\
                  --porcelain prints for every line of the output: `line NUMBER`; for each value that begins on it `value COLUMN PATH`, `at FILE LINE \
                  COLUMN`, `also FILE LINE COLUMN` for further locations, `step NUMBER NAME`, and with --commits `commit ID`, `author NAME`, `date TIME`, \
                  `subject TEXT`, or `commit -` for uncommitted lines; then the line itself after a tab. Paths are relative to the current directory.\n\n\
                  Examples:\n  kzui blame overlays/production --commits\n  kzui blame overlays/production --resource Deployment/web\n\n\
                  Exit status: 0 on success, 1 if the build fails or is pending, 2 for a usage error."
)]
pub struct BlameArgs {
    /// The directory with the kustomization file
    #[arg(default_value = ".")]
    pub dir: String,
    /// Only the lines of this resource, with their numbers in the output
    #[arg(long)]
    pub resource: Option<String>,
    /// Add the commit of each line: its id, author, date and subject
    #[arg(long)]
    pub commits: bool,
    /// Print one fact on each line, for scripts
    #[arg(long, conflicts_with = "json")]
    pub porcelain: bool,
    #[command(flatten)]
    pub flags: AnswerFlags,
}

pub(super) fn run(arguments: &BlameArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let recording = complete_build(&arguments.dir, &arguments.flags.build, outside)?;
    let mut secrets = super::diff::secrets(arguments.flags.show_secrets, outside);
    secrets.learn(&recording.trace);
    let mut lines = recording.output_lines(&secrets).map_err(Failure::failed)?;
    if let Some(name) = arguments.resource.as_deref() {
        let slot = recording.find(name).map_err(Failure::failed)?;
        lines = recording.lines_of_resource(slot, lines);
    }
    let history = arguments.commits.then(|| LineHistory::open(&recording, outside)).transpose();
    let history = history.map_err(|error| Failure::usage(format!("--commits: {error}")))?;
    let commit = |mark: Mark| history.as_ref().and_then(|history| history.commit_at_mark(mark));
    if arguments.flags.json {
        let report = BlameReport::new(&recording, &lines, &secrets, &commit);
        outside.out.document(&to_json_lines(&report)?)?;
    } else {
        let current = outside.current.clone();
        let places = LocationFormatter::new(&recording, &current, &secrets);
        let text = if arguments.porcelain {
            porcelain_text(&lines, &places, &commit)
        } else {
            annotate_lines(&lines, &places, arguments.commits.then_some(&commit))
        };
        outside.out.text(&text)?;
    }
    match history.and_then(|history| history.wrong.into_inner()) {
        Some(error) => Err(Failure::failed(format!("--commits: {error}"))),
        None => Ok(Exit::OK),
    }
}

/// Looks up the commits that wrote lines of the target's repository.
struct LineHistory<'r> {
    recording: &'r Recording,
    commits: RefCell<LineCommits>,
    /// The first error while commits were read.
    wrong: RefCell<Option<String>>,
}

impl<'r> LineHistory<'r> {
    fn open(recording: &'r Recording, outside: &CliPorts<'_>) -> Result<Self, String> {
        let target = recording.trace.layers.first().map_or(".", |layer| &*layer.path);
        let commits = (outside.repository.commits)(Path::new(target))?;
        let commits = LineCommits::new(commits, outside.ports.files.clone())?;
        Ok(Self { recording, commits: RefCell::new(commits), wrong: RefCell::default() })
    }

    fn commit_at_mark(&self, mark: Mark) -> Option<WrittenBy> {
        let file = self.recording.file(mark)?;
        match self.commits.borrow_mut().commit_of_line(Path::new(file), mark.line) {
            Ok(written) => written,
            Err(error) => {
                self.wrong.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}

/// The columns beside a line of the output: commit, locations and steps.
struct BlameRow<'l> {
    commit: [String; 4],
    places: String,
    steps: String,
    text: &'l str,
}

/// The limits on the characters of an author, and of the subject of a commit.
const MAX_COLUMN_CHARS: [usize; 2] = [18, 40];

fn annotate_lines<'l>(
    lines: &'l [OutputLine],
    places: &LocationFormatter<'_>,
    commit: Option<&dyn Fn(Mark) -> Option<WrittenBy>>,
) -> String {
    let place = |value: &LineValue| {
        let proof = value
            .origin
            .step
            .and_then(|step| places.recording.configuration_proof(step, value.origin.mark));
        let note = proof.map_or("", |_| " (not verified)");
        format!("{}{note}", places.text(value.origin.mark))
    };
    let row = |line: &'l OutputLine| {
        let mut at: Vec<String> = line.values.iter().map(place).collect();
        let steps = line.values.iter().filter_map(|value| value.origin.step);
        let mut steps: Vec<String> = steps.map(|step| (step + 1).to_string()).collect();
        at.dedup();
        steps.dedup();
        let written = commit.and_then(|commit| commit(line.values.first()?.origin.mark));
        let commit = written.map_or_else(Default::default, |written| {
            let BlameCommit { id, author, date, subject } = BlameCommit::from(&written);
            let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
            let id = id.map_or_else(|| "-".to_owned(), |id| cut(&id, 9));
            let [author_chars, subject_chars] = MAX_COLUMN_CHARS;
            [id, cut(&author, author_chars), cut(&date, 10), cut(&subject, subject_chars)]
        });
        BlameRow { commit, places: at.join(", "), steps: steps.join(", "), text: &line.text }
    };
    let rows: Vec<BlameRow<'_>> = lines.iter().map(row).collect();
    let widest =
        |column: &dyn Fn(&BlameRow<'_>) -> usize| rows.iter().map(column).max().unwrap_or(0);
    let count = |text: &str| text.chars().count();
    let wide = widest(&|row| count(&row.places));
    let steps = widest(&|row| count(&row.steps));
    let commits: Vec<usize> = (0..4).map(|part| widest(&|row| count(&row.commit[part]))).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        if commit.is_some() {
            for (part, wide) in row.commit.iter().zip(&commits) {
                line.push_str(&format!("{part:wide$}  "));
            }
        }
        line.push_str(&format!("{:wide$}  {:>steps$}  {}", row.places, row.steps, row.text));
        out.push_str(&line!("{}\n", line.trim_end()));
    }
    out
}

fn porcelain_text(
    lines: &[OutputLine],
    places: &LocationFormatter<'_>,
    commit: &dyn Fn(Mark) -> Option<WrittenBy>,
) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(&line!("line {}\n", line.number));
        for value in &line.values {
            out.push_str(&line!("value {} {}\n", value.column, one_line(&path_text(&value.path))));
            let also = value.other_locations().map(|it| ("also", it));
            for (word, mark) in std::iter::once(("at", value.origin.mark)).chain(also) {
                let file = one_line(&places.file(mark));
                if !file.is_empty() {
                    out.push_str(&line!("{word} {file} {} {}\n", mark.line, mark.column));
                }
            }
            let step = value.origin.step.and_then(|index| places.recording.step(index));
            if let Some((step, index)) = step.zip(value.origin.step) {
                out.push_str(&line!("step {} {}\n", index + 1, one_line(&step.name)));
            }
            let Some(written) = commit(value.origin.mark) else { continue };
            let BlameCommit { id, author, date, subject } = BlameCommit::from(&written);
            let (author, subject) = (one_line(&author), one_line(&subject));
            out.push_str(&match id {
                Some(id) => {
                    format!("commit {id}\nauthor {author}\ndate {date}\nsubject {subject}\n")
                }
                None => "commit -\n".to_owned(),
            });
        }
        out.push_str(&line!("\t{}\n", line.text));
    }
    out
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
