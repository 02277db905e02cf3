//! `kzui catalog pin`: writes the digests of scripts and programs into a catalog.

use crate::answers::diff_review_lines;
use crate::cli::failure::{CommandResult, Failure};
use crate::engine::load::{Digest, Location};
use crate::engine::plugin::{NamedFile, NamedFileContent};
use crate::engine::yaml::{MappingEntry, MarkOffsets, Node, Style, parse_nodes};

use super::super::review_text::review_text;
use super::super::{CatalogPin, CliPorts, Exit};
use super::{catalog_ports, open};

struct TextEdit {
    start: usize,
    end: usize,
    text: String,
}

/// Shows the digests that are missing in a catalog or out of date, and writes them on request.
pub(in crate::cli) fn pin(arguments: &CatalogPin, outside: &mut CliPorts<'_>) -> CommandResult {
    let (reference, opened) = open(&arguments.reference, outside).map_err(Failure::failed)?;
    let Location::File(path) = &reference.location else {
        return Err(Failure::failed(format!("{reference}: only a local catalog can be written")));
    };
    let before = String::from_utf8_lossy(&opened.artifact.bytes);
    let files = NamedFile::all(&opened, catalog_ports(outside));
    let mut notes = Vec::new();
    for NamedFile { path, content, pinned, .. } in &files {
        match content {
            NamedFileContent::Unreadable(reason) => {
                notes.push(format!("{path} cannot be read: {reason}"));
            }
            NamedFileContent::NotFetched if pinned.is_none() => {
                notes.push(format!("{path} is not local: write its sha256 by hand"));
            }
            NamedFileContent::Read { .. } | NamedFileContent::NotFetched => {}
        }
    }
    let warnings = opened.catalog.warnings.iter();
    let images = warnings.filter(|it| matches!(it.oddity.code(), "CAT-FLOATING" | "CAT-UNPINNED"));
    let images = images.map(|it| it.oddity.to_string()).filter(|text| text.starts_with("image "));
    notes.extend(images.map(|text| format!("{text}: write the sha256 that its registry has")));
    let after = with_digests(&before, &files, &mut notes).map_err(Failure::failed)?;
    for note in &notes {
        writeln!(outside.err, "Warning: {note}")?;
    }
    let exit = if notes.is_empty() { Exit::OK } else { Exit::FAILED };
    if before == after {
        writeln!(outside.out, "all digests are up to date")?;
        return Ok(exit);
    }
    outside.out.write_all(review_text(&diff_review_lines(&before, &after)).as_bytes())?;
    if !arguments.write {
        writeln!(outside.err, "not written: --write writes the digests")?;
        return Ok(Exit::FAILED);
    }
    (outside.replace)(path, Some(after.as_bytes()))?;
    writeln!(outside.out, "written: {}", path.display())?;
    Ok(exit)
}

/// The text of a catalog with the digests of these files. Notes are added for the digests that have
/// to be written by hand.
fn with_digests(
    text: &str,
    files: &[NamedFile],
    notes: &mut Vec<String>,
) -> Result<String, String> {
    let nodes = parse_nodes(text.as_bytes()).map_err(|error| error.to_string())?;
    let mut runtimes = Vec::new();
    for node in &nodes {
        collect_runtimes(node, &mut runtimes);
    }
    let offsets = MarkOffsets::new(text);
    let mut edits = Vec::new();
    for node in runtimes {
        let location = ["path", "uri", "url"].into_iter().find_map(|key| node.entry(key));
        let path = node.text().or_else(|| location?.value.text());
        let Some((path, digest)) = path.and_then(|path| Some((path, digest_of(path, files)?)))
        else {
            continue;
        };
        let Some(location) = location else {
            notes.push(format!("{path}: write it as a mapping with path and sha256"));
            continue;
        };
        match edit(node, location, digest, (text, &offsets)) {
            Some(edit) => edits.extend(edit),
            None => notes
                .push(format!("{path}: this form cannot be edited; add sha256: {}", digest.hex())),
        }
    }
    edits.sort_by_key(|edit: &TextEdit| std::cmp::Reverse(edit.start));
    let mut after = text.to_owned();
    for edit in edits {
        after.replace_range(edit.start..edit.end, &edit.text);
    }
    Ok(after)
}

/// Collects the values below `runtime` that may name a file.
fn collect_runtimes<'n>(node: &'n Node, found: &mut Vec<&'n Node>) {
    for item in node.items().unwrap_or_default() {
        collect_runtimes(item, found);
    }
    for entry in node.entries() {
        let key = entry.key.text().unwrap_or_default();
        if ["starlark", "exec", "platforms", "platform"].contains(&key) {
            found.extend(entry.value.items().unwrap_or(std::slice::from_ref(&entry.value)));
        }
        if key != "schema" {
            collect_runtimes(&entry.value, found);
        }
    }
}

/// The digest of a local file; `None` for an archive, because the catalog may have the digest of a
/// file inside the archive.
fn digest_of(path: &str, files: &[NamedFile]) -> Option<Digest> {
    let file = files.iter().find(|file| file.path == path)?;
    if file.is_archive() || path.contains("://") { None } else { file.digest() }
}

/// The edit of one mapping: `Some(None)` if its digest is already right, `None` if it cannot be
/// edited.
#[expect(clippy::option_option, reason = "no edit and no possible edit are two answers")]
fn edit(
    node: &Node,
    MappingEntry { key, value, .. }: &MappingEntry,
    digest: Digest,
    (text, offsets): (&str, &MarkOffsets<'_>),
) -> Option<Option<TextEdit>> {
    let at = |node: &Node| offsets.byte(node.mark);
    if let Some(known) = node.get("sha256") {
        let written = known.text()?;
        if Digest::parse(written) == Some(digest) {
            return Some(None);
        }
        let (start, end) = scalar_range(known, at(known)?, text)?;
        return Some(Some(TextEdit { start, end, text: digest.hex() }));
    }
    let (_, end) = scalar_range(value, at(value)?, text)?;
    let digest = digest.hex();
    if node.as_mapping()?.style == Style::Flow {
        return Some(Some(TextEdit { start: end, end, text: format!(", sha256: {digest}") }));
    }
    // The digest is inserted below the line of the location and its comment.
    let line_end = text.get(end..)?.find('\n').map_or(text.len(), |length| end + length);
    let indent = " ".repeat(usize::try_from(key.mark.column).ok()?.checked_sub(1)?);
    let carriage_return = if text.get(..line_end)?.ends_with('\r') { "\r" } else { "" };
    let start = line_end - carriage_return.len();
    let text = format!("{carriage_return}\n{indent}sha256: {digest}");
    Some(Some(TextEdit { start, end: start, text }))
}

/// The bytes of a scalar on one line, including its quotes.
fn scalar_range(node: &Node, start: usize, text: &str) -> Option<(usize, usize)> {
    let value = node.text()?;
    let rest = text.get(start..)?;
    ["", "'", "\""].into_iter().find_map(|quote| {
        let written = format!("{quote}{value}{quote}");
        rest.starts_with(&written).then_some((start, start + written.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::load::ArtifactKind;

    fn pinned(text: &str) -> (String, usize) {
        let file = |path: &str| NamedFile {
            path: path.to_owned(),
            kind: ArtifactKind::Starlark,
            functions: Vec::new(),
            pinned: None,
            content: NamedFileContent::Read { digest: Digest::compute(b""), size: 0, text: None },
        };
        let files = [file("a.star"), file("b c.sh")];
        let mut notes = Vec::new();
        let after = with_digests(text, &files, &mut notes).unwrap();
        (after.replace(&Digest::compute(b"").hex(), "DIGEST"), notes.len())
    }

    #[test]
    fn digests_are_written_in_the_style_of_the_catalog() {
        for (text, expected) in [
            ("starlark: {path: a.star}\n", "starlark: {path: a.star, sha256: DIGEST}\n"),
            ("starlark: {path: 'a.star' }\n", "starlark: {path: 'a.star', sha256: DIGEST }\n"),
            (
                "a:\n- starlark:\n    path: a.star # x\n    name: b\n",
                "a:\n- starlark:\n    path: a.star # x\n    sha256: DIGEST\n    name: b\n",
            ),
            (
                "starlark:\r\n  path: a.star\r\n",
                "starlark:\r\n  path: a.star\r\n  sha256: DIGEST\r\n",
            ),
            ("starlark:\n  path: a.star", "starlark:\n  path: a.star\n  sha256: DIGEST"),
            (
                "exec:\n  platforms:\n  - os: linux\n    uri: \"b c.sh\"\n    sha256: 'old'\n",
                "exec:\n  platforms:\n  - os: linux\n    uri: \"b c.sh\"\n    sha256: DIGEST\n",
            ),
            ("schema: {starlark: {path: a.star}}\n", "schema: {starlark: {path: a.star}}\n"),
            ("starlark: {path: other.star}\n", "starlark: {path: other.star}\n"),
        ] {
            let (after, notes) = pinned(text);
            assert_eq!((after.as_str(), notes), (expected, 0), "{text}");
            assert_eq!(pinned(&after.replace("DIGEST", &Digest::compute(b"").hex())).0, expected);
        }
        assert_eq!(pinned("starlark: a.star\n"), ("starlark: a.star\n".to_owned(), 1));
        assert_eq!(pinned("starlark:\n  path: >-\n    a.star\n").1, 1);
    }
}
