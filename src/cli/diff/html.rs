//! A comparison as one page that stands alone.

use crate::answers::compare::Report;

/// The page without its data.
const PAGE: &str = include_str!("page.html");

/// The page: the data as JSON, and a script that shows it. Nothing is fetched, and no text of the data is read as markup.
///
/// # Errors
/// The report cannot be written as JSON.
pub(super) fn page(report: &Report) -> std::io::Result<String> {
    let data = crate::display::to_json(report)?;
    // `</script>` or `<!--` in a text would end the data.
    let data =
        data.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    Ok(PAGE.replacen("{{DATA}}", &data, 1))
}
