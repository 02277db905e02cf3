//! Programs of which the user sees the running function. In the workbench, only requested functions
//! run.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use kzui::engine::plugin::{Program, ProgramError, ProgramResult, Programs};
use kzui::host;
use kzui::tui::{RequestedRuns, RunningFunction};

/// The function that the newest build is running, for the screen.
#[derive(Clone, Default)]
pub(super) struct RunProgress(Arc<Mutex<RunState>>);

#[derive(Default)]
struct RunState {
    started: usize,
    current: Option<(String, Instant)>,
}

impl RunProgress {
    /// The port of a build. Without a request, it finds programs but does not run them.
    pub(super) fn programs(&self, runs: RequestedRuns) -> Arc<dyn Programs> {
        if runs == RequestedRuns::None {
            return Arc::new(host::ProgramLookup);
        }
        *self.state() = RunState::default();
        Arc::new(RequestedPrograms {
            runs,
            processes: host::Processes::default(),
            progress: self.clone(),
        })
    }

    pub(super) fn function(&self) -> Option<RunningFunction> {
        let state = self.state();
        let (name, since) = state.current.as_ref()?;
        let (name, number) = (name.clone(), state.started);
        Some(RunningFunction { name, number, elapsed: since.elapsed() })
    }

    fn state(&self) -> std::sync::MutexGuard<'_, RunState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the requested functions, and refuses to run the others.
struct RequestedPrograms {
    runs: RequestedRuns,
    processes: host::Processes,
    progress: RunProgress,
}

impl Programs for RequestedPrograms {
    fn run(
        &self,
        program: &Program,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        let name = program.function.as_ref().unwrap_or(&program.command);
        if !self.runs.includes(name) && !program.is_engine_check() {
            return host::ProgramLookup.run(program, is_cancelled);
        }
        if let Some(function) = &program.function {
            let mut state = self.progress.state();
            state.started += 1;
            state.current = Some((function.clone(), Instant::now()));
        }
        let result = self.processes.run(program, is_cancelled);
        if program.function.is_some() {
            self.progress.state().current = None;
        }
        result
    }

    fn inner(&self) -> Option<&dyn Programs> {
        Some(&self.processes)
    }
}

/// Reports the running function: a line at its start, and one at its end.
pub(super) struct ReportedPrograms<T> {
    programs: Arc<dyn Programs>,
    tell: T,
    started: AtomicUsize,
}

impl<T: Fn(&str) + Send + Sync> ReportedPrograms<T> {
    pub(super) fn new(programs: Arc<dyn Programs>, tell: T) -> Self {
        Self { programs, tell, started: AtomicUsize::new(0) }
    }
}

impl<T: Fn(&str) + Send + Sync> Programs for ReportedPrograms<T> {
    fn run(
        &self,
        program: &Program,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        let Some(function) = &program.function else {
            return self.programs.run(program, is_cancelled);
        };
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
        (self.tell)(&format!("[{function}] running, function {number} of this build"));
        let since = Instant::now();
        let result = self.programs.run(program, is_cancelled);
        let word = match &result {
            Ok(ended) if ended.status == Some(0) => "done",
            _ => "failed",
        };
        (self.tell)(&format!("[{function}] {word} after {:.1}s", since.elapsed().as_secs_f32()));
        result
    }

    fn inner(&self) -> Option<&dyn Programs> {
        Some(&*self.programs)
    }
}
