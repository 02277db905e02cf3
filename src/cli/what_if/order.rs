//! `kzui order`: neighbours that do not commute.

use clap::Args;

use super::{Bench, FOUND, TROUBLE, because, count};
use crate::answers::blame::value_text;
use crate::answers::order::{Entry, Neighbours, Order as Answer, Swapped, order};
use crate::answers::report::{DifferenceReport, OrderEntry, OrderPair, OrderReport, SwapWord};
use crate::answers::secrets::Secrets;
use crate::cli::diff::secrets;
use crate::cli::{BuildFlags, Exit, Outside};

/// `kzui order`
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Every two neighbours in the lists of the target's files, and of the bases and components that it uses, are swapped in \
                  memory; the target is built, and the outputs are compared resource by resource, whatever the order in which they are \
                  printed. No file is changed and no program is run.\n\n\
                  Exit status: 0 when all commute, 1 when some do not, 2 when it cannot be found out."
)]
pub struct Order {
    /// The directory with the kustomization file
    #[arg(default_value = ".")]
    pub dir: String,
    /// Show the pairs that commute as well
    #[arg(long)]
    pub all: bool,
    /// How many pairs are swapped; what is not is unknown
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub most_trials: usize,
    /// As JSON
    #[arg(long)]
    pub json: bool,
    /// Show the values of Secrets
    #[arg(long)]
    pub show_secrets: bool,
    /// How the builds are done
    #[command(flatten)]
    pub build: BuildFlags,
}

/// Swaps and tells.
pub(in crate::cli) fn run(arguments: &Order, outside: &mut Outside<'_>) -> std::io::Result<Exit> {
    let report = match report(arguments, outside) {
        Ok(report) => report,
        Err(error) => {
            writeln!(outside.err, "error: {error}")?;
            return Ok(TROUBLE);
        }
    };
    if arguments.json {
        outside.out.json(&report)?;
    } else {
        outside.out.text(&text(&report, arguments.all))?;
    }
    let told = |word: SwapWord| report.pairs.iter().any(|pair| pair.swapped == word);
    Ok(match &report.failure {
        Some(_) => TROUBLE,
        None if told(SwapWord::Differs) || told(SwapWord::Fails) => FOUND,
        None if told(SwapWord::Unknown) => TROUBLE,
        None => Exit::OK,
    })
}

fn report(arguments: &Order, outside: &Outside<'_>) -> Result<OrderReport, String> {
    let bench = Bench::open(&arguments.dir, &arguments.build, outside)?;
    let mut secrets = secrets(arguments.show_secrets, outside);
    let Answer { pairs, failure, builds } =
        order(&bench.variants, &mut secrets, arguments.most_trials)?;
    Ok(OrderReport {
        schema_version: 1,
        target: arguments.dir.clone(),
        builds,
        failure: failure.map(|failure| bench.failure(&failure, &secrets)),
        pairs: pairs.into_iter().map(|pair| told(&pair.0, &pair.1, &bench, &secrets)).collect(),
    })
}

fn told(pair: &Neighbours, swapped: &Swapped, bench: &Bench, secrets: &Secrets) -> OrderPair {
    let entry = |entry: &Entry| OrderEntry { line: entry.line, text: secrets.text(&entry.text) };
    let (mut failure, mut unknown, mut fields) = (None, None, Vec::new());
    let word = match swapped {
        Swapped::Same => SwapWord::Same,
        Swapped::Mends => SwapWord::Mends,
        Swapped::Fails(why) => {
            failure = Some(bench.failure(why, secrets));
            SwapWord::Fails
        }
        Swapped::Unknown(why) => {
            unknown = Some(why.clone());
            SwapWord::Unknown
        }
        Swapped::Differs(differences) => {
            fields = differences
                .iter()
                .map(|it| DifferenceReport {
                    resource: it.resource.clone(),
                    path: it.path.to_string(),
                    listed: it.before.as_ref().map(value_text),
                    swapped: it.after.as_ref().map(value_text),
                    reordered: it.reordered,
                })
                .collect();
            SwapWord::Differs
        }
    };
    OrderPair {
        file: bench.shown(&pair.file),
        field: pair.field.clone(),
        first: entry(&pair.first),
        second: entry(&pair.second),
        swapped: word,
        failure,
        unknown,
        fields,
    }
}

/// Fields of a pair that are told one by one.
const TOLD: usize = 12;
/// Characters of a value in a line.
const VALUE: usize = 60;

fn text(report: &OrderReport, all: bool) -> String {
    let mut out = String::new();
    if let Some(failure) = &report.failure {
        out.push_str(&format!("the build fails as it is: {}\n\n", because(failure)));
    }
    let mut list = ("", "");
    for pair in report.pairs.iter().filter(|pair| all || pair.swapped != SwapWord::Same) {
        if list != (&*pair.file, &*pair.field) {
            list = (&pair.file, &pair.field);
            out.push_str(&format!("{}  {}\n", pair.file, pair.field));
        }
        let words = match pair.swapped {
            SwapWord::Same => "commute",
            SwapWord::Differs if pair.fields.iter().all(|field| field.reordered) => {
                "do not commute: elements of lists stand in another order"
            }
            SwapWord::Differs => "do not commute",
            SwapWord::Fails => "do not commute: swapped, the build fails",
            SwapWord::Mends => "swapped, the build succeeds",
            SwapWord::Unknown => "unknown",
        };
        let (first, second) = (&pair.first, &pair.second);
        out.push_str(&format!(
            "  {}: {}  ⇄  {}: {}   {words}\n",
            first.line, first.text, second.line, second.text
        ));
        for field in pair.fields.iter().take(TOLD) {
            out.push_str(&format!("      {}\n", field_words(field)));
        }
        if pair.fields.len() > TOLD {
            let more = pair.fields.len() - TOLD;
            out.push_str(&format!("      … and {more} more fields (--json has all)\n"));
        }
        for why in pair.failure.iter().map(because).chain(pair.unknown.clone()) {
            out.push_str(&format!("      {why}\n"));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&sum(report));
    out
}

/// `Deployment/web  spec.replicas   as listed 3   swapped 5`
fn field_words(field: &DifferenceReport) -> String {
    let value = |value: &Option<String>| match value {
        None => "is not there".to_owned(),
        Some(value) if value.chars().count() > VALUE => {
            value.chars().take(VALUE).chain(['…']).collect()
        }
        Some(value) => value.clone(),
    };
    if field.path.is_empty() {
        let is = if field.listed.is_some() { "as listed" } else { "swapped" };
        return format!("{}   only {is}", field.resource);
    }
    let (listed, swapped) = (value(&field.listed), value(&field.swapped));
    format!("{}  {}   as listed {listed}   swapped {swapped}", field.resource, field.path)
}

fn sum(report: &OrderReport) -> String {
    let of = |word| report.pairs.iter().filter(|pair| pair.swapped == word).count();
    let (differ, fail) = (of(SwapWord::Differs), of(SwapWord::Fails));
    let mut parts = vec![format!("{} commute", of(SwapWord::Same)), format!("{differ} do not")];
    for (number, words) in [
        (fail, "make the build fail when they are swapped"),
        (of(SwapWord::Mends), "make it succeed"),
        (of(SwapWord::Unknown), "unknown"),
    ] {
        if number > 0 {
            parts.push(format!("{number} {words}"));
        }
    }
    let pairs = count(report.pairs.len(), "pair");
    format!("{pairs} of neighbours: {} ({})\n", parts.join(", "), count(report.builds, "build"))
}
