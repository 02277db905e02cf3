//! The terminal: taken, given back, whatever happens.

use std::io::{self, Write as _, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

use super::super::message::Mouse;
use super::super::model::Model;
use super::super::view::view;

/// The terminal while it is the workbench's. Dropping it gives the terminal back.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<io::BufWriter<io::Stdout>>>,
    lent: Arc<AtomicBool>,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn enter(mouse: Mouse) -> io::Result<Self> {
        take(mouse)?;
        let backend = CrosstermBackend::new(io::BufWriter::with_capacity(1 << 16, stdout()));
        let terminal = Terminal::new(backend).inspect_err(|_| give_back())?;
        Ok(Self { terminal, lent: Arc::default() })
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Draws, all of it between the marks of a synchronized update.
    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        crossterm::queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            // The terminal may have shrunk since: the news of that is on its way, and the next frame fits.
            if (frame.area().width, frame.area().height) == model.look.size {
                view(model, frame);
            }
        })?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        Ok(())
    }

    /// Forgets what is on the screen, so that the next drawing draws all of it. Asks the terminal nothing: the
    /// answer would be read by the thread that waits for keys.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        let (columns, rows) = self.size()?;
        self.terminal.resize(Rect::new(0, 0, columns, rows))
    }

    /// True while the terminal is given away.
    pub(super) fn is_lent(&self) -> Arc<AtomicBool> {
        self.lent.clone()
    }

    /// Takes the terminal again after somebody else had it: the process was stopped from outside, and the shell has set
    /// it up for itself since.
    pub(super) fn retake(&mut self, mouse: Mouse) -> io::Result<()> {
        // Only then is the raw mode set again.
        let _ = disable_raw_mode();
        take(mouse)?;
        self.forget()
    }

    /// Gives the terminal away for `work` and takes it again.
    pub(super) fn lend<R>(&mut self, mouse: Mouse, work: impl FnOnce() -> R) -> io::Result<R> {
        give_back();
        self.lent.store(true, Ordering::SeqCst);
        let result = work();
        self.lent.store(false, Ordering::SeqCst);
        take(mouse)?;
        self.forget()?;
        Ok(result)
    }

    /// Asks for the colour of the background; the answer comes among the keys.
    pub(super) fn ask_background() -> io::Result<()> {
        let mut out = stdout();
        out.write_all(super::background::QUESTION.as_bytes())?;
        out.flush()
    }

    /// Captures the mouse or lets it go.
    pub(super) fn capture(mouse: Mouse) -> io::Result<()> {
        match mouse {
            Mouse::On => execute!(stdout(), EnableMouseCapture),
            Mouse::Off => execute!(stdout(), DisableMouseCapture),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take(mouse: Mouse) -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste).inspect_err(|_| give_back())?;
    if mouse == Mouse::On {
        execute!(stdout(), EnableMouseCapture).inspect_err(|_| give_back())?;
    }
    Ok(())
}

/// Gives the terminal back as it was. Done twice it does no harm, and what fails cannot be helped any more.
pub(super) fn give_back() {
    let _ = execute!(
        stdout(),
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}

/// Begins the names of the threads without which the workbench cannot go on.
const HELPER: &str = "workbench ";

/// Starts a thread without which the workbench cannot go on.
pub(super) fn helper(name: &str, work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(format!("{HELPER}{name}"));
    // Where no thread can be had, what it would have told is not told.
    let _ = thread.spawn(work);
}

/// Gives the terminal back before a panic is told, and ends the workbench with it. What builds, and the threads that help it,
/// are caught where they were asked: that is told on the screen, which stays.
pub(super) fn hook_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        let is_main = thread.name() == Some("main");
        if !is_main && !thread.name().is_some_and(|name| name.starts_with(HELPER)) {
            return;
        }
        give_back();
        before(panic);
        #[cfg(unix)]
        if !is_main {
            signal_hook::low_level::exit(101);
        }
    }));
}
