//! The terminal: set up, and restored in all cases.

use std::io::{self, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use crossbeam_channel::bounded;
use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::execute;
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;

use super::super::message::ClickArea;
use super::super::model::Model;
use super::super::view::view;

/// Time limit at a forced end: for a terminal write in progress, and for the final write that
/// restores the terminal.
const MAX_WRITE_DURATION: Duration = Duration::from_millis(20);
/// The query for the background colour (OSC 11).
const BACKGROUND_QUERY: &str = "\u{1b}]11;?\u{1b}\\";

/// Standard output as a writer, which holds the lock of the loan during each write.
pub(super) struct Output(Arc<TerminalLoan>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _writing = self.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
        stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let _writing = self.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
        stdout().flush()
    }
}

/// The loan of the terminal to another program, such as an editor or the shell, and the locks for
/// reading and writing.
#[derive(Default)]
pub(super) struct TerminalLoan {
    is_away: AtomicBool,
    reading: Mutex<()>,
    /// Locked for each write, and forever by a forced end, so that no text is written after it.
    writing: Mutex<()>,
}

impl TerminalLoan {
    pub(super) fn is_lent(&self) -> bool {
        self.is_away.load(Ordering::SeqCst)
    }

    /// Runs `read` unless the terminal is lent; lending blocks until `read` ends.
    pub(super) fn unless_lent(&self, read: impl FnOnce()) {
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_lent() {
            read();
        }
    }

    fn begin(&self) {
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_away.store(true, Ordering::SeqCst);
    }

    fn end(&self) {
        self.is_away.store(false, Ordering::SeqCst);
    }
}

/// The terminal of the workbench; restored on drop.
pub(super) struct TerminalScreen {
    terminal: Terminal<CrosstermBackend<io::BufWriter<Output>>>,
    lent: Arc<TerminalLoan>,
    /// The areas of the last frame that answer a click.
    pub(super) clicks: Vec<ClickArea>,
}

impl TerminalScreen {
    pub(super) fn enter(has_mouse: bool, lent: Arc<TerminalLoan>) -> io::Result<Self> {
        take(has_mouse, &lent)?;
        let output = io::BufWriter::with_capacity(1 << 16, Output(lent.clone()));
        let terminal = Terminal::new(CrosstermBackend::new(output))
            .inspect_err(|_| restore_terminal(&lent))?;
        Ok(Self { terminal, lent, clicks: Vec::new() })
    }

    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        self.clicks.clear();
        crossterm::queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            // The terminal may have shrunk since: the resize event is pending, and the next frame
            // fits.
            if (frame.area().width, frame.area().height) == model.look.size {
                self.clicks = view(model, frame);
            }
        })?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        Ok(())
    }

    /// Invalidates the screen, so that the next frame is drawn completely. Sends no query to the
    /// terminal, because the thread that reads keys would receive the reply.
    pub(super) fn invalidate(&mut self) -> io::Result<()> {
        let (columns, rows) = self.size()?;
        self.terminal.resize(Rect::new(0, 0, columns, rows))
    }

    /// Sets up the terminal again after a signal stopped the process and the shell changed the
    /// terminal modes.
    pub(super) fn retake(&mut self, has_mouse: bool) -> io::Result<()> {
        // Otherwise the raw mode would not be set again.
        let _ = disable_raw_mode();
        take(has_mouse, &self.lent)?;
        self.invalidate()
    }

    /// Restores the terminal for `work` and sets it up again.
    pub(super) fn lend<R>(&mut self, has_mouse: bool, work: impl FnOnce() -> R) -> io::Result<R> {
        self.lent.begin();
        restore_terminal(&self.lent);
        let result = work();
        self.lent.end();
        take(has_mouse, &self.lent)?;
        self.invalidate()?;
        Ok(result)
    }

    pub(super) fn ask_background(&self) -> io::Result<()> {
        let mut output = self.output();
        output.write_all(BACKGROUND_QUERY.as_bytes())?;
        output.flush()
    }

    pub(super) fn capture(&self, captures: bool) -> io::Result<()> {
        if captures {
            execute!(self.output(), EnableMouseCapture)
        } else {
            execute!(self.output(), DisableMouseCapture)
        }
    }

    pub(super) fn output(&self) -> Output {
        Output(self.lent.clone())
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        // Flush first: after a panic, the rest of a frame would otherwise be written over the
        // restored screen.
        let _ = self.terminal.backend_mut().flush();
        restore_terminal(&self.lent);
    }
}

fn take(has_mouse: bool, lent: &Arc<TerminalLoan>) -> io::Result<()> {
    {
        let _writing = lent.writing.lock().unwrap_or_else(PoisonError::into_inner);
        enable_raw_mode()?;
    }
    let mut output = Output(lent.clone());
    execute!(output, EnterAlternateScreen, EnableBracketedPaste)
        .inspect_err(|_| restore_terminal(lent))?;
    if has_mouse {
        execute!(output, EnableMouseCapture).inspect_err(|_| restore_terminal(lent))?;
    }
    Ok(())
}

/// Restores the terminal. Idempotent; errors are ignored because the terminal is left anyway.
pub(super) fn restore_terminal(lent: &TerminalLoan) {
    let _writing = lock_writing(lent);
    leave_screen();
    let _ = disable_raw_mode();
}

/// Restores the terminal at the end of this process. Waits neither for a busy loop nor for a
/// terminal that accepts no bytes; no other write can follow.
pub(super) fn restore_terminal_at_exit(lent: &TerminalLoan) {
    std::mem::forget(lock_writing(lent));
    let (done, end) = bounded(1);
    let leave = move || {
        leave_screen();
        // The receiver may have stopped waiting.
        let _ = done.send(());
    };
    if std::thread::Builder::new().spawn(leave).is_ok() {
        let _ = end.recv_timeout(MAX_WRITE_DURATION);
    }
    let _ = disable_raw_mode();
}

/// The lock for writing to the terminal; `None` if a running write does not end.
fn lock_writing(lent: &TerminalLoan) -> Option<MutexGuard<'_, ()>> {
    const RETRY_PAUSE: Duration = Duration::from_millis(1);
    let begun = std::time::Instant::now();
    loop {
        match lent.writing.try_lock() {
            Ok(writing) => return Some(writing),
            Err(TryLockError::Poisoned(writing)) => return Some(writing.into_inner()),
            Err(TryLockError::WouldBlock) if begun.elapsed() > MAX_WRITE_DURATION => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(RETRY_PAUSE),
        }
    }
}

/// Leaves the alternate screen and releases mouse and paste mode. Errors are ignored.
fn leave_screen() {
    let _ = execute!(
        stdout(),
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
}

/// Prefix of the names of the threads whose panic ends the workbench.
const HELPER_THREAD_PREFIX: &str = "workbench ";

/// Starts a thread whose panic ends the workbench. If it cannot start, its messages are missing.
pub(super) fn spawn_helper_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(format!("{HELPER_THREAD_PREFIX}{name}"));
    let _ = thread.spawn(work);
}

/// Installs a hook that restores the terminal before a panic is printed, and then ends the
/// workbench. Panics of build threads and their helpers are excluded if they can be caught: their
/// callers report them on the screen. In the shipping profile every panic ends the program.
pub(super) fn hook_panics(lent: Arc<TerminalLoan>) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        let is_main = thread.name() == Some("main");
        let is_helper = thread.name().is_some_and(|name| name.starts_with(HELPER_THREAD_PREFIX));
        if !is_main && !is_helper && cfg!(panic = "unwind") {
            return;
        }
        restore_terminal(&lent);
        before(panic);
        #[cfg(unix)]
        if !is_main {
            signal_hook::low_level::exit(101);
        }
    }));
}
