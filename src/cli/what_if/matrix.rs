//! `kzui matrix`: the components of a target in all combinations.

use clap::Args;

use super::{Bench, FOUND, TROUBLE, because, count};
use crate::answers::combinations::{CombinationResult, Combinations, Rule, RuleKind, combinations};
use crate::answers::report::{
    CombinationWord, MatrixCombination, MatrixComponent, MatrixReport, MatrixRule, RuleWord,
};
use crate::answers::secrets::Secrets;
use crate::cli::{BuildFlags, Exit, Outside};

/// `kzui matrix`
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Switched off components that the kustomization file has as comments are combined as well. Up to ten components, all \
                  combinations are built; of more, those with at most two on and those that are at most two switches away from what the \
                  file says. No file is changed and no program is run.\n\n\
                  Exit status: 0 when all combinations build, 1 when some fail, 2 when it cannot be found out."
)]
pub struct Matrix {
    /// The directory with the kustomization file that lists components
    #[arg(default_value = ".")]
    pub dir: String,
    /// List all combinations, and not only what was learned of them
    #[arg(long)]
    pub all: bool,
    /// As JSON
    #[arg(long)]
    pub json: bool,
    /// How the builds are done
    #[command(flatten)]
    pub build: BuildFlags,
}

/// Builds and tells.
pub(in crate::cli) fn run(arguments: &Matrix, outside: &mut Outside<'_>) -> std::io::Result<Exit> {
    let bench = Bench::open(&arguments.dir, &arguments.build, outside);
    let found = bench.and_then(|bench| {
        let found = combinations(&bench.variants, &bench.file)?;
        Ok((bench, found))
    });
    let (bench, found) = match found {
        Ok(found) => found,
        Err(error) => {
            writeln!(outside.err, "error: {}: {error}", arguments.dir)?;
            return Ok(TROUBLE);
        }
    };
    let report = report(arguments, &found, &bench);
    if arguments.json {
        outside.out.json(&report)?;
    } else {
        outside.out.text(&text(&report, arguments.all))?;
    }
    let has = |word| report.combinations.iter().any(|it| it.result == word);
    Ok(match (has(CombinationWord::Fails), has(CombinationWord::Unknown)) {
        (true, _) => FOUND,
        (false, true) => TROUBLE,
        (false, false) => Exit::OK,
    })
}

fn report(arguments: &Matrix, found: &Combinations, bench: &Bench) -> MatrixReport {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let secrets = Secrets::shown();
    let components = found.switches.iter().map(|it| MatrixComponent {
        name: it.name.clone(),
        text: it.text.clone(),
        line: it.line,
        on: it.on,
    });
    let combinations = found.built.iter().map(|it| {
        let mut told = MatrixCombination {
            on: owned(found.names(it.on)),
            result: CombinationWord::Builds,
            output: None,
            failure: None,
            unknown: None,
        };
        match &it.result {
            CombinationResult::Output(number) => told.output = Some(number + 1),
            CombinationResult::Fails(failure) => {
                told.result = CombinationWord::Fails;
                told.failure = Some(bench.failure(failure, &secrets));
            }
            CombinationResult::Unknown(why) => {
                told.result = CombinationWord::Unknown;
                told.unknown = Some(why.clone());
            }
        }
        told
    });
    MatrixReport {
        schema_version: 1,
        target: arguments.dir.clone(),
        file: bench.shown(&found.file),
        components: components.collect(),
        exhaustive: found.exhaustive,
        outputs: found.outputs,
        combinations: combinations.collect(),
        rules: found.rules.iter().map(|it| rule(it, found, bench)).collect(),
    }
}

fn rule(rule: &Rule, found: &Combinations, bench: &Bench) -> MatrixRule {
    let name = |at: &usize| found.switches.get(*at).map(|it| it.name.clone()).unwrap_or_default();
    let (kind, component, failure) = match &rule.kind {
        RuleKind::Fails(failure) => {
            (RuleWord::Fails, None, Some(bench.failure(failure, &Secrets::shown())))
        }
        RuleKind::ChangesNothing(at) => (RuleWord::ChangesNothing, Some(name(at)), None),
    };
    MatrixRule {
        kind,
        words: found.words(rule),
        component,
        on: rule.on.iter().map(name).collect(),
        off: rule.off.iter().map(name).collect(),
        holds_in: rule.holds_in,
        smallest: found.names(rule.smallest).into_iter().map(str::to_owned).collect(),
        failure,
    }
}

fn text(report: &MatrixReport, all: bool) -> String {
    let of = |word| report.combinations.iter().filter(|it| it.result == word).count();
    let mut parts = vec![format!("{} build", of(CombinationWord::Builds))];
    for (number, word) in
        [(of(CombinationWord::Fails), "fail"), (of(CombinationWord::Unknown), "unknown")]
    {
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    let which = if report.exhaustive { "all" } else { "some of the" };
    let mut out = format!(
        "{}, {which} {}: {}; {}\n",
        count(report.components.len(), "component"),
        count(report.combinations.len(), "combination"),
        parts.join(", "),
        count(report.outputs, "different output")
    );
    for rule in &report.rules {
        let times = count(rule.holds_in, "combination");
        out.push_str(&format!("\n{}   (in {times})\n", rule.words));
        if let Some(failure) = &rule.failure {
            out.push_str(&format!("    {}: {}\n", with(&rule.smallest), because(failure)));
        }
    }
    if all {
        out.push('\n');
        for it in &report.combinations {
            let result = match (&it.output, &it.failure, &it.unknown) {
                (Some(number), ..) => format!("output {number}"),
                (None, Some(failure), _) => format!("fails: {}", because(failure)),
                (None, None, why) => format!("unknown: {}", why.clone().unwrap_or_default()),
            };
            out.push_str(&format!("{}: {result}\n", with(&it.on)));
        }
    }
    out
}

/// The components of a combination.
fn with(on: &[String]) -> String {
    if on.is_empty() { "with none".to_owned() } else { format!("with {}", on.join(", ")) }
}
