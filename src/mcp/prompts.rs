//! The prompts.

use rmcp::model::{JsonObject, Prompt, PromptArgument};

struct PromptRow {
    name: &'static str,
    description: &'static str,
    arguments: &'static [(&'static str, &'static str, &'static str)],
    text: &'static str,
}

const PROMPTS: &[PromptRow] = &[
    PromptRow {
        name: "review-branch",
        description: "Review the Kustomize changes of the branch",
        arguments: &[("base", "The commit or branch to compare with", "main")],
        text: "Review the Kustomize changes of this branch against {base}.\n\
               1. Call `check` with changed={base}: list the findings that the branch may have caused.\n\
               2. For each changed file, call `where` for the targets that it affects.\n\
               3. For each changed field that matters (images, replicas, selectors, names, access), call `why` in one affected target and name the line that sets it.\n\
               4. Report dangers first, with file:line; then the other changes; then what could not be compared.",
    },
    PromptRow {
        name: "debug-patch",
        description: "Find out why a patch has no effect",
        arguments: &[
            ("target", "The folder with the kustomization", "."),
            ("file", "The patch file", "the patch"),
        ],
        text: "In the target `{target}`, {file} does not have the expected effect.\n\
               1. Call `check` with paths=[{target}] and read the findings about {file}.\n\
               2. Call `build` for {target} and find the resource that the patch should change.\n\
               3. Call `why` for the field: the entries that did not write it have a reason, and overridden writers have the line that overrides them.\n\
               4. Propose the smallest edit, call `try_edit` with it, and show the effect in every target before you write it.",
    },
    PromptRow {
        name: "migrate",
        description: "Migrate to another version of Kustomize, Argo CD or Flux",
        arguments: &[("to", "The version profile, as in `kzui versions`", "latest")],
        text: "Prepare this repository for {to}.\n\
               1. Call `compat` with to={to}: list the targets that change, with the reasons.\n\
               2. Call `check`: list deprecated fields and their fixes.\n\
               3. Propose edits file by file, call `try_edit` with each, and keep only edits that leave every output unchanged or whose change is explained.\n\
               4. List what is left for a decision.",
    },
];

pub(super) fn prompts() -> Vec<Prompt> {
    let prompt = |row: &PromptRow| {
        let argument = |(name, description, _): &(&str, &str, &str)| {
            PromptArgument::new(*name).with_description(*description).with_required(false)
        };
        let arguments = row.arguments.iter().map(argument).collect();
        Prompt::new(row.name, Some(row.description), Some(arguments))
    };
    PROMPTS.iter().map(prompt).collect()
}

/// The description and the text of a prompt; `None` for an unknown one.
pub(super) fn prompt_text(
    name: &str,
    given: Option<&JsonObject>,
) -> Option<(&'static str, String)> {
    let row = PROMPTS.iter().find(|row| row.name == name)?;
    let fill = |text: String, (argument, _, default): &(&str, &str, &str)| {
        let value = given.and_then(|given| given.get(*argument)?.as_str());
        text.replace(&format!("{{{argument}}}"), value.unwrap_or(default))
    };
    Some((row.description, row.arguments.iter().fold(row.text.to_owned(), fill)))
}
