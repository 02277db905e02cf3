//! Why an entry of `images` is for no container.

use std::collections::BTreeSet;

use crate::resource::{ResMap, nearest_name};
use crate::yaml::{Mark, Node};

use super::Warning;
use super::images::split;

/// So many resources are looked through for images of other names.
const LOOKED_AT: usize = 2_000;

/// So many names of images are told.
const TOLD: usize = 5;

/// That no container has the image, and which there are.
pub(super) fn no_such_image(name: &str, resources: &ResMap, mark: Mark) -> Warning {
    let mut names = BTreeSet::new();
    for (_, resource) in resources.iter().take(LOOKED_AT) {
        image_names(&resource.node, &mut names);
    }
    let last = |image: &str| image.rsplit('/').next().map(str::to_owned);
    let same = names.iter().find(|other| last(other) == last(name)).map(String::as_str);
    let nearest = same.or_else(|| nearest_name(name, names.iter().map(String::as_str)));
    let shown = names.iter().map(String::as_str).take(TOLD).collect::<Vec<_>>().join(", ");
    let hint = match nearest {
        Some(nearest) => format!("did you mean {nearest}?"),
        None if shown.is_empty() => "no container has an image at this step".to_owned(),
        None if names.len() > TOLD => {
            format!("images here: {shown} and {} more", names.len() - TOLD)
        }
        None => format!("images here: {shown}"),
    };
    let message = format!("no container has the image {name} at this step");
    Warning { code: "KZ101", message, hint: Some(hint), mark, why: None }
}

/// The names of the images of containers, anywhere in a tree.
fn image_names(node: &Node, names: &mut BTreeSet<String>) {
    for item in node.items().unwrap_or_default() {
        image_names(item, names);
    }
    for entry in node.entries() {
        match (entry.key.text(), entry.value.text()) {
            (Some("image"), Some(image)) => {
                names.insert(split(image).0);
            }
            (_, None) => image_names(&entry.value, names),
            _ => {}
        }
    }
}
