//! Explains why an entry of `images` matches no container.

use std::collections::BTreeSet;

use crate::diagnostic::{
    Diagnostic, EntryRemark, Fix, Hint, Object, UnwrittenCause, ValueReplacement, and_more,
};
use crate::resource::{ResMap, at, nearest_name};
use crate::transform::UnwrittenField;
use crate::transform::field_walk::FieldSpecPath;
use crate::yaml::{Mark, Node};

use super::pattern::{ImagePattern, split};
use super::{CONTAINERS, ImageEntry};

const MAX_SEARCHED_RESOURCES: usize = 2_000;

/// The maximum number of letters that one search reads, since every entry without a match causes a
/// search.
const MAX_SEARCHED_BYTES: usize = 1 << 20;

const MAX_LISTED_NAMES: usize = 5;

/// The diagnostic for an image that no container has, with existing images as a hint. The hint is
/// left out if there are more than 2,000 resources, unless the search found the image or a similar
/// name. With a tag in `newName`, no name is proposed: the image would have two tags.
pub(super) fn no_such_image(
    ImageEntry { name, new_name, .. }: &ImageEntry,
    resources: &ResMap,
    mark: Mark,
) -> Diagnostic {
    let mut names = BTreeSet::new();
    for (_, resource) in resources.iter().take(MAX_SEARCHED_RESOURCES) {
        image_names(&resource.node, &mut names);
    }
    let said = Diagnostic::new(EntryRemark::NoSuchImage(name.clone()), mark);
    let has_tag = last(&new_name.value).contains([':', '@']);
    let bare = split(name).0;
    let renamed = |with: &String| {
        let (path, was, with) = (vec!["name".to_owned()], name.clone(), Some(with.clone()));
        Some(Fix::SetValues(vec![ValueReplacement { path, was, with }]))
    };
    if bare != *name && names.contains(&bare) && !has_tag {
        let fix = renamed(&bare);
        return said
            .hint(format!("write the name without its tag or digest: did you mean {bare}?"))
            .fix(fix);
    }
    let (mut all, mut left) = (resources.iter().take(MAX_SEARCHED_RESOURCES), MAX_SEARCHED_BYTES);
    let found = all.find_map(|(_, resource)| {
        let (path, is_image) = unread_image_field(&resource.node, name, &[], &mut left)?;
        Some((Object::from(&resource.id), path, is_image))
    });
    if let Some((object, path, is_image)) = found {
        let said = said.with_subject(None, &object.kind, &object.name).field(path.clone());
        let reason = if is_image {
            format!(
                "which Kustomize does not know as a field of images: name it under `images` in a file listed under `configurations` (path: {path}, \
                 kind: {})",
                object.kind
            )
        } else {
            "inside a string that `images` does not search".to_owned()
        };
        let hint = format!("{object} has the image in {path}, {reason}");
        return said.hint(hint).fix(Some(Fix::ByHand));
    }
    let is_other = |other: &&String| *other != name;
    let same = names.iter().filter(is_other).find(|other| last(other) == last(name));
    // Images of one registry often differ only in their last part, so that the last part decides
    // whether a name is similar.
    let near = || {
        let mut others = names.iter().filter(is_other);
        let some = others.clone().take(MAX_SEARCHED_RESOURCES);
        let nearest = nearest_name(last(name), some.map(|other| last(other)))?;
        others.find(|other| last(other) == nearest)
    };
    if let Some(nearest) = same.or_else(near).filter(|_| !has_tag) {
        return said.hint(Hint::DidYouMean(nearest.clone())).fix(renamed(nearest));
    }
    if resources.len() > MAX_SEARCHED_RESOURCES {
        // Not all resources were searched, so that a list of images would be incomplete.
        return said;
    }
    if names.is_empty() {
        return said.hint("no container has an image at this step");
    }
    let more = and_more(names.len().saturating_sub(MAX_LISTED_NAMES));
    let listed = names.iter().take(MAX_LISTED_NAMES).cloned().collect::<Vec<_>>().join(", ");
    said.hint(format!("images at this step: {listed}{more}"))
}

fn last(image: &str) -> &str {
    image.rsplit('/').next().unwrap_or_default()
}

fn contains_image_word(key: &str) -> bool {
    key.as_bytes().windows("image".len()).any(|part| part.eq_ignore_ascii_case(b"image"))
}

/// A field that contains the image but is not written by `images`: its path, and true if its text
/// consists only of the image, false if the image is one of several words.
type UnreadImageField = (String, bool);

/// Searches the texts below a node, which is at this path, for the image. A name without a slash
/// could be any word and counts only in a field for images. Reads at most the remaining number of
/// letters `left`.
fn unread_image_field(
    node: &Node,
    image: &str,
    path: &[&str],
    left: &mut usize,
) -> Option<UnreadImageField> {
    *left = left.checked_sub(1)?;
    if let Some(text) = node.text() {
        *left = left.checked_sub(text.len())?;
        if !image.contains('/') && !path.last().is_some_and(|key| contains_image_word(key)) {
            return None;
        }
        let whole = split(text).0 == image;
        let is_in =
            || text.match_indices(image).any(|(at, _)| is_separate_word(text, at, image.len()));
        return (whole || is_in()).then(|| (path.join("/"), whole));
    }
    let mut items = node.items().unwrap_or_default().iter();
    items.find_map(|item| unread_image_field(item, image, path, left)).or_else(|| {
        node.entries().iter().find_map(|entry| {
            let key = entry.key.text().unwrap_or_default();
            unread_image_field(&entry.value, image, &[path, &[key]].concat(), left)
        })
    })
}

fn is_separate_word(text: &str, at: usize, length: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let before = text[..at].chars().next_back();
    let after = text[at + length..].chars().next();
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}

pub(super) fn has_images(resources: &ResMap) -> bool {
    let mut names = BTreeSet::new();
    resources.iter().any(|(_, resource)| {
        image_names(&resource.node, &mut names);
        !names.is_empty()
    })
}

fn image_names(node: &Node, names: &mut BTreeSet<String>) {
    for entry in node.nodes().flat_map(Node::entries) {
        if let (Some("image"), Some(image)) = (entry.key.text(), entry.value.text()) {
            names.insert(split(image).0);
        }
    }
}

/// The reason why an entry does not write the image in a field: the image has another name, or
/// Kustomize does not know the field as one for images.
pub(super) fn why_unwritten(
    name: &str,
    pattern: &ImagePattern,
    paths: &[FieldSpecPath],
    asked: &UnwrittenField<'_>,
) -> Option<UnwrittenCause> {
    let resource = asked.resource?;
    let image = at(&resource.node, asked.path)?.text()?;
    let keys = asked.keys();
    let is_container = keys.last() == Some(&"image")
        && keys.iter().rev().nth(1).is_some_and(|key| CONTAINERS.contains(key));
    let is_known = is_container || asked.is_specified(paths, resource);
    if pattern.matches(image) {
        return (!is_known).then(|| asked.not_specified("images", resource));
    }
    let bare = split(image).0;
    let is_near = last(name) == last(&bare)
        || bare == split(name).0
        || asked.matched == 0 && nearest_name(last(name), std::iter::once(last(&bare))).is_some();
    let (name, image) = (name.to_owned(), image.to_owned());
    (is_known && is_near).then_some(UnwrittenCause::OtherImage { name, image, bare })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::Resource;
    use crate::yaml::{Limits, SourceId, parse_documents};

    #[test]
    fn no_hint_above_max_searched_resources() {
        let mut resources = ResMap::default();
        let mut hint = |more: usize| {
            for number in resources.len()..more {
                let mut resource = Resource::default();
                resource.id.name = format!("a{number}").as_str().into();
                resources.append(resource).unwrap();
            }
            let entry = ImageEntry { name: "nginx".to_owned(), ..ImageEntry::default() };
            no_such_image(&entry, &resources, Mark::default()).hint
        };
        assert!(hint(MAX_SEARCHED_RESOURCES).is_some());
        assert_eq!(hint(MAX_SEARCHED_RESOURCES + 1), None);
    }

    #[test]
    fn image_search_skips_text_over_limit() {
        let found = |before: usize| {
            let text = format!("a: {}\nargs: [--image=docker.io/x]\n", "b".repeat(before));
            let mut read =
                parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
            let node = read.documents.remove(0).node;
            let mut left = MAX_SEARCHED_BYTES;
            unread_image_field(&node, "docker.io/x", &[], &mut left).map(|(path, _)| path)
        };
        assert_eq!(found(10).as_deref(), Some("args"));
        assert_eq!(found(MAX_SEARCHED_BYTES - 40).as_deref(), Some("args"));
        assert_eq!(found(MAX_SEARCHED_BYTES - 20), None);
        // A text that is longer than the remaining limit is skipped.
        assert_eq!(found(MAX_SEARCHED_BYTES + 20).as_deref(), Some("args"));
    }
}
