//! The fenced blocks of a page: files of a tree, and the expected result of a build. Used by
//! `tests/it` and `tests/conformance`.

use std::path::Path;

/// A fenced block with its words: ```` ```yaml file=base/kustomization.yaml ````.
pub(crate) struct Block {
    words: Vec<(String, String)>,
    /// The lines between the fences, by number in the page.
    pub(crate) lines: std::ops::Range<usize>,
    pub(crate) text: String,
}

impl Block {
    /// The value of a word `NAME=VALUE` in the first line of the block; `None` without the word.
    pub(crate) fn word(&self, name: &str) -> Option<&str> {
        self.words.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Creates the file or link of the block.
    pub(crate) fn put(&self, root: &Path) -> std::io::Result<()> {
        if let Some(file) = self.word("file") {
            let path = root.join(file);
            fs_err::create_dir_all(path.parent().unwrap_or(root))?;
            fs_err::write(path, self.bytes())?;
        }
        if let Some(link) = self.word("link") {
            std::os::unix::fs::symlink(self.text.trim_end(), root.join(link))?;
        }
        Ok(())
    }

    /// The bytes of the block's file.
    fn bytes(&self) -> Vec<u8> {
        let mut text = self.text.clone();
        if self.word("newline") == Some("no") {
            text.pop();
        }
        match self.word("as") {
            Some("crlf") => text.replace('\n', "\r\n").into_bytes(),
            Some("hex") => {
                let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
                let byte = |pair: &[u8]| {
                    let pair = std::str::from_utf8(pair).expect("ASCII");
                    u8::from_str_radix(pair, 16).expect("two digits each")
                };
                digits.chunks(2).map(byte).collect()
            }
            Some("escaped") => unescape(&text).into_bytes(),
            Some(other) => panic!("as={other}: crlf, hex or escaped"),
            None => text.into_bytes(),
        }
    }
}

/// Replaces the escapes `\t`, `\r`, `\\` and `\u{…}`, with which a page shows invisible characters.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(sign) = rest.next() {
        if sign != '\\' {
            out.push(sign);
            continue;
        }
        match rest.next() {
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('u') => {
                let digits: String =
                    rest.by_ref().skip(1).take_while(|sign| *sign != '}').collect();
                let code = u32::from_str_radix(&digits, 16).expect("\\u{…}");
                out.push(char::from_u32(code).expect("a character"));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// The blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let lines: Vec<&str> = page.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let fence: String = lines[at].chars().take_while(|sign| *sign == '`').collect();
        if fence.len() < 3 {
            at += 1;
            continue;
        }
        let words =
            lines[at][fence.len()..].split_whitespace().filter_map(|word| word.split_once('='));
        let words = words.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let length = lines[at + 1..].iter().position(|line| *line == fence);
        let end =
            at + 1 + length.unwrap_or_else(|| panic!("line {}: the fence stays open", at + 1));
        let text = lines[at + 1..end].iter().flat_map(|line| [*line, "\n"]).collect();
        found.push(Block { words, lines: at + 1..end, text });
        at = end + 1;
    }
    found
}
