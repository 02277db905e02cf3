//! References: the entries on the way from a file to the targets that it affects, as `kzui where`
//! lists them, and the lines that override the values of a line.

use lsp_types::{Location, Position};

use crate::answers::provenance::line_effects::FieldStatus;
use crate::repository::FileLocation;

use super::document_view::DocumentView;

const MAX_LOCATIONS: usize = 1_000;

pub(super) fn references(view: &DocumentView<'_>, position: Position) -> Vec<Location> {
    let overriding = view.effects(position).into_iter().flat_map(|effects| effects.fields.keys());
    let overriding = overriding.filter_map(|effect| match &effect.status {
        FieldStatus::Overridden(by) => by.clone(),
        FieldStatus::Final | FieldStatus::Part | FieldStatus::Removes => None,
    });
    let mut lines: Vec<FileLocation> = overriding.collect();
    let repository = view.checked.repository();
    let own = view.path.parent().filter(|_| view.is_kustomization());
    for route in repository.routes_from(own.unwrap_or(view.path)) {
        let hops = route.hops.into_iter();
        lines.extend(hops.map(|entry| FileLocation { file: entry.file, line: entry.line }));
    }
    view.locations(lines, MAX_LOCATIONS)
}
