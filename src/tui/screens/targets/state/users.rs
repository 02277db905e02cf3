//! Users and dependencies of a folder or file: the dependency graph as a tree, starting at one
//! path.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::display::counted;
use crate::repository::{
    LocatedDeploymentObject, ReferenceDestination, ReferenceEntry, Repository, Route,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UserRow {
    pub label: String,
    /// The field and the location of the entry.
    pub place: String,
    pub path: Option<PathBuf>,
    /// For each ancestor and for the row itself, true for a last child; empty for a heading.
    pub lasts: Vec<bool>,
    pub is_missing: bool,
}

impl UserRow {
    pub(crate) fn heading(label: String) -> Self {
        Self { label, place: String::new(), path: None, lasts: Vec::new(), is_missing: false }
    }
}

/// Longer lists are not readable.
const MAX_USER_ROWS: usize = 2_000;

/// Rows with the targets whose builds use a path, and the routes to it; below them the dependencies
/// of the path.
pub(crate) fn user_rows(
    repository: &Repository,
    managers: &[LocatedDeploymentObject],
    path: &Path,
) -> Vec<UserRow> {
    let mut routes = repository.routes_from(path);
    routes.retain(|route| !route.target.starts_with(path));
    let (all, roots) = (routes.len(), routes.iter().filter(|route| route.is_root).count());
    let (rows, seen, lasts) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut writer = UserRowWriter { repository, routes, rows, seen, lasts };
    writer.heading(match (all, roots) {
        (0, _) => "not used by any target".to_owned(),
        (all, roots) if all == 1 || all == roots => format!("used by {}", counted(all, "target")),
        (all, roots) => format!("used by {all} targets ({roots} top-level)"),
    });
    writer.walk(path, UserRowWriter::users);
    writer.managers(managers, path);
    if let Some(target) = repository.target(path) {
        writer.heading(match target.uses.len() {
            0 => "uses no other target".to_owned(),
            count => format!("uses {}", counted(count, "entry")),
        });
        writer.seen.clear();
        writer.walk(path, UserRowWriter::uses);
    }
    writer.rows
}

struct UserRowWriter<'a> {
    repository: &'a Repository,
    /// The routes from the first path.
    routes: Vec<Route>,
    rows: Vec<UserRow>,
    seen: BTreeSet<PathBuf>,
    lasts: Vec<bool>,
}

impl UserRowWriter<'_> {
    fn heading(&mut self, label: String) {
        self.rows.push(UserRow::heading(label));
    }

    fn managers(&mut self, managers: &[LocatedDeploymentObject], path: &Path) {
        let mine: Vec<&LocatedDeploymentObject> =
            managers.iter().filter(|it| it.folders().any(|folder| folder == path)).collect();
        if mine.is_empty() {
            return;
        }
        let count = mine.len();
        self.heading(format!("deployed by {}", counted(count, "object")));
        for (at, manager) in mine.iter().enumerate() {
            let kind = manager.definition.kind;
            let (controller, word) = (kind.controller(), kind.word());
            let file = &manager.at.file;
            // The same object of several targets differs by the target that deploys it.
            let parent = manager.parent.as_ref().map(|parent| format!(" of {parent}"));
            let parent = parent.unwrap_or_default();
            self.rows.push(UserRow {
                label: format!("{controller} {word} {}{parent}", manager.name),
                place: format!("{}:{}", self.repository.shown(file), manager.at.line),
                path: Some(file.clone()),
                lasts: vec![at + 1 == count],
                is_missing: false,
            });
        }
    }

    /// Adds the rows below a path, and below each of them its own.
    fn walk(&mut self, path: &Path, below: fn(&Self, &Path) -> Vec<UserRow>) {
        if !self.seen.insert(path.to_owned()) || self.rows.len() > MAX_USER_ROWS {
            return;
        }
        let rows = below(self, path);
        let count = rows.len();
        for (at, row) in rows.into_iter().enumerate() {
            let path = row.path.clone();
            self.lasts.push(at + 1 == count);
            self.rows.push(UserRow { lasts: self.lasts.clone(), ..row });
            if let Some(path) = path {
                self.walk(&path, below);
            }
            self.lasts.pop();
        }
    }

    fn users(&self, path: &Path) -> Vec<UserRow> {
        let target = self.repository.target(path);
        let direct = self.repository.users(path);
        let by_file = target.into_iter().flat_map(|target| self.repository.users(&target.file));
        let mut users: Vec<(&Path, &ReferenceEntry)> =
            direct.chain(by_file).map(|(user, it)| (&*user.folder, it)).collect();
        // For a file of a target, the users of the target are shown; for a file inside a chart, the
        // users of the chart.
        if users.is_empty() && target.is_none() {
            users.extend(self.routes.iter().filter_map(|route| match route.hops.as_slice() {
                [hop] => Some((&*route.target, hop)),
                _ => None,
            }));
        }
        let row = |(folder, it): (&Path, &ReferenceEntry)| {
            let path = Some(folder.to_owned());
            UserRow { path, place: place(it), ..UserRow::heading(self.repository.shown(folder)) }
        };
        users.into_iter().map(row).collect()
    }

    fn uses(&self, path: &Path) -> Vec<UserRow> {
        let Some(target) = self.repository.target(path) else { return Vec::new() };
        let row = |it: &ReferenceEntry| {
            let to = it.to.path().map(Path::to_owned);
            let label = match (&it.to, &to) {
                (ReferenceDestination::Remote(place), _) => place.clone(),
                // A path in the folder of the row above is as long as it has to be.
                (_, Some(to)) => match to.strip_prefix(path) {
                    Ok(rest) if rest.components().next().is_some() => {
                        format!("./{}", rest.display())
                    }
                    _ => self.repository.shown(to),
                },
                _ => it.text.clone(),
            };
            let is_missing = matches!(it.to, ReferenceDestination::Missing(_));
            UserRow { path: to, place: place(it), is_missing, ..UserRow::heading(label) }
        };
        target.uses.iter().map(row).collect()
    }
}

fn place(entry: &ReferenceEntry) -> String {
    format!("{}:{}", entry.field, entry.line)
}
