//! The program under test in a real terminal. Waits are for text, never for time.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// The time limit for a screen on a loaded machine.
const SCREEN_TIMEOUT: Duration = Duration::from_secs(60);
/// Time without output after which a screen counts as settled.
const SETTLE_TIME: Duration = Duration::from_millis(300);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Keys that are no plain character.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key {
    Enter,
    Escape,
}

impl Key {
    fn bytes(self) -> Vec<u8> {
        match self {
            Self::Enter => vec![b'\r'],
            Self::Escape => vec![0x1b],
        }
    }
}

/// The destination of the program's output.
#[derive(PartialEq, Eq)]
enum Output {
    /// The output is read and shown.
    Read,
    /// The output stays in the buffer of the terminal.
    Unread,
}

/// A terminal with the program in it.
pub(crate) struct Terminal {
    screen: Arc<Mutex<vt100::Parser>>,
    raw: Arc<Mutex<Vec<u8>>>,
    keyboard: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    modes_before: String,
    _home: tempfile::TempDir,
}

impl Terminal {
    /// Starts `kzui` with these arguments in a terminal of this many columns and rows.
    pub(crate) fn start(arguments: &[&Path], columns: u16, rows: u16) -> Self {
        Self::start_with(arguments, columns, rows, &[])
    }

    /// The same as [`Terminal::start`] with environment variables.
    pub(crate) fn start_with(
        arguments: &[&Path],
        columns: u16,
        rows: u16,
        variables: &[(&str, &str)],
    ) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_kzui"));
        command.args(arguments);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        Self::run(command, (columns, rows), variables, Output::Read)
    }

    /// Starts `kzui` in a terminal that accepts no bytes once its buffer is full.
    pub(crate) fn start_with_full_buffer(arguments: &[&Path], columns: u16, rows: u16) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_kzui"));
        command.args(arguments);
        Self::run(command, (columns, rows), &[], Output::Unread)
    }

    /// Starts an interactive shell with job control in a directory.
    pub(crate) fn start_shell(directory: &Path, columns: u16, rows: u16) -> Self {
        let mut command = CommandBuilder::new("bash");
        command.args(["--noprofile", "--norc", "-i"]);
        command.cwd(directory);
        Self::run(command, (columns, rows), &[("PS1", "shell> ")], Output::Read)
    }

    /// Starts a shell without job control, as the leader of its session, on a script.
    pub(crate) fn start_script(directory: &Path, script: &str, columns: u16, rows: u16) -> Self {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script]);
        command.cwd(directory);
        Self::run(command, (columns, rows), &[], Output::Read)
    }

    fn run(
        mut command: CommandBuilder,
        (columns, rows): (u16, u16),
        variables: &[(&str, &str)],
        output: Output,
    ) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let modes_before = modes(pair.master.as_ref());
        let home = tempfile::tempdir().expect("a scratch home");
        command.env("TERM", "xterm-256color");
        command.env("HOME", home.path());
        for name in super::environment::foreign_variables() {
            command.env_remove(name);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let parser = vt100::Parser::new(
            NonZeroU16::new(rows).expect("rows"),
            NonZeroU16::new(columns).expect("columns"),
            0,
        );
        let screen = Arc::new(Mutex::new(parser));
        let raw = Arc::new(Mutex::new(Vec::new()));
        let reader = pair.master.try_clone_reader().expect("the terminal's output");
        if output == Output::Read {
            listen(reader, screen.clone(), raw.clone());
        }
        let keyboard = pair.master.take_writer().expect("the terminal's input");
        Self { screen, raw, keyboard, master: pair.master, child, modes_before, _home: home }
    }

    /// Types text literally.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.send(text.as_bytes());
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: Key) {
        self.send(&key.bytes());
    }

    fn send(&mut self, bytes: &[u8]) {
        self.keyboard.write_all(bytes).expect("the terminal takes keys");
        self.keyboard.flush().expect("the terminal takes keys");
    }

    /// The text on the screen, one line per row.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen meets a condition.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let text = self.text();
            if wanted(&text) {
                return text;
            }
            let ended = self.child.try_wait().expect("the program's state");
            let gone = ended.is_some() && start.elapsed() > Duration::from_millis(300);
            let patient = !gone && start.elapsed() < SCREEN_TIMEOUT;
            assert!(patient, "waited for {what}; ended: {ended:?}; the screen:\n{text}");
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// The screen after the last output and the end of all builds. A key without an effect draws
    /// nothing, so that this cannot wait for a text: it waits until the screen has been the same
    /// for a while.
    pub(crate) fn wait_until_settled(&mut self) -> String {
        let start = Instant::now();
        let (mut last, mut since) = (self.raw.lock().unwrap().len(), Instant::now());
        loop {
            std::thread::sleep(POLL_INTERVAL);
            let now = self.raw.lock().unwrap().len();
            if now != last {
                (last, since) = (now, Instant::now());
            }
            let text = self.text();
            if since.elapsed() > SETTLE_TIME && !text.contains("building ") {
                return text;
            }
            assert!(
                start.elapsed() < SCREEN_TIMEOUT,
                "it does not come to rest; the screen:\n{text}"
            );
        }
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub(crate) fn wait_for_text(&mut self, text: &str) -> String {
        self.wait_for(text, |screen| screen.contains(text))
    }

    /// Waits until a text is no longer on the screen.
    #[track_caller]
    pub(crate) fn wait_until_gone(&mut self, text: &str) -> String {
        self.wait_for(&format!("{text:?} to go"), |screen| !screen.contains(text))
    }

    /// Waits for a condition outside the terminal, a file for example.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, what: &str, so: impl Fn() -> bool) {
        self.wait_for(what, |_| so());
    }

    /// Changes the size of the terminal.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let (height, width) = (NonZeroU16::new(rows), NonZeroU16::new(columns));
        self.screen
            .lock()
            .unwrap()
            .screen_mut()
            .set_size(height.expect("rows"), width.expect("columns"));
        self.master.resize(size).expect("a new size");
    }

    /// Sends a signal by its name without `SIG`.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.process_id().expect("it runs").to_string();
        let sent = std::process::Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.expect("kill").success());
    }

    /// Stops the program as a shell does, and waits until it is stopped: a continue signal before
    /// that would be lost.
    #[track_caller]
    pub(crate) fn stop(&mut self) {
        self.signal("TSTP");
        let start = Instant::now();
        while !self.is_stopped() {
            assert!(
                start.elapsed() < SCREEN_TIMEOUT,
                "it does not stop; the screen:\n{}",
                self.text()
            );
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Lets the program go on whenever it is stopped, until a text is on the screen.
    #[track_caller]
    pub(crate) fn wait_awake_for(&mut self, text: &str) {
        let start = Instant::now();
        while !self.text().contains(text) {
            if self.is_stopped() {
                self.signal("CONT");
            }
            assert!(
                start.elapsed() < SCREEN_TIMEOUT,
                "waited for {text}; the screen:\n{}",
                self.text()
            );
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    fn is_stopped(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let id = self.child.process_id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        let options = WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        waitid(WaitId::Pid(id.expect("it runs")), options).expect("its state").is_some()
    }

    /// Waits for the end of the program.
    #[track_caller]
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the program's state") {
                return status;
            }
            assert!(
                start.elapsed() < SCREEN_TIMEOUT,
                "it does not end; the screen:\n{}",
                self.text()
            );
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Sends a signal and returns how long the program took to end.
    #[track_caller]
    pub(crate) fn end_with_signal(&mut self, signal: &str) -> Duration {
        self.signal(signal);
        let sent = Instant::now();
        while self.child.try_wait().expect("the program's state").is_none() {
            assert!(
                sent.elapsed() < SCREEN_TIMEOUT,
                "it does not end; the screen:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        sent.elapsed()
    }

    /// Waits until the program has set the terminal to raw mode.
    #[track_caller]
    pub(crate) fn wait_until_raw(&mut self) {
        let start = Instant::now();
        while modes(self.master.as_ref()) == self.modes_before {
            assert!(start.elapsed() < SCREEN_TIMEOUT, "it does not take the terminal");
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Asserts that the modes of the terminal are those before the start of the program.
    #[track_caller]
    pub(crate) fn assert_modes_restored(&self) {
        assert_eq!(modes(self.master.as_ref()), self.modes_before, "the line discipline differs");
    }

    /// Asserts that the terminal is in its state before the start of the program.
    #[track_caller]
    pub(crate) fn assert_restored(&mut self) {
        self.drain();
        let screen = self.screen.lock().unwrap();
        let screen = screen.screen();
        assert!(!screen.alternate_screen(), "still on the alternate screen");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "bracketed paste is on");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "mouse is on");
        self.assert_modes_restored();
    }

    /// The last output of the program, escapes included.
    pub(crate) fn last_bytes(&mut self) -> String {
        self.drain();
        String::from_utf8_lossy(&self.raw.lock().unwrap()).into_owned()
    }

    /// Waits until no more output arrives, since the reader may lag after the end of the program.
    fn drain(&mut self) {
        let mut seen = usize::MAX;
        for _ in 0..200 {
            let now = self.raw.lock().unwrap().len();
            if now == seen {
                return;
            }
            seen = now;
            std::thread::sleep(POLL_INTERVAL * 10);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a thread that adds the output of the program to the screen.
fn listen(
    mut reader: Box<dyn Read + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    raw: Arc<Mutex<Vec<u8>>>,
) {
    std::thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = reader.read(&mut buffer) {
            let Some(bytes) = buffer.get(..count) else { break };
            screen.lock().unwrap().process(bytes);
            raw.lock().unwrap().extend_from_slice(bytes);
        }
    });
}

/// The modes of a terminal as text.
fn modes(master: &dyn MasterPty) -> String {
    master.get_termios().map_or_else(String::new, |modes| {
        format!("{:?} {:?} {:?}", modes.input_flags, modes.output_flags, modes.local_flags)
    })
}
