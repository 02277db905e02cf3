//! Overlays and components of a repository as a table (the one in KEP-1802): which overlay lists
//! which component, and its effect there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::engine::evaluate::{BuildCache, BuildOptions, FILE_NAMES, Ports, Wait, evaluate};
use crate::engine::load::{Files, clean, is_absolute, relative_path};
use crate::engine::manifest::Outline;
use crate::repository::{BuildProgress, ListedFiles, Repository, TargetKind};

use crate::answers::experiments::combinations::{ComponentEntry, field_entries};
use crate::answers::experiments::variants::{VariantBuilder, VariantResult};
use crate::answers::recording::build::effect_of_layer;
use crate::answers::recording::failure_words::failure_words;
use crate::answers::report::documents;
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, relative};
use crate::draft::{Draft, Edit, EntryRef};

documents! {
    #[derive(Copy, Default)]
    pub enum ComponentStatus {
        /// Listed.
        On,
        /// Listed, but commented out.
        Off,
        /// Not listed.
        #[default]
        Absent,
    }

    #[derive(Copy)]
    pub struct ComponentEffect {
        pub added: usize,
        pub changed: usize,
        pub removed: usize,
    }

    #[derive(Default)]
    pub struct Cell {
        pub component: String,
        pub state: ComponentStatus,
        pub line: Option<u32>,
        pub order: Option<usize>,
        pub effect: Option<ComponentEffect>,
        pub trial: Option<ComponentTrial>,
    }

    #[derive(Default)]
    pub struct ComponentTrial {
        pub effect: Option<ComponentEffect>,
        pub error: Option<String>,
        pub unknown: Option<String>,
        pub with: Option<String>,
    }
}

impl ComponentTrial {
    fn failed(error: String) -> Self {
        Self { error: Some(error), ..Self::default() }
    }

    fn unknown(reason: String) -> Self {
        Self { unknown: Some(reason), ..Self::default() }
    }
}

documents! {
    pub struct OverlayRow {
        pub overlay: String,
        pub file: String,
        pub error: Option<String>,
        pub waits: Option<String>,
        pub components: Vec<Cell>,
    }

    pub struct ComponentMatrix {
        pub schema_version: u32,
        pub components: Vec<String>,
        pub overlays: Vec<OverlayRow>,
    }
}

fn component_entries(file: &Path, text: &[u8]) -> Vec<ComponentEntry> {
    let directory = file.parent().unwrap_or(Path::new("/"));
    let outline = Outline::parse(text);
    let fields = outline.fields.iter().filter(|field| field.name == "components");
    fields.flat_map(|field| field_entries(field, directory)).collect()
}

pub fn is_component_on(file: &Path, text: &[u8], component: &Path) -> bool {
    find_entry(&component_entries(file, text), component).is_some_and(|entry| entry.is_on)
}

/// The entry that names a component: an active one, else one that is commented out.
fn find_entry<'e>(entries: &'e [ComponentEntry], component: &Path) -> Option<&'e ComponentEntry> {
    let mut named = entries.iter().filter(|entry| entry.path == component);
    let first = named.next()?;
    Some(if first.is_on { first } else { named.find(|entry| entry.is_on).unwrap_or(first) })
}

/// Finds the components and overlays below a directory, builds each overlay that lists components,
/// and returns the table.
///
/// `object` is the deployment object that builds `root`, which is then built with its settings.
/// The values of Secrets are added to `secrets`, and masked in the errors of the table.
pub fn component_table(
    root: &Path,
    object: Option<&Path>,
    build: (&Path, &BuildOptions, &Ports),
    secrets: &mut Secrets,
    progress: Option<&BuildProgress>,
) -> ComponentMatrix {
    let found = components_below(root, &*build.2.files);
    table_of(found, (root, object), build, secrets, progress)
}

fn table_of(
    (components, overlays): ComponentListing,
    (root, object): (&Path, Option<&Path>),
    (current, options, ports): (&Path, &BuildOptions, &Ports),
    secrets: &mut Secrets,
    progress: Option<&BuildProgress>,
) -> ComponentMatrix {
    let shown = |path: &Path| relative(path, root);
    let mut columns: BTreeSet<PathBuf> = components.into_iter().collect();
    for (file, text) in &overlays {
        let own = component_entries(file, text).into_iter().map(|entry| entry.path);
        columns.extend(own.filter(|path| is_absolute(path)));
    }
    let mut cache = BuildCache::default();
    let mut rows = Vec::with_capacity(overlays.len());
    for (file, text) in &overlays {
        if let Some(progress) = progress {
            progress(rows.len(), overlays.len());
        }
        let directory = file.parent().unwrap_or(root);
        let object = object.filter(|_| directory == root);
        let target = object.unwrap_or(directory).to_string_lossy();
        let evaluation = evaluate(&target, current, options, ports, &mut cache);
        secrets.learn(&evaluation.trace);
        let recording = Recording::new(evaluation, directory);
        let entries = component_entries(file, text);
        let cell = |column: &PathBuf| build_cell(column, &entries, &recording, shown(column));
        rows.push(OverlayRow {
            overlay: shown(directory),
            file: shown(file),
            error: recording.error.as_deref().map(failure_words),
            waits: recording.trace.first_wait().map(Wait::required_action_text),
            components: columns.iter().map(cell).collect(),
        });
    }
    rows.sort_by(|one, other| one.overlay.cmp(&other.overlay));
    for row in &mut rows {
        let trials =
            row.components.iter_mut().filter_map(|cell| cell.trial.as_mut()?.error.as_mut());
        for error in row.error.iter_mut().chain(trials) {
            *error = secrets.text(error);
        }
    }
    let components = columns.iter().map(|path| shown(path)).collect();
    ComponentMatrix { schema_version: 1, components, overlays: rows }
}

pub fn target_component_table(
    target: &Path,
    components: &[PathBuf],
    build: (&Path, &BuildOptions, &Ports),
    secrets: &mut Secrets,
) -> ComponentMatrix {
    let files = &*build.2.files;
    let overlays = kustomization_file(target, files).into_iter().collect();
    table_of((components.to_vec(), overlays), (target, None), build, secrets, None)
}

type ComponentListing = (Vec<PathBuf>, Vec<(PathBuf, Vec<u8>)>);

fn components_below(root: &Path, files: &dyn Files) -> ComponentListing {
    let listing = ListedFiles::visible(root, files);
    let repository = Repository::read(root, &listing, files).unwrap_or_default();
    let of_kind = |kind: TargetKind| repository.targets().filter(move |it| it.kind == kind);
    let components = of_kind(TargetKind::Component).map(|it| it.folder.clone());
    let overlays = of_kind(TargetKind::Kustomization).filter_map(|target| {
        let text = files.read(&target.file).ok()?.to_vec();
        let lists_some = !component_entries(&target.file, &text).is_empty();
        lists_some.then(|| (target.file.clone(), text))
    });
    (components.collect(), overlays.collect())
}

fn kustomization_file(directory: &Path, files: &dyn Files) -> Option<(PathBuf, Vec<u8>)> {
    FILE_NAMES.iter().map(|name| directory.join(name)).find_map(|path| {
        let bytes = files.read(&path).ok()?;
        Some((path, bytes.to_vec()))
    })
}

fn build_cell(
    component: &Path,
    entries: &[ComponentEntry],
    recording: &Recording,
    name: String,
) -> Cell {
    let Some(entry) = find_entry(entries, component) else {
        return Cell { component: name, ..Cell::default() };
    };
    let before = entries.iter().filter(|it| it.is_on).position(|it| it.path == component);
    let layer = recording.first_layer_in(component).filter(|_| entry.is_on);
    let fails = layer.is_some_and(|(_, layer)| recording.has_failed_step(layer));
    let error = recording.error.as_deref().filter(|_| fails).map(failure_words);
    let effect = layer.filter(|_| !fails).map(|(_, layer)| recording.count_layer_changes(layer));
    Cell {
        component: name,
        state: if entry.is_on { ComponentStatus::On } else { ComponentStatus::Off },
        line: Some(entry.line),
        order: before.filter(|_| entry.is_on).map(|place| place + 1),
        effect: effect.map(ComponentEffect::from),
        trial: error.map(ComponentTrial::failed),
    }
}

impl From<(usize, usize, usize)> for ComponentEffect {
    fn from((added, changed, removed): (usize, usize, usize)) -> Self {
        Self { added, changed, removed }
    }
}

/// The edit that switches a component of an overlay on or off: its entry is commented out or
/// restored, or one is added.
pub fn toggle_component_edit(file: &Path, text: &[u8], component: &Path) -> Edit {
    let (file, field) = (file.to_owned(), "components".to_owned());
    if let Some(&ComponentEntry { index, .. }) =
        find_entry(&component_entries(&file, text), component)
    {
        return Edit::ToggleEntry(EntryRef { file, field, index });
    }
    let directory = file.parent().unwrap_or(Path::new("/"));
    Edit::AddEntry { text: relative_path(directory, component), file, field }
}

const MAX_COMPONENT_TRIALS: usize = 1_000;

/// Builds each overlay that builds, with each component that is off or not listed switched on, and
/// each overlay that does not build, without each of its components, and adds the results to the
/// table. No program is run and no remote is fetched. The values of Secrets are added to
/// `secrets`, and masked in errors. `report` receives the table so far, the number of trials so far
/// and the number of all of them.
pub fn add_component_trials(
    table: &mut ComponentMatrix,
    root: &Path,
    options: &BuildOptions,
    ports: &Ports,
    secrets: &mut Secrets,
    report: &dyn Fn(&ComponentMatrix, (usize, usize)),
) {
    let trials = |row: &OverlayRow| {
        let cells = row.components.iter().filter(|cell| is_tried(row, cell.state));
        cells.count()
    };
    let all = table.overlays.iter().map(trials).sum::<usize>().min(MAX_COMPONENT_TRIALS);
    let mut done = 0;
    for at in 0..table.overlays.len() {
        let file = clean(&root.join(&table.overlays[at].file));
        let Ok(text) = ports.files.read(&file) else { continue };
        let variants = VariantBuilder::new(ports, options, file.parent().unwrap_or(root));
        let mut trials = OverlayTrials {
            root,
            file: &file,
            text: &text,
            variants,
            cache: BuildCache::default(),
        };
        for column in 0..table.overlays[at].components.len() {
            let row = &table.overlays[at];
            if !is_tried(row, row.components[column].state) {
                if row.error.is_some() {
                    let unknown = ComponentTrial::unknown("the build fails without it".to_owned());
                    table.overlays[at].components[column].trial = Some(unknown);
                }
                continue;
            }
            if done == all || ports.cancel.is_cancelled() {
                return;
            }
            let trial = trials.try_component(row, column, secrets);
            if ports.cancel.is_cancelled() {
                return;
            }
            let (fails, cell) = (row.error.is_some(), &mut table.overlays[at].components[column]);
            if let Some(trial) = trial {
                cell.effect = cell.effect.filter(|_| !fails);
                cell.trial = Some(trial);
            }
            done += 1;
            report(table, (done, all));
        }
    }
}

/// True for a component that is tried: one that is off, or in an overlay that fails, one that is on.
fn is_tried(row: &OverlayRow, state: ComponentStatus) -> bool {
    row.error.is_some() == (state == ComponentStatus::On)
}

struct OverlayTrials<'t> {
    root: &'t Path,
    file: &'t Path,
    text: &'t [u8],
    variants: VariantBuilder,
    cache: BuildCache,
}

impl OverlayTrials<'_> {
    /// Builds the overlay with a component switched; `None` if the component cannot be switched, or
    /// is not the cause of the overlay's failure.
    fn try_component(
        &mut self,
        row: &OverlayRow,
        column: usize,
        secrets: &mut Secrets,
    ) -> Option<ComponentTrial> {
        let component = clean(&self.root.join(&row.components.get(column)?.component));
        let directory = self.file.parent().unwrap_or(self.root);
        let files = self.variants.files().clone();
        let mut draft = Draft::default();
        draft.apply(&toggle_component_edit(self.file, self.text, &component), &*files).ok()?;
        let (trace, built) = self.variants.build(draft.files(files), &mut self.cache);
        secrets.learn(&trace);
        if let Some(error) = &row.error {
            // The overlay builds without the component: the component is the cause.
            let builds = matches!(built, VariantResult::Builds(_));
            return builds.then(|| ComponentTrial::failed(error.clone()));
        }
        let layer = trace.layers.iter().find(|layer| Path::new(&*layer.path) == component);
        let effect = layer.map(|layer| effect_of_layer(&trace, layer).into());
        Some(match built {
            VariantResult::Builds(_) => ComponentTrial { effect, ..ComponentTrial::default() },
            VariantResult::Fails(error) => {
                let own = |entry: &str| clean(&directory.join(entry)) == component;
                let with = error.clash.and_then(|clash| clash.other_entry(own));
                let failed = ComponentTrial::failed(secrets.text(&error.message));
                ComponentTrial { with, ..failed }
            }
            VariantResult::Unknown(why) => ComponentTrial::unknown(secrets.text(&why)),
            VariantResult::Cancelled => return None,
        })
    }
}

#[test]
fn components_schema_equals_the_document() {
    crate::document_schema::assert_schema::<ComponentMatrix>("components", 1);
}
