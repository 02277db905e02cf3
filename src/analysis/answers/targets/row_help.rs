//! Places outside a finding's own file that its help names: the file with the object that it lacks,
//! the template, or the script that writes its entry.

use std::collections::BTreeSet;
use std::path::Path;

use crate::answers::{SharedFinding, relative};
use crate::engine::diagnostic::{Code, Fix, Severity};
use crate::engine::load::Files;
use crate::repository::{ReferenceDestination, ReferenceEntry};

use super::folder_uses::FolderUses;

pub(super) fn file_text(found: &SharedFinding, uses: &FolderUses<'_>) -> String {
    let bytes = found.file.as_ref().and_then(|file| uses.files.read(file).ok());
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

/// The index of the line that a finding marks, from 0.
pub(super) fn marked_index(found: &SharedFinding) -> usize {
    usize::try_from(found.mark.line).unwrap_or_default().saturating_sub(1)
}

pub(super) fn marked_line(found: &SharedFinding, uses: &FolderUses<'_>) -> String {
    file_text(found, uses).lines().nth(marked_index(found)).unwrap_or_default().to_owned()
}

pub(super) fn add_help(found: &mut SharedFinding, uses: &FolderUses<'_>) {
    name_unlisted(found, uses);
    name_comment(found, uses);
    name_missing_files(found, uses);
    name_image_script(found, uses);
}

/// Lowers a patch of an object that its owner switched off, and names the comment.
fn name_comment(found: &mut SharedFinding, uses: &FolderUses<'_>) {
    let Some(wanted) = &found.wanted else { return };
    let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
    let place = |file: &Path, line: usize| {
        format!("{}/{}:{line}", file.parent().map(name).unwrap_or_default(), name(file))
    };
    let hint = if let Some((object, (list, line))) = uses.switched_off_object(wanted) {
        format!("{} has it, and {} has that file in a comment", name(object), place(list, line))
    } else if let Some((file, line)) = uses.commented_object(wanted) {
        format!("{} has it in a comment", place(file, line))
    } else {
        return;
    };
    (found.hint, found.fix, found.severity) = (Some(hint), None, Severity::Note);
}

/// Names the file with the object that a patch or generator needs, if no kustomization lists it.
fn name_unlisted(found: &mut SharedFinding, uses: &FolderUses<'_>) {
    let object = found.wanted.as_ref().and_then(|wanted| uses.unlisted_object(wanted));
    let Some((file, object)) = object else { return };
    let namespace = object.text_at(&["metadata", "namespace"]);
    let file = relative(file, uses.root());
    let has_it = format!("{file} has it, but no kustomization lists that file");
    found.hint = Some(match (found.hint.take(), namespace) {
        // The generator needs the namespace of the object that it changes.
        (_, Some(namespace)) if found.code == Code::KZ061 => format!(
            "{has_it}: list it, and write `namespace: {namespace}` in this entry, or remove `behavior`"
        ),
        (_, None) if found.code == Code::KZ061 => {
            format!("{has_it}: list it, or remove `behavior`")
        }
        (Some(hint), _) => format!("{has_it}; {hint}"),
        (None, _) => has_it,
    });
}

/// Names the missing files of a kustomization that does not build, besides those that the failure is
/// about.
fn name_missing_files(found: &mut SharedFinding, uses: &FolderUses<'_>) {
    let folder = found.file.as_deref().filter(|_| found.is_failure).and_then(Path::parent);
    let target = folder.and_then(|folder| uses.repository.target(folder));
    let Some(target) = target.filter(|it| found.file.as_ref() == Some(&it.file)) else { return };
    let hint = found.hint.take().unwrap_or_default();
    let is_missing = |entry: &&ReferenceEntry| {
        matches!(entry.to, ReferenceDestination::Missing(_))
            && entry.line != found.mark.line
            && entry.field != "secretGenerator"
            && !hint.contains(&format!("`{}`", entry.text))
    };
    let missing: BTreeSet<&str> =
        target.uses.iter().filter(is_missing).map(|entry| &*entry.text).collect();
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    found.hint = match names.as_slice() {
        [] => Some(hint).filter(|hint| !hint.is_empty()),
        [one] => Some(joined(&hint, &format!("{one} does not exist either"))),
        _ => Some(joined(&hint, &format!("{} do not exist either", names.join(", ")))),
    };
}

/// Takes away the fix of a file that a program writes: the next run of the program would undo it.
pub(super) fn leave_generated_file(found: &mut SharedFinding, files: &dyn Files) {
    let file = found.fix_file.as_ref().or(found.file.as_ref());
    let Some(line) = file.and_then(|file| generated_line(file, files)) else { return };
    let reason = format!("a program writes this file (line {line})");
    if let Some(hint) = found.hint.take() {
        found.hint = Some(joined(&hint, &reason));
    }
    if found.has_fix() {
        (found.fix, found.untried) = (None, Some(reason));
    }
}

fn joined(first: &str, second: &str) -> String {
    match first {
        "" => second.to_owned(),
        question if question.ends_with('?') => format!("{first} {second}"),
        _ => format!("{first}; {second}"),
    }
}

/// The line, from 1, of a comment at the head of a file: a program writes the file.
fn generated_line(file: &Path, files: &dyn Files) -> Option<usize> {
    let bytes = files.read(file).ok()?;
    let head =
        String::from_utf8_lossy(bytes.get(..MAX_HEAD_BYTES).unwrap_or(&bytes)).to_lowercase();
    let is_head = |line: &&str| line.starts_with('#') || line.is_empty() || *line == "---";
    let mut comments = head.lines().take_while(is_head);
    let says = |line: &str| GENERATED_WORDS.iter().any(|words| line.contains(words));
    comments.position(says).map(|index| index + 1)
}

const MAX_HEAD_BYTES: usize = 1 << 10;

const GENERATED_WORDS: [&str; 4] =
    ["generated by ", "do not edit", "autogenerated", "auto-generated"];

/// True for an entry of `images` that a script writes and whose name no correction makes match.
pub(super) fn is_dead_image_of_script(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    !matches!(found.fix, Some(Fix::SetValues(_))) && script_of_image(found, uses).is_some()
}

/// Names the script that writes an entry of `images`, and takes away the fix: the next run would undo
/// it.
fn name_image_script(found: &mut SharedFinding, uses: &FolderUses<'_>) {
    let Some(writer) = script_of_image(found, uses) else { return };
    let help = format!("{writer} writes this entry: change it there");
    found.hint = Some(joined(&found.hint.take().unwrap_or_default(), &help));
    if found.has_fix() {
        (found.fix, found.untried) = (None, Some("a script writes this entry".to_owned()));
    }
}

/// The script that writes an entry of `images`, as `FILE:LINE`.
fn script_of_image(found: &SharedFinding, uses: &FolderUses<'_>) -> Option<String> {
    if found.code != Code::KZ120 {
        return None;
    }
    let line = marked_line(found, uses);
    let (_, name) = line.split_once("name:")?;
    let name = name.split(" #").next()?.trim().trim_matches(['"', '\'']);
    let folder = found.file.as_ref()?.parent()?.strip_prefix(uses.root()).ok()?;
    uses.scripts().filter(|_| !name.is_empty()).find_map(|(file, text)| {
        let line = image_line(text, name, folder)?;
        Some(format!("{}:{line}", file.strip_prefix(uses.root()).ok()?.display()))
    })
}

/// The line, from 1, on which a script sets an image of this name in this folder, relative to the
/// root; it may take the name from a variable that has it as its value.
fn image_line(text: &str, name: &str, folder: &Path) -> Option<usize> {
    let is_end = |rest: &str| rest.starts_with(['=', ':', '@']);
    let is_start = |before: &str| before.ends_with([' ', '"', '\'']) || before.is_empty();
    let sets = |line: &str| {
        let mut found = line.match_indices(name);
        found.any(|(at, name)| is_start(&line[..at]) && is_end(&line[at + name.len()..]))
    };
    let has_value =
        || ['"', '\''].iter().any(|quote| text.contains(&format!("{quote}{name}{quote}")));
    let (mut is_command, mut place) = (false, None);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        place = working_folder(line).or(place);
        let is_here = || is_folder(place, folder, text);
        let begins = !line.starts_with('#') && line.contains(SET_IMAGE) && is_here();
        if (begins || is_command) && sets(line) {
            return Some(index + 1);
        }
        let argument = line.split_once(SET_IMAGE).map_or("", |(_, rest)| rest);
        if begins && argument.trim_start_matches([' ', '"']).starts_with('$') && has_value() {
            return Some(index + 1);
        }
        is_command = (begins || is_command) && line.ends_with('\\');
    }
    None
}

/// The folder to which a line of a script or workflow goes.
fn working_folder(line: &str) -> Option<&str> {
    let (_, path) = line.split_once("working-directory:").or_else(|| {
        let (before, path) = line.split_once("cd ")?;
        before
            .chars()
            .next_back()
            .is_none_or(|last| !last.is_alphanumeric())
            .then_some((before, path))
    })?;
    let path = path.split("&&").next().unwrap_or_default().split(';').next().unwrap_or_default();
    Some(path.trim().trim_matches(['"', '\'', '(', ')']))
}

/// True if a script that goes to `place` works in a folder. Of a place with variables, the text has
/// the first part of the path.
fn is_folder(place: Option<&str>, folder: &Path, text: &str) -> bool {
    let Some(place) = place else { return text.contains(&*folder.to_string_lossy()) };
    let first = folder.iter().next().unwrap_or_default().to_string_lossy();
    folder.ends_with(place.trim_start_matches("./").trim_end_matches('/'))
        || place.contains('$') && text.contains(&format!("{first}/"))
}

const SET_IMAGE: &str = "edit set image";
