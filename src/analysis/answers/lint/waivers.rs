//! Comments that waive a finding: `# kzui: ignore KZ110 because the vendor needs it`.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// The line of the comment, from 1.
    pub line: u32,
    pub codes: Vec<String>,
    /// The reason; empty if none is given.
    pub reason: String,
    /// True if the comment applies to all of the file (`ignore-file`), and not only to its own line
    /// and the next line.
    pub whole_file: bool,
}

impl Waiver {
    pub fn covers(&self, code: &str, line: u32) -> bool {
        let near = self.whole_file || line == self.line || line == self.line + 1;
        near && self.codes.iter().any(|waived| waived == code)
    }
}

pub fn waivers(text: &str) -> Vec<Waiver> {
    let lines = text.lines().zip(1_u32..);
    lines.filter_map(|(line, number)| parse_waiver(line, number)).collect()
}

fn parse_waiver(line: &str, number: u32) -> Option<Waiver> {
    let (_, comment) = line.split_once('#')?;
    let (_, words) = comment.split_once("kzui:")?;
    let words = words.trim_start();
    let (whole_file, words) = match words.strip_prefix("ignore-file ") {
        Some(words) => (true, words),
        None => (false, words.strip_prefix("ignore ")?),
    };
    let (codes, reason) = words.split_once(" because ").unwrap_or((words, ""));
    let codes: Vec<String> =
        codes.split([',', ' ']).filter(|code| !code.is_empty()).map(str::to_uppercase).collect();
    Some(Waiver { line: number, codes, reason: reason.trim().to_owned(), whole_file })
}
