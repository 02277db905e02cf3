//! A comparison as one self-contained page.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::answers::compare::{CompareReport, NoEdit, edit_words, no_edit_words, summary};

const PAGE: &str = include_str!("page.html");

/// The page: the data as JSON, and a script that shows it. The page fetches no other files, and no
/// text of the data is read as markup.
pub(super) fn page(report: &CompareReport) -> std::io::Result<String> {
    let words = PageWords {
        summary: summary(report),
        edits: report.edits.iter().map(edit_words).collect(),
        no_edit: NoEdit::ALL.into_iter().map(|it| (it, no_edit_words(Some(it), false))).collect(),
        no_reason: [false, true].map(|has_place| no_edit_words(None, has_place)),
    };
    let words = json_in_page(&words)?;
    Ok(PAGE.replacen("{{WORDS}}", words.trim_end(), 1).replacen(
        "{{DATA}}",
        &json_in_page(report)?,
        1,
    ))
}

/// The texts of the page that the other formats have too.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageWords {
    summary: String,
    /// The edits in words, by their index in the report.
    edits: Vec<String>,
    /// The texts for a change without an edit, by the reason in the data.
    no_edit: BTreeMap<NoEdit, &'static str>,
    /// The texts without a reason: for changes without a location, and for those with a location.
    no_reason: [&'static str; 2],
}

/// Data as JSON inside a script: `</script>` or `<!--` in a text would end the script.
fn json_in_page(data: &impl Serialize) -> std::io::Result<String> {
    let data = crate::display::to_json(data)?;
    let data = data.replace('<', "\\u003c");
    Ok(data.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029"))
}
