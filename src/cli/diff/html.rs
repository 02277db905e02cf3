//! A comparison as one self-contained page.

use std::collections::BTreeMap;

use crate::answers::compare::{CompareReport, NoEdit, no_edit_words};

/// The template of the HTML page, with placeholders for its data.
const PAGE: &str = include_str!("page.html");

/// The page: the data as JSON, and a script that shows it. The page fetches no other files, and no
/// text of the data is read as markup.
///
/// # Errors
/// The report cannot be written as JSON.
pub(super) fn page(report: &CompareReport) -> std::io::Result<String> {
    let data = crate::display::to_json(report)?;
    // `</script>` or `<!--` in a text would end the data.
    let data =
        data.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let words = crate::display::to_json(&missing_edit_texts())?;
    Ok(PAGE.replacen("{{NO_EDIT}}", words.trim_end(), 1).replacen("{{DATA}}", &data, 1))
}

/// The texts for a change without an edit: by the reason in the data; without a reason, one for
/// changes without a location and one for changes with a location.
fn missing_edit_texts() -> (BTreeMap<NoEdit, &'static str>, [&'static str; 2]) {
    let said = NoEdit::ALL.into_iter().map(|it| (it, no_edit_words(Some(it), false)));
    (said.collect(), [false, true].map(|has_place| no_edit_words(None, has_place)))
}
