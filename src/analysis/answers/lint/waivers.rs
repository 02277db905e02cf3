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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiver_covers_its_line_and_the_next_or_the_file() {
        let text = "# kzui: ignore KZ110, kz101 because the vendor needs it\n- a\n- b # kzui: ignore KZ103\n";
        let found = waivers(text);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].codes.join("+"), &*found[0].reason),
            ("KZ110+KZ101".to_owned(), "the vendor needs it")
        );
        assert!(
            found[0].covers("KZ101", 2)
                && !found[0].covers("KZ101", 3)
                && !found[0].covers("KZ113", 2)
        );
        assert!(found[1].covers("KZ103", 3) && found[1].reason.is_empty());
        let file = waivers("# kzui: ignore-file KZ115 because vars are on their way out\n");
        assert!(file[0].covers("KZ115", 99));
        assert!(waivers("a: b # ignore KZ110\n").is_empty());
    }
}
