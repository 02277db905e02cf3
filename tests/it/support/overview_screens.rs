//! The screens about many builds, without a terminal and on files in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kzui::answers::RepositoryBuilds;
use kzui::answers::compare::{
    CompareReport, CompareSettings, ComparedSide, SideSources, branch_sides, compare_sides,
    disk_tree, parse_sides,
};
use kzui::answers::reverse::VerifiedProposal;
use kzui::answers::secrets::Secrets;
use kzui::engine::evaluate::{Cancel, DeploymentCache, FunctionAnswers, NoCancel, NoClock, Ports};
use kzui::engine::plugin::NoPrograms;
use kzui::repository::{ListedFiles, LocatedDeploymentObject};
use kzui::tui::{
    BoardNews, BoardOrder, Comparison, ComparisonSides, EditRequest, Message, WhatIf, WhatIfAnswer,
    WorkNews,
};

use super::Workbench;

/// Cancels builds after some of them.
struct CountedBuilds {
    last: usize,
    built: AtomicUsize,
    all: AtomicUsize,
}

impl Cancel for CountedBuilds {
    fn is_cancelled(&self) -> bool {
        self.built.load(Ordering::Relaxed) >= self.last
    }
}

impl Workbench {
    /// A workbench on a folder without a kustomization, which shows the Board.
    pub(crate) fn board_of_demo(demo: &str, size: (u16, u16)) -> Self {
        Self::of_demo(demo, "", size)
    }

    fn ports(&self) -> Ports {
        Ports {
            files: self.disk.clone(),
            remote: Arc::new(kzui::engine::load::NoRemote),
            programs: Arc::new(NoPrograms),
            clock: Arc::new(NoClock),
            cancel: Arc::new(NoCancel),
            deployments: DeploymentCache::default(),
        }
    }

    /// Builds the open target with other texts.
    pub(super) fn vary(&mut self, request: u64, mut what: WhatIf) -> Result<WhatIfAnswer, String> {
        let Some(last) = self.cancels_after.take() else {
            return kzui::tui::vary(&what, &self.ports(), &self.options);
        };
        let builds =
            Arc::new(CountedBuilds { last, built: AtomicUsize::new(0), all: AtomicUsize::new(0) });
        let counted = builds.clone();
        what.progress = Some(Arc::new(move |done, all| {
            counted.built.store(done, Ordering::Relaxed);
            counted.all.store(all, Ordering::Relaxed);
        }));
        let ports = Ports { cancel: builds.clone(), ..self.ports() };
        let result = kzui::tui::vary(&what, &ports, &self.options);
        let all = builds.all.load(Ordering::Relaxed);
        self.send(Message::Work(request, WorkNews::Progress(last, all)));
        self.keys("ctrl-c");
        result
    }

    /// Finds the edits that give a field a value.
    pub(super) fn find_edits(&self, what: &EditRequest) -> Result<Vec<VerifiedProposal>, String> {
        let compare = |sides, bases| {
            let sides = ComparisonSides::Edit(sides);
            self.compare(&Comparison { sides, most: 0, show_secrets: false, like: None, bases })
        };
        let (root, ports) = (Path::new("/demo"), self.ports());
        kzui::tui::find_edits(what, root, &ports, &self.options, &compare)
    }

    /// The list of the files in memory.
    fn listing(&self) -> Arc<ListedFiles> {
        Arc::new(ListedFiles(self.disk.all_files().into_keys().collect()))
    }

    pub(super) fn board(&mut self, order: BoardOrder) {
        let root = Path::new("/demo");
        let fresh = RepositoryBuilds::new(
            root,
            self.listing(),
            self.options.clone(),
            self.ports(),
            [7; 16],
        );
        let mut builds = self.board.take().filter(|_| order != BoardOrder::Read).unwrap_or(fresh);
        let news = match &order {
            BoardOrder::Fix(found, scope) => Some(BoardNews::Fixed(builds.fix(found, scope))),
            BoardOrder::Read | BoardOrder::Changed(_) => None,
        };
        if let Some(news) = news {
            self.board = Some(builds);
            return self.send(Message::BoardNews(news));
        }
        let (repository, targets) = match order {
            BoardOrder::Read => {
                builds.find().unwrap();
                let repository = builds.read();
                let targets = repository.targets().map(|target| target.folder.clone()).collect();
                (repository, targets)
            }
            BoardOrder::Changed(paths) => builds.changed(&paths),
            BoardOrder::Fix(..) => return,
        };
        let kept = repository.clone();
        self.send(Message::BoardNews(BoardNews::Read(repository, targets.clone())));
        let built = std::sync::Mutex::new(Vec::new());
        builds.build(&targets, &|path, summary| {
            built.lock().unwrap().push((path.to_owned(), summary));
        });
        self.board = Some(builds);
        let mut built = built.into_inner().unwrap();
        built.sort_by(|one, other| one.0.cmp(&other.0));
        self.send(Message::BoardNews(BoardNews::Built(built)));
        let builds = self.board.as_mut().unwrap();
        let managers = builds.with_deployment_objects().objects.to_vec();
        let again = managers.iter().filter(|it| kept.can_build(it));
        let again: Vec<PathBuf> = again.map(LocatedDeploymentObject::target).collect();
        let built = std::sync::Mutex::new(Vec::new());
        builds.build(&again, &|path, summary| {
            built.lock().unwrap().push((path.to_owned(), summary));
        });
        self.send(Message::BoardNews(BoardNews::DeploymentObjects(managers, again)));
        self.send(Message::BoardNews(BoardNews::Built(built.into_inner().unwrap())));
        let report = self.board.as_mut().unwrap().report();
        self.send(Message::BoardNews(BoardNews::Checked(report)));
    }

    pub(super) fn compare(&self, what: &Comparison) -> Result<CompareReport, String> {
        let root = Path::new("/demo");
        let none = |_: &Path| Err("no repository".to_owned());
        let sources = SideSources {
            files: self.disk.clone(),
            current: root.to_owned(),
            opened: None,
            open_draft: None,
            listing: self.listing(),
            indexes: kzui::repository::RepositoryCache::default(),
            commits: &none,
            drafts: &|_| Vec::new(),
            input: &|| Ok(Vec::new()),
        };
        let mut how = CompareSettings {
            ports: &self.ports(),
            before: &self.options,
            after: &self.options,
            answers: FunctionAnswers::default(),
            secrets: if what.show_secrets { Secrets::shown() } else { Secrets::masked([7; 16]) },
            shard: None,
            bases: false,
            every_target: true,
            most: what.most,
            progress: None,
        };
        let tree = |name, changes| disk_tree(name, root, changes, &sources).map(ComparedSide::Tree);
        let (before, after) = match &what.sides {
            ComparisonSides::Draft(changes) => {
                (tree("the files", &[])?, tree("the draft", changes.as_slice())?)
            }
            ComparisonSides::Edit([without, with]) => {
                (tree("without the edit", without)?, tree("with the edit", with)?)
            }
            ComparisonSides::Branch => branch_sides(&sources)?,
            ComparisonSides::Words { before, after, .. } => {
                how.every_target = false;
                parse_sides(before, after.as_deref(), &sources)?
            }
        };
        compare_sides(&before, &after, &how)
    }
}
