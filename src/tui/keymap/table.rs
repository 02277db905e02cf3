//! The table itself.

use crate::screen::Screen;

/// Everything that a key or the palette can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Command {
    /// Moves down.
    Down,
    /// Moves up.
    Up,
    /// To the first row.
    Top,
    /// To the last row.
    Bottom,
    /// Half a page down.
    HalfPageDown,
    /// Half a page up.
    HalfPageUp,
    /// Opens what is selected.
    Open,
    /// Back out of what is open.
    Back,
    /// To the next pane.
    NextPane,
    /// To the previous pane.
    PreviousPane,
    /// Shows a screen.
    Show(Screen),
    /// One step on in time.
    StepForward,
    /// One step back in time.
    StepBack,
    /// To the next step that changed something.
    NextEffective,
    /// To the previous one.
    PreviousEffective,
    /// To the first step.
    FirstStep,
    /// To the last step.
    LastStep,
    /// To the next change of the diff.
    NextChange,
    /// To the previous one.
    PreviousChange,
    /// To the next resource.
    NextResource,
    /// To the previous one.
    PreviousResource,
    /// To the next problem.
    NextProblem,
    /// To the previous one.
    PreviousProblem,
    /// Watches the field under the cursor.
    Watch,
    /// To the step that wrote the field under the cursor.
    GoToWriter,
    /// Marks the screen and the step under a letter.
    Mark,
    /// To a mark.
    ToMark,
    /// Back to where the last jump began.
    JumpBack,
    /// Forward again.
    JumpForward,
    /// Switches what is selected off or on.
    Toggle,
    /// Moves an entry down in its list.
    MoveDown,
    /// Moves an entry up in its list.
    MoveUp,
    /// Adds an override, or edits it.
    Override,
    /// Asks whether to trust a catalog.
    Trust,
    /// Takes trust back.
    Revoke,
    /// Asks whether to fetch what is not at hand.
    Fetch,
    /// Looks at a catalog that is given by hand.
    AddCatalog,
    /// Builds like another Kustomize.
    Like,
    /// Does the fix of the selected problem in the draft.
    Fix,
    /// Takes the last edit back.
    Undo,
    /// Does it again.
    Redo,
    /// Shows the draft against the files and asks.
    Write,
    /// Throws the draft away.
    Discard,
    /// The writes of the past.
    Log,
    /// The drafts that are kept, or the one with a name.
    Drafts,
    /// Gives the draft another name.
    RenameDraft,
    /// Goes on with a copy of the draft under another name.
    CopyDraft,
    /// Deletes a draft.
    DeleteDraft,
    /// Opens the user's editor.
    Edit,
    /// Opens the small editor inside.
    EditHere,
    /// Explains the selected problem, field, resource or step.
    Why,
    /// Copies something.
    Yank,
    /// Searches in the pane.
    Search,
    /// To the next match.
    NextMatch,
    /// To the previous match.
    PreviousMatch,
    /// Opens the palette.
    Palette,
    /// Opens the help.
    Help,
    /// Begins the tour, or leaves it.
    Tour,
    /// To the next stop of the tour.
    NextStop,
    /// Only steps that changed something.
    EffectiveOnly,
    /// Only steps that touched the selected resource.
    OnlyResource,
    /// Only steps of the layer of this step.
    OnlyLayer,
    /// What the diff compares.
    Compare,
    /// One below the other, or side by side.
    SplitDiff,
    /// More lines around changes.
    MoreContext,
    /// Fewer.
    LessContext,
    /// Shows what stands further right.
    ScrollRight,
    /// Back to the left.
    ScrollLeft,
    /// Folds long lines, or cuts them.
    Wrap,
    /// The pane alone, or all of them.
    Zoom,
    /// The next theme.
    NextTheme,
    /// Captures the mouse or lets it go.
    ToggleMouse,
    /// Reads the files again and builds.
    Rebuild,
    /// Runs the selected function again.
    RunAgain,
    /// Searches all fields of all steps.
    Find,
    /// Shows the values of Secrets, or masks them.
    ShowSecrets,
    /// Lists the targets of the Board in another order.
    Sort,
    /// Lists bases on the Board too.
    WithBases,
    /// What the branch changes in each target.
    Branch,
    /// Shows who uses the selected target, or the one that is open.
    Users,
    /// Compares two sides.
    CompareSides,
    /// What the draft changes in every target.
    DraftEverywhere,
    /// Lists differences by cause, by target or by resource.
    GroupBy,
    /// Lists only what is dangerous.
    OnlyDangers,
    /// Draws everything again.
    Redraw,
    /// Cancels what runs.
    Cancel,
    /// Suspends the process.
    Suspend,
    /// Shows the draft against the files, asks, writes and quits.
    WriteQuit,
    /// Quits, if nothing would be lost.
    Quit,
    /// Quits and throws the draft away.
    QuitAnyway,
}

/// Commands that belong together in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Rows, panes, screens.
    Move,
    /// The cursor in time.
    Time,
    /// Toggles, moves, writes.
    Draft,
    /// Search, jumps, palette.
    Find,
    /// How things are shown.
    Show,
    /// The program.
    Program,
}

impl Binding {
    /// What it is called in the palette beside its name in words: its name, and those of its keys that begin with a
    /// colon.
    pub(crate) fn names<'k>(&self, keys: impl Iterator<Item = &'k str>) -> Vec<String> {
        let typed = keys.filter_map(|key| key.strip_prefix(':'));
        let typed = typed.filter(|name| !name.is_empty()).map(str::to_owned);
        [self.name.to_owned()].into_iter().chain(typed).collect()
    }
}

impl Group {
    /// The groups in the order of the help, with their titles.
    pub(crate) const ALL: [(Self, &'static str); 6] = [
        (Self::Move, "Move"),
        (Self::Time, "Time"),
        (Self::Draft, "Draft"),
        (Self::Find, "Find"),
        (Self::Show, "Show"),
        (Self::Program, "Program"),
    ];
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Binding {
    /// What it does.
    pub command: Command,
    /// Its name in the config file and the palette.
    pub name: &'static str,
    /// Its keys; the first is the one that is shown.
    pub keys: &'static [&'static str],
    /// One word for the hints; empty for no hint.
    pub hint: &'static str,
    /// What it does, for help and palette.
    pub words: &'static str,
    /// Where it belongs.
    pub group: Group,
    /// The screens on which it is hinted at.
    pub screens: &'static [Screen],
}

const fn row(
    command: Command,
    name: &'static str,
    keys: &'static [&'static str],
    hint: &'static str,
    words: &'static str,
    group: Group,
    screens: &'static [Screen],
) -> Binding {
    Binding { command, name, keys, hint, words, group, screens }
}

use Command as C;
use Group as G;
use Screen::{
    Board, Catalogs, Combinations, Compared, Components, Composition, Diff, Found, Functions,
    Order, Problems, Resource, Steps, Tree,
};

const ALL: &[Screen] = &Screen::ALL;
const NONE: &[Screen] = &[];
const DRAFT: &[Screen] = &[Tree, Components, Composition, Order, Combinations];

/// The table. Hints are shown in its order.
#[rustfmt::skip]
pub(in crate) static BINDINGS: &[Binding] = &[
    row(C::Open, "open", &["enter", "l", "right"], "open", "open what is selected", G::Move, &[Tree, Steps, Diff, Resource, Catalogs, Functions, Problems, Board, Found]),
    row(C::Toggle, "toggle", &["space"], "toggle", "switch an entry off or on in the draft; on the screens of order and of combinations, take the selected one as the draft", G::Draft, DRAFT),
    row(C::MoveDown, "move-down", &["J", "alt-down"], "move", "move an entry down in its list", G::Draft, &[Tree, Components, Composition]),
    row(C::MoveUp, "move-up", &["K", "alt-up"], "", "move an entry up in its list", G::Draft, NONE),
    row(C::Override, "override", &["o"], "override", "override an imported entry, or edit an own one: a form of its schema, else as text", G::Draft, &[Composition]),
    row(C::Trust, "trust", &["T"], "trust", "decide whether to trust the selected catalog", G::Draft, &[Catalogs]),
    row(C::Revoke, "revoke", &["U"], "revoke", "trust the selected catalog no more", G::Draft, &[Catalogs]),
    row(C::Fetch, "fetch", &["F", ":fetch"], "fetch", "fetch the selected catalog, or what the build waits for: it is named first, and asked", G::Draft, &[Catalogs, Functions, Problems]),
    row(C::AddCatalog, "catalog", &[":catalog"], "", "`:catalog REF` looks at a catalog: a file, a directory, an OCI layout or a URL", G::Find, NONE),
    row(C::Like, "like", &[":like"], "", "`:like NAME` builds like another Kustomize (v5.6.0, argocd-3.1) and shows what that changes", G::Program, NONE),
    row(C::Rebuild, "rebuild", &["R"], "run again", "read the files again and build; on the Functions screen, run the selected one again", G::Program, &[Functions]),
    row(C::StepForward, "step-forward", &[")"], "step on", "one step on in time", G::Time, &[Steps, Diff, Resource]),
    row(C::StepBack, "step-back", &["("], "step back", "one step back in time", G::Time, &[Steps, Diff, Resource]),
    row(C::NextEffective, "next-effective", &["c"], "next effect", "to the next step that changed something, or that writes the watched field", G::Time, &[Steps]),
    row(C::PreviousEffective, "previous-effective", &["C"], "", "to the previous one", G::Time, NONE),
    row(C::FirstStep, "first-step", &["<"], "", "to the first step", G::Time, NONE),
    row(C::LastStep, "last-step", &[">"], "", "to the last step", G::Time, NONE),
    row(C::EffectiveOnly, "effective-only", &["x"], "effective only", "only steps that changed something, or all", G::Time, &[Steps]),
    row(C::OnlyResource, "only-resource", &["r"], "this resource", "only steps that touched the selected resource, or all", G::Time, &[Steps, Resource]),
    row(C::OnlyLayer, "only-layer", &["L"], "this layer", "only steps of the layer of this step, or all", G::Time, &[Steps]),
    row(C::Compare, "compare", &["d"], "compare", "the step, the output of the draft, or the files of the draft; on the Board: the draft in the selected target", G::Show, &[Diff, Board]),
    row(C::Find, "find", &["ctrl-f", ":find"], "", "`:find PATTERN` looks in all values and paths of fields, at every step, in what is gone too", G::Find, NONE),
    row(C::ShowSecrets, "show-secrets", &["V", ":secrets"], "", "show the values of Secrets, or mask them: equal marks are equal values", G::Show, NONE),
    row(C::Sort, "sort", &["S", ":sort"], "sort", "targets by folder, by state, by objects, by what the draft or the branch changes", G::Show, &[Board]),
    row(C::WithBases, "with-bases", &["B", ":bases"], "bases", "list bases on the Board too, or only targets that no other target uses", G::Show, &[Board]),
    row(C::Users, "users", &["u", ":users"], "who uses it", "who uses the selected target, or the one that is open, and what it uses", G::Find, &[Board]),
    row(C::Branch, "branch", &["b", ":branch"], "branch", "what the branch changes in each target, against the commit at which it left the default branch; again: by which edits", G::Show, &[Board]),
    row(C::GroupBy, "group-by", &["t"], "by cause, target, resource", "list differences by cause, by target or by resource", G::Show, &[Compared]),
    row(C::OnlyDangers, "only-dangers", &["X"], "only dangers", "list only what is dangerous, or everything", G::Show, &[Compared]),
    row(C::CompareSides, "compare-sides", &[":compare"], "", "`:compare A B` builds two sides and tells what differs, and why", G::Find, NONE),
    row(C::DraftEverywhere, "draft-everywhere", &["D", ":reach"], "", "what the draft changes in every target that it reaches", G::Draft, NONE),
    row(C::SplitDiff, "split-diff", &["s"], "split", "diff side by side or unified", G::Show, &[Diff]),
    row(C::MoreContext, "more-context", &["}"], "context", "more lines around changes", G::Show, &[Diff]),
    row(C::LessContext, "less-context", &["{"], "", "fewer lines around changes", G::Show, NONE),
    row(C::NextChange, "next-change", &["]c"], "change", "to the next change in the diff", G::Find, &[Diff]),
    row(C::PreviousChange, "previous-change", &["[c"], "", "to the previous change in the diff", G::Find, NONE),
    row(C::NextResource, "next-resource", &["]r"], "resource", "to the next resource; a diff shows all of them, one after the other", G::Find, &[Diff, Resource]),
    row(C::PreviousResource, "previous-resource", &["[r"], "", "to the previous resource", G::Find, NONE),
    row(C::GoToWriter, "go-to-writer", &["gw"], "writer", "to the step that wrote the field under the cursor", G::Find, &[Resource]),
    row(C::Watch, "watch", &["v", ":watch"], "", "watch the field under the cursor, or none any more: c and C go to the steps that write it; `:watch Deployment/web spec.replicas`", G::Time, NONE),
    row(C::Drafts, "draft", &[":draft", ":drafts"], "", "the drafts that are kept, with what each changes: go to one, compare two, delete one; `:draft NAME` goes to the one with that name, a new one if there is none, `:draft -` to the one without a name", G::Draft, NONE),
    row(C::RenameDraft, "draft-rename", &[":draft-rename"], "", "`:draft-rename NAME` gives the draft that name", G::Draft, NONE),
    row(C::CopyDraft, "draft-copy", &[":draft-copy"], "", "`:draft-copy NAME` goes on with a copy of the draft under that name; the draft stays as it is", G::Draft, NONE),
    row(C::DeleteDraft, "draft-delete", &[":draft-delete"], "", "`:draft-delete NAME` deletes a draft with all its edits", G::Draft, NONE),
    row(C::Edit, "edit", &["e", ":e"], "edit", "open $EDITOR at the line", G::Draft, &[Tree, Steps, Resource, Problems, Components, Composition, Catalogs, Functions]),
    row(C::EditHere, "edit-here", &["E", "ctrl-e"], "", "edit the file here, with the diff updating as you type", G::Draft, NONE),
    row(C::Why, "why", &["w"], "why", "why: of the selected problem, field, resource or step", G::Find, &[Tree, Steps, Resource]),
    row(C::Fix, "fix", &["f", ":fix"], "fix", "do the fix of the selected problem in the draft: it was tried, and is shown with the problem", G::Draft, &[Problems]),
    row(C::Undo, "undo", &["z"], "undo", "take the last edit back", G::Draft, DRAFT),
    row(C::Redo, "redo", &["Z"], "", "do the last undone edit again", G::Draft, NONE),
    row(C::Write, "write", &[":w"], "write", "show the draft against the files, ask, and write", G::Draft, DRAFT),
    row(C::WriteQuit, "write-quit", &[":wq", ":x"], "", "the same, and quit once it is written", G::Draft, NONE),
    row(C::Discard, "discard", &[":discard"], "", "throw the draft away", G::Draft, NONE),
    row(C::Log, "log", &[":log"], "", "what was written when, to which files; any of it can be taken back", G::Draft, NONE),
    row(C::Search, "search", &["/"], "search", "search in this pane", G::Find, &[Tree, Steps, Resource, Catalogs, Problems, Board]),
    row(C::NextMatch, "next-match", &["n"], "", "to the next match; in a diff in which nothing was searched, to the next change", G::Find, NONE),
    row(C::PreviousMatch, "previous-match", &["N"], "", "to the previous match", G::Find, NONE),
    row(C::Yank, "yank", &["y"], "copy", "copy what is selected: a value, a place, a resource, a flag for CI, a command", G::Find, &[Resource, Diff, Catalogs, Functions]),
    row(C::Palette, "palette", &[":", "ctrl-p"], "palette", "find any command, step, resource, or problem", G::Find, ALL),
    row(C::Help, "help", &["?"], "help", "every key", G::Program, ALL),
    row(C::Tour, "tour", &[":tour"], "", "begin a tour of ten stops, or leave it", G::Program, NONE),
    row(C::NextStop, "next-stop", &["ctrl-t"], "", "to the next stop of the tour", G::Program, NONE),
    row(C::Quit, "quit", &["q", ":q"], "quit", "back out, then quit", G::Program, ALL),
    row(C::QuitAnyway, "quit-anyway", &[":q!"], "", "quit and throw the draft away", G::Program, NONE),
    row(C::Down, "down", &["j", "down"], "", "down; with a count (alt-1 2 j), that many rows", G::Move, NONE),
    row(C::Up, "up", &["k", "up"], "", "up", G::Move, NONE),
    row(C::Top, "top", &["gg", "home"], "", "to the first row; with a count, to that row", G::Move, NONE),
    row(C::Bottom, "bottom", &["G", "end"], "", "to the last row; with a count, to that row", G::Move, NONE),
    row(C::HalfPageDown, "half-page-down", &["ctrl-d", "pagedown"], "", "half a page down", G::Move, NONE),
    row(C::HalfPageUp, "half-page-up", &["ctrl-u", "pageup"], "", "half a page up", G::Move, NONE),
    row(C::Back, "back", &["esc", "h", "left"], "", "back out of what is open", G::Move, NONE),
    row(C::NextPane, "next-pane", &["tab"], "", "to the next pane", G::Move, NONE),
    row(C::PreviousPane, "previous-pane", &["backtab"], "", "to the previous pane", G::Move, NONE),
    row(C::Show(Tree), "tree", &["1", ":tree"], "", "what the build is made of, and what each part did", G::Move, NONE),
    row(C::Show(Steps), "steps", &["2", ":steps"], "", "every step of the build", G::Move, NONE),
    row(C::Show(Diff), "diff", &["3", ":diff"], "", "what a step, or the draft, changes", G::Move, NONE),
    row(C::Show(Resource), "resource", &["4", ":resource"], "", "a resource, and who wrote each line", G::Move, NONE),
    row(C::Show(Components), "components", &["5", ":components"], "", "components, listed or not", G::Move, NONE),
    row(C::Show(Composition), "composition", &["6", ":composition"], "", "what a Composition comes to, entry by entry", G::Move, NONE),
    row(C::Show(Catalogs), "catalogs", &["7", ":catalogs"], "", "catalogs of functions, and whether to trust them", G::Move, NONE),
    row(C::Show(Functions), "functions", &["8", ":functions"], "", "functions that ran, what they said, and what waits", G::Move, NONE),
    row(C::Show(Problems), "problems", &["9", ":problems"], "", "errors, warnings, and steps without effect", G::Move, NONE),
    row(C::Show(Board), "board", &["0", ":board"], "", "every target of the repository, and who uses whom", G::Move, NONE),
    row(C::Show(Found), "found", &[":found"], "", "what was searched for last in all fields", G::Move, NONE),
    row(C::Show(Order), "order", &["O", ":order"], "", "where order matters: neighbours that do not commute, and the fields in which that shows; tree and steps mark them from then on", G::Move, NONE),
    row(C::Show(Combinations), "matrix", &["M", ":matrix", ":combinations"], "", "components in all combinations: which build, which fail, and what is learned of them", G::Move, NONE),
    row(C::Show(Compared), "compared", &[":compared"], "", "what was compared last", G::Move, NONE),
    row(C::NextProblem, "next-problem", &["]p"], "next", "to the next problem", G::Find, &[Problems]),
    row(C::PreviousProblem, "previous-problem", &["[p"], "", "to the previous problem", G::Find, NONE),
    row(C::Mark, "mark", &["m"], "", "mark this step and screen with the letter that follows", G::Find, NONE),
    row(C::ToMark, "to-mark", &["'"], "", "to the mark of the letter that follows", G::Find, NONE),
    row(C::JumpBack, "jump-back", &["ctrl-o"], "", "back to where the last jump began", G::Find, NONE),
    row(C::JumpForward, "jump-forward", &["alt-o"], "", "forward again", G::Find, NONE),
    row(C::ScrollRight, "scroll-right", &["alt-right", "alt-l"], "", "show what stands further right in this pane", G::Show, NONE),
    row(C::ScrollLeft, "scroll-left", &["alt-left", "alt-h"], "", "back to the left", G::Show, NONE),
    row(C::Wrap, "wrap", &["W", ":wrap"], "", "fold long lines, and unfold the selected row of a list; again: cut them", G::Show, NONE),
    row(C::Zoom, "zoom", &["+", "_"], "", "this pane alone, or all of them", G::Show, NONE),
    row(C::NextTheme, "next-theme", &[":theme"], "", "the next theme; `:theme NAME` for one of them", G::Show, NONE),
    row(C::ToggleMouse, "mouse", &[":mouse"], "", "capture the mouse or let it go; `:mouse on`, `:mouse off`", G::Show, NONE),
    row(C::RunAgain, "run-again", &[":rerun"], "", "run the selected function again; the others are replayed from the recording", G::Program, NONE),
    row(C::Redraw, "redraw", &["ctrl-l"], "", "draw everything again", G::Program, NONE),
    row(C::Cancel, "cancel", &["ctrl-c"], "", "cancel the running build; twice: quit", G::Program, NONE),
    row(C::Suspend, "suspend", &["ctrl-z"], "", "suspend; `fg` comes back", G::Program, NONE),
];
