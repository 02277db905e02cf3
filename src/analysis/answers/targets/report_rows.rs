//! Which findings a report on a repository lists as rows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::SharedFinding;
use crate::answers::lint::passed_flags::writes;
use crate::engine::diagnostic::{Code, Listing, Severity};
use crate::engine::load::{Files, clean};
use crate::repository::Repository;

use super::folder_uses::{FOREIGN_FOLDERS, FolderUses, folder_names, is_sample};
use super::row_help::{
    add_help, file_text, is_dead_image_of_script, leave_generated_file, marked_index, marked_line,
};

pub fn remove_unrequested(found: &mut Vec<SharedFinding>, is_requested: impl Fn(Code) -> bool) {
    found.retain(|found| {
        found.code.rule().listing != Some(Listing::OnRequest) || is_requested(found.code)
    });
}

/// Lowers findings to notes that the owner of one of the repositories does not act on, and takes away
/// fixes of generated files. A folder that the user names is never out of use.
pub fn lower_unwanted(
    found: &mut [SharedFinding],
    repositories: &[Arc<Repository>],
    files: &dyn Files,
    is_named: &dyn Fn(&Path) -> bool,
) {
    let repositories: Vec<FolderUses<'_>> =
        repositories.iter().map(|it| FolderUses::new(it, files)).collect();
    for one in found.iter_mut().filter(|one| one.severity < Severity::Note || one.has_fix()) {
        leave_generated_file(one, files);
        if one.severity >= Severity::Note {
            continue;
        }
        let file = file_of(one);
        let mut around = repositories.iter();
        let around = around.find(|uses| file.is_some_and(|file| file.starts_with(uses.root())));
        let Some(uses) = around else { continue };
        let below = file.and_then(|file| file.strip_prefix(uses.root()).ok());
        let is_out_of_use = |target: &Path| {
            !is_named(target)
                && (uses.is_out_of_use(target)
                    || target.to_string_lossy().contains('#')
                        && uses.is_switched_off(&object_file(target)))
        };
        let is_own_target = one.targets.iter().any(|it| is_named(it));
        let is_unwanted = below.is_some_and(is_template_or_archive)
            || file.is_some_and(|file| file.to_string_lossy().contains("{{"))
            || !one.targets.is_empty() && one.targets.iter().all(|folder| is_out_of_use(folder))
            || below
                .is_some_and(|below| folder_names(below).any(|it| FOREIGN_FOLDERS.contains(&it)))
                && !is_own_target
                && !one.targets.iter().any(|it| uses.is_deployed(it))
            || one.code < Code::KZ101
                && is_in_template(one, uses)
                && !one.targets.iter().any(|it| is_named(it) || is_deployed(it, uses))
            || is_unwanted_by_rule(one, uses, is_own_target, &is_out_of_use);
        add_help(one, uses);
        if is_unwanted {
            one.severity = Severity::Note;
        }
    }
}

fn file_of(found: &SharedFinding) -> Option<&Path> {
    found.file.as_deref().or(found.targets.first().map(AsRef::as_ref))
}

/// True for a finding on which an owner does not act, for a reason that only its rule has.
/// `is_own_target`: the user names one of the targets.
fn is_unwanted_by_rule(
    one: &SharedFinding,
    uses: &FolderUses<'_>,
    is_own_target: bool,
    is_out_of_use: &dyn Fn(&Path) -> bool,
) -> bool {
    let below = file_of(one).and_then(|file| file.strip_prefix(uses.root()).ok());
    match one.code {
        Code::KZ101 => is_uniform_patch(one, uses),
        Code::KZ017 => !is_own_target && is_commented_list(one, uses),
        Code::KZ014 | Code::KZ015 if uses.has_other_kustomize() => {
            one.targets.iter().all(|it| is_deployed(it, uses))
        }
        Code::KZ021 => is_load_restrictor_off(uses),
        // The objects are targets of their own.
        Code::KZ034 => true,
        Code::KZ033 => below.is_some_and(is_sample) || are_unlisted(one, uses),
        Code::KZ028 if is_set_aside(one, uses) => !is_own_target,
        Code::KZ028 | Code::KZ031 => are_parents_out_of_use(one, uses, is_out_of_use),
        Code::KZ054 | Code::KZ055 | Code::KZ620 => are_undeployed(one, uses),
        Code::KZ113 => one.targets.iter().all(|folder| is_deployed_elsewhere(folder, uses)),
        Code::KZ120 => {
            is_dead_image_of_script(one, uses) || marked_line(one, uses).contains(['<', '>'])
        }
        Code::KZ121 => is_written_by_script(one, uses) || is_comment(one, uses),
        Code::KZ122 => is_without_resources(one, uses),
        Code::KZ223 => is_set_by_program(one, uses),
        Code::KZ210 => uses.are_without_flux(&one.targets),
        _ => false,
    }
}

/// True for a failure at a placeholder: in the marked line, or anywhere in a file that is not valid
/// YAML, which may be the file of the marked entry. Another program renders the file before a build.
fn is_in_template(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    let line = marked_line(found, uses);
    if found.code == Code::KZ012 || line.contains("{{") || line.contains("{%") {
        return true;
    }
    // A patch that is not valid YAML has its own code.
    let is_syntax = matches!(found.code, Code::KZ010 | Code::KZ013 | Code::KZ043);
    let Some(file) = found.file.as_ref().filter(|_| is_syntax) else { return false };
    let entry = file.with_file_name(entry_path(&line));
    [file, &entry].into_iter().any(|file| {
        let text = uses.files.read(file).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().any(has_placeholder)
    })
}

/// True for a line with a placeholder in place of a value, a key or an item. In a quoted text, it may
/// be one of another program.
fn has_placeholder(line: &str) -> bool {
    let mut found = ["{{", "{%"].into_iter().flat_map(|sign| line.match_indices(sign));
    found.any(|(at, _)| {
        let before = line[..at].trim_end();
        before.is_empty() || before.ends_with([':', '-', '[', ','])
    })
}

/// The path in the line of an entry: `a.yaml` of `- path: "a.yaml"`.
fn entry_path(line: &str) -> &str {
    line.rsplit(' ').next().unwrap_or_default().trim_matches(['"', '\''])
}

/// True for a patch by labels that at least three deployment objects repeat: objects opt in with the
/// label, and some patch none.
fn is_uniform_patch(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    let text = file_text(found, uses);
    let mut lines = text.lines().skip(marked_index(found)).take(MAX_PATCH_LINES).map(str::trim);
    let label = lines.find(|line| line.starts_with("labelSelector:"));
    label.is_some_and(|label| uses.objects_with_line(label) >= 3)
}

/// The number of lines of an entry in which the target of a patch is searched.
const MAX_PATCH_LINES: usize = 60;

fn is_deployed(target: &Path, uses: &FolderUses<'_>) -> bool {
    let mut objects = uses.repository.objects.iter();
    objects.any(|object| object.target() == target || object.folders().any(|it| it == target))
}

/// True for a folder that a deployment object names by its path, as a folder of another source:
/// where the object deploys it, it may set a namespace.
fn is_deployed_elsewhere(folder: &Path, uses: &FolderUses<'_>) -> bool {
    uses.repository.objects.iter().any(|object| {
        let path = clean(Path::new(object.path.trim_start_matches('/')));
        object.builds.as_deref() != Some(folder)
            && path.components().count() > 1
            && folder.ends_with(&path)
    })
}

/// True for deployment objects that only folders deploy which, as far as is known, no part of the
/// repository builds.
fn are_parents_out_of_use(
    found: &SharedFinding,
    uses: &FolderUses<'_>,
    is_out_of_use: &dyn Fn(&Path) -> bool,
) -> bool {
    found.targets.iter().all(|target| {
        uses.object(target).is_some_and(|object| {
            let mut parents = object.origin.parents.iter().map(|it| uses.root().join(it));
            !object.origin.parents.is_empty() && parents.all(|folder| is_out_of_use(&folder))
        })
    })
}

/// True for objects that neither an object nor a command of the repository deploys, although objects
/// deploy others of their kind: their owner set them aside. An installation of Flux deploys its
/// own object.
fn is_set_aside(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    let is_object = |name: &PathBuf| name.to_string_lossy().contains('#');
    let is_sync = |file: &Path| file.file_name().is_some_and(|name| name == "gotk-sync.yaml");
    found.targets.iter().all(|target| {
        uses.object(target).is_some_and(|object| {
            let mut others = uses.repository.objects.iter();
            !is_sync(&object.at.file)
                && object.origin.parents.iter().all(|it| !is_object(it) && !uses.is_applied(it))
                && others.any(|other| {
                    other.definition.is_flux() == object.definition.is_flux()
                        && other.origin.parents.iter().any(is_object)
                })
        })
    })
}

/// True if a document or a script builds without load restrictions, or sets Argo CD to do so.
fn is_load_restrictor_off(uses: &FolderUses<'_>) -> bool {
    uses.have_line(|it| it.contains("load-restrictor") && it.contains("LoadRestrictionsNone"))
}

/// True for an empty file of an entry that a script fills before a build.
fn is_written_by_script(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    let line = marked_line(found, uses);
    let Some(file) = &found.file else { return false };
    let path = clean(&file.with_file_name(entry_path(&line)));
    // Other text than the name of a file has no ending.
    path.extension().is_some() && uses.have_line(|line| writes(line, &path))
}

/// True for an inline patch that contains only comments: its owner left it out.
fn is_comment(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    let text = file_text(found, uses);
    let mut lines = text.lines().skip(marked_index(found));
    lines.next().is_some_and(|marked| marked.contains("patch:"))
        && lines.next().is_some_and(|line| line.trim_start().starts_with('#'))
}

/// The beginnings of lines of a kustomization with resources.
const SOURCES: [&str; 8] = [
    "resources",
    "bases",
    "components",
    "generators",
    "configMapGenerator",
    "secretGenerator",
    "helmCharts",
    "kind: Component",
];

/// True for an entry of a kustomization without a field that adds resources, such as a folder that
/// is kept for later.
fn is_without_resources(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    let text = file_text(found, uses);
    !text.is_empty()
        && !text.lines().any(|line| SOURCES.iter().any(|source| line.starts_with(source)))
}

/// True for a kustomization that its owner commented out, if no other one lists it and no object
/// deploys it.
fn is_commented_list(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    let Some(file) = &found.file else { return false };
    let text = file_text(found, uses);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && *line != "---");
    let folder = file.parent().unwrap_or(file);
    lines.all(|line| line.starts_with('#'))
        && text.contains("resources:")
        && !uses.has_users(folder)
        && !is_deployed(folder, uses)
}

/// True for a placeholder as the new name or tag of an image: a program sets it before a build.
fn is_set_by_program(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    let line = marked_line(found, uses);
    ["newName:", "newTag:", "digest:"].iter().any(|field| line.contains(field))
}

/// True if no kustomization of the repository lists the deployment objects of a finding: they
/// are in no cluster.
fn are_unlisted(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    found.targets.iter().all(|target| !uses.has_users(&object_file(target)))
}

/// True for variables that are not set in Flux Kustomizations that the repository does not deploy:
/// a kustomization above them does not lead to them, so that Flux does not apply them, and their
/// variables may come from a patch of the kustomization that would.
fn are_undeployed(found: &SharedFinding, uses: &FolderUses<'_>) -> bool {
    let mut objects = found.targets.iter().map(|target| object_file(target));
    !found.targets.is_empty()
        && objects.all(|file| {
            file.starts_with(uses.root())
                && is_left_out(&file, uses.repository, &mut BTreeSet::new())
        })
}

/// The file of a target's deployment object: `flux.yaml` of `flux.yaml#web`.
fn object_file(target: &Path) -> PathBuf {
    let name = target.to_string_lossy();
    PathBuf::from(name.split_once('#').map_or(&*name, |(file, _)| file))
}

/// True if no kustomization above a file leads to it, although one is there.
fn is_left_out(path: &Path, repository: &Repository, seen: &mut BTreeSet<PathBuf>) -> bool {
    if !seen.insert(path.to_owned()) {
        return true;
    }
    let users: Vec<&Path> = repository.users(path).map(|(target, _)| &*target.folder).collect();
    if !users.is_empty() {
        return users.into_iter().all(|folder| is_left_out(folder, repository, seen));
    }
    let mut above = path.ancestors().skip(1).take_while(|it| it.starts_with(&repository.root));
    above.any(|folder| repository.target(folder).is_some())
}

/// Folders whose kustomizations are rendered or copied before a build.
const TEMPLATE_FOLDERS: [&str; 9] = [
    "template",
    "templates",
    "tmpl",
    "tpl",
    "boilerplate",
    "skeleton",
    "scaffold",
    "cookiecutter",
    "archetype",
];

const ARCHIVE_FOLDERS: [&str; 6] =
    ["archive", "archived", "archives", "deprecated", "disabled", "unused"];

/// True for a path with a folder of templates, archives or test data: no target deploys from them.
fn is_template_or_archive(below: &Path) -> bool {
    folder_names(below).any(|name| {
        // The last word counts: `.backstage-templates`, `web_template`, `monitoring-old`.
        let last = name.rsplit(['-', '_', '.']).next().unwrap_or(name);
        TEMPLATE_FOLDERS.contains(&last)
            || ARCHIVE_FOLDERS.contains(&last)
            || last == "old" && last != name
            || name.starts_with("testdata")
    })
}
