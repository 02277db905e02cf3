//! Commands about all targets of a repository: `kzui where`, `graph`, `grep`, `table`, `images`.

mod affected_targets;
mod args;
mod draw;
mod graph;
mod grep;
mod table;

pub(super) use affected_targets::run as reach;
pub(super) use args::{GraphArgs, GraphFormat, Grep, Images, Table, WhereArgs};
pub(super) use graph::run as graph;
pub(super) use grep::run as grep;
pub(super) use table::{align_columns, images, table};

use std::path::PathBuf;
use std::sync::Arc;

use super::place::repository_root;
use super::{CliPorts, RepositoryPorts};
use crate::answers::report::ReportPaths;
use crate::engine::evaluate::Ports;
use crate::engine::load::{FileKind, clean};
use crate::engine::yaml::Mark;
use crate::repository::{KeptFiles, Repository, named_object};

pub(super) fn open(
    folder: Option<&str>,
    asked: Option<&str>,
    outside: &CliPorts<'_>,
) -> Result<(Repository, Ports), String> {
    let (root, ports) = root_and_ports(folder, asked, outside)?;
    let repository = Repository::read(&root, &*outside.repository.listing, &*ports.files);
    Ok((repository.map_err(|error| error.to_string())?, ports))
}

/// As [`open`], with the deployment objects, for which all YAML files are read.
fn open_with_objects(
    folder: Option<&str>,
    asked: Option<&str>,
    outside: &CliPorts<'_>,
) -> Result<(Arc<Repository>, Ports), String> {
    let (root, ports) = root_and_ports(folder, asked, outside)?;
    let RepositoryPorts { indexes, listing, .. } = &outside.repository;
    let repository = indexes.repository(&root, &**listing, &ports.files);
    Ok((repository.map_err(|error| error.to_string())?, ports))
}

/// The root of the repository to read: `folder`; without one, the root around the path in question.
fn root_and_ports(
    folder: Option<&str>,
    asked: Option<&str>,
    outside: &CliPorts<'_>,
) -> Result<(PathBuf, Ports), String> {
    let files = &*outside.ports.files;
    let named = asked.filter(|word| path(word, outside).is_some());
    let wanted = clean(&outside.current.join(folder.or(named).unwrap_or(".")));
    let (wanted, kind) = match named_object(&wanted, files) {
        Some(object) => (object, FileKind::File),
        None => files.resolve(&wanted).map_err(|error| error.to_string())?,
    };
    let root = match (folder, wanted.parent()) {
        (None, _) => repository_root(&wanted, outside),
        (Some(_), Some(above)) if kind == FileKind::File => above.to_owned(),
        (Some(_), _) => wanted,
    };
    let files = KeptFiles::over(outside.ports.files.clone());
    Ok((root, Ports { files, ..outside.ports.clone() }))
}

/// A location as `FILE:LINE`; `None` for a value that is in no file.
fn location(places: &ReportPaths<'_>, mark: Mark) -> Option<String> {
    let at = places.at(mark).filter(|at| at.line > 0)?;
    Some(format!("{}:{}", at.file, at.line))
}

/// A path of the command line, links resolved; `None` if it does not exist.
fn path(word: &str, outside: &CliPorts<'_>) -> Option<PathBuf> {
    let path = clean(&outside.current.join(word));
    let files = &*outside.ports.files;
    let found = files.resolve(&path).ok().map(|(path, _)| path);
    found.or_else(|| named_object(&path, files))
}

#[test]
fn schemas_equal_the_documents() {
    use crate::document_schema::assert_schema;

    assert_schema::<affected_targets::UnusedReport>("unused", 1);
    assert_schema::<affected_targets::WhereReport>("where", 2);
    assert_schema::<grep::GrepReport>("grep", 1);
    assert_schema::<table::ImagesReport>("images", 1);
    assert_schema::<table::TableReport>("table", 1);
}
