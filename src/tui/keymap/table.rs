//! The table of commands: names, keys, texts, and the screens on which they work.

use crate::screen::Screen;

/// The commands of keys and palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Command {
    Down,
    Up,
    Top,
    Bottom,
    HalfPageDown,
    HalfPageUp,
    Open,
    Back,
    NextPane,
    PreviousPane,
    Show(Screen),
    StepForward,
    StepBack,
    NextEffective,
    PreviousEffective,
    FirstStep,
    LastStep,
    NextChange,
    PreviousChange,
    NextResource,
    PreviousResource,
    NextProblem,
    PreviousProblem,
    Watch,
    GoToWriter,
    Mark,
    ToMark,
    JumpBack,
    JumpForward,
    Toggle,
    MoveDown,
    MoveUp,
    Override,
    Trust,
    Revoke,
    Fetch,
    AddCatalog,
    Like,
    Fix,
    Undo,
    Redo,
    Write,
    Discard,
    Log,
    Drafts,
    RenameDraft,
    CopyDraft,
    DeleteDraft,
    Edit,
    EditHere,
    Why,
    Yank,
    Search,
    NextMatch,
    PreviousMatch,
    Palette,
    Help,
    Tour,
    NextStop,
    EffectiveOnly,
    OnlyResource,
    OnlyLayer,
    Compare,
    SplitDiff,
    MoreContext,
    LessContext,
    ScrollRight,
    ScrollLeft,
    Wrap,
    Zoom,
    NextTheme,
    ToggleMouse,
    Rebuild,
    RunAgain,
    Find,
    ShowSecrets,
    Sort,
    WithBases,
    Branch,
    Users,
    CompareSides,
    DraftEverywhere,
    GroupBy,
    OnlyDangers,
    Redraw,
    Cancel,
    Suspend,
    WriteQuit,
    Quit,
    QuitAnyway,
}

/// Commands that belong together in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandGroup {
    Move,
    Time,
    Draft,
    Find,
    Show,
    Program,
}

impl Binding {
    /// The names of the command in the palette: its name, and its keys that begin with a colon.
    pub(crate) fn names<'k>(&self, keys: impl Iterator<Item = &'k str>) -> Vec<String> {
        let typed = keys.filter_map(|key| key.strip_prefix(':'));
        let typed = typed.filter(|name| !name.is_empty()).map(str::to_owned);
        [self.name.to_owned()].into_iter().chain(typed).collect()
    }
}

impl CommandGroup {
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
    pub command: Command,
    /// Its name in the config file and the palette.
    pub name: &'static str,
    /// The keys; the first is shown.
    pub keys: &'static [&'static str],
    /// The text in the hints; empty for no hint.
    pub hint: &'static str,
    pub words: &'static str,
    pub group: CommandGroup,
    /// The screens with this hint.
    pub screens: &'static [Screen],
}

const fn row(
    command: Command,
    name: &'static str,
    keys: &'static [&'static str],
    hint: &'static str,
    words: &'static str,
    group: CommandGroup,
    screens: &'static [Screen],
) -> Binding {
    Binding { command, name, keys, hint, words, group, screens }
}

use Command as C;
use CommandGroup as G;
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
    row(C::Open, "open", &["enter", "l", "right"], "open", "open the selection", G::Move, &[Tree, Steps, Diff, Resource, Catalogs, Functions, Problems, Board, Found]),
    row(C::Toggle, "toggle", &["space"], "toggle", "toggle an entry in the draft; on Order and Combinations: use the selected row as the draft", G::Draft, DRAFT),
    row(C::MoveDown, "move-down", &["J", "alt-down"], "move", "move an entry down in its list", G::Draft, &[Tree, Components, Composition]),
    row(C::MoveUp, "move-up", &["K", "alt-up"], "", "move an entry up in its list", G::Draft, NONE),
    row(C::Override, "override", &["o"], "override", "override an imported entry, or edit an entry of this file: in a form if it has a schema, otherwise as text", G::Draft, &[Composition]),
    row(C::Trust, "trust", &["T"], "trust", "review the selected catalog and decide on trust", G::Draft, &[Catalogs]),
    row(C::Revoke, "revoke", &["U"], "revoke", "revoke trust in the selected catalog", G::Draft, &[Catalogs]),
    row(C::Fetch, "fetch", &["F", ":fetch"], "fetch", "fetch the selected catalog or the missing remotes: lists them and asks first", G::Draft, &[Catalogs, Functions, Problems]),
    row(C::AddCatalog, "catalog", &[":catalog"], "", "`:catalog REF` shows a catalog: a file, a directory, an OCI layout or a URL", G::Find, NONE),
    row(C::Like, "like", &[":like"], "", "`:like NAME` builds as another release or program (v5.6.0, argocd-3.1) and shows the differences", G::Program, NONE),
    row(C::Rebuild, "rebuild", &["R"], "run again", "read the files again and build; on Functions: run the selected function again", G::Program, &[Functions]),
    row(C::StepForward, "step-forward", &[")"], "step on", "next step", G::Time, &[Steps, Diff, Resource]),
    row(C::StepBack, "step-back", &["("], "step back", "previous step", G::Time, &[Steps, Diff, Resource]),
    row(C::NextEffective, "next-effective", &["c"], "next effect", "next step with a change, or next write of the watched field", G::Time, &[Steps]),
    row(C::PreviousEffective, "previous-effective", &["C"], "", "previous step with a change, or previous write of the watched field", G::Time, NONE),
    row(C::FirstStep, "first-step", &["<"], "", "first step", G::Time, NONE),
    row(C::LastStep, "last-step", &[">"], "", "last step", G::Time, NONE),
    row(C::EffectiveOnly, "effective-only", &["x"], "effective only", "only steps with changes, or all", G::Time, &[Steps]),
    row(C::OnlyResource, "only-resource", &["r"], "this resource", "only steps that change the selected resource, or all", G::Time, &[Steps, Resource]),
    row(C::OnlyLayer, "only-layer", &["L"], "this layer", "only steps of this layer, or all", G::Time, &[Steps]),
    row(C::Compare, "compare", &["d"], "compare", "compare the step, the output of the draft, or the files of the draft; on the Board: the draft in the selected target", G::Show, &[Diff, Board]),
    row(C::Find, "find", &["ctrl-f", ":find"], "", "`:find PATTERN` searches all values and field paths, at every step, removed resources included", G::Find, NONE),
    row(C::ShowSecrets, "show-secrets", &["V", ":secrets"], "", "show or mask the values of Secrets (equal values have equal marks)", G::Show, NONE),
    row(C::Sort, "sort", &["S", ":sort"], "sort", "sort targets by folder, state, objects, or changes of the draft or branch", G::Show, &[Board]),
    row(C::WithBases, "with-bases", &["B", ":bases"], "bases", "list bases on the Board too, or only targets that no other target uses", G::Show, &[Board]),
    row(C::Users, "users", &["u", ":users"], "users", "users and dependencies of the selected or open target", G::Find, &[Board]),
    row(C::Branch, "branch", &["b", ":branch"], "branch", "compare each target with the merge base of the default branch; again: list the changes by edit", G::Show, &[Board]),
    row(C::GroupBy, "group-by", &["t"], "by cause, target, resource", "group differences by cause, target or resource", G::Show, &[Compared]),
    row(C::OnlyDangers, "only-dangers", &["X"], "only dangers", "only dangerous changes, or all", G::Show, &[Compared]),
    row(C::CompareSides, "compare-sides", &[":compare"], "", "`:compare A B` builds two sides and shows each difference with its cause", G::Find, NONE),
    row(C::DraftEverywhere, "draft-everywhere", &["D", ":reach"], "", "effect of the draft on every affected target", G::Draft, NONE),
    row(C::SplitDiff, "split-diff", &["s"], "split", "diff side by side or unified", G::Show, &[Diff]),
    row(C::MoreContext, "more-context", &["}"], "context", "more lines around changes", G::Show, &[Diff]),
    row(C::LessContext, "less-context", &["{"], "", "fewer lines around changes", G::Show, NONE),
    row(C::NextChange, "next-change", &["]c"], "change", "next change in the diff", G::Find, &[Diff]),
    row(C::PreviousChange, "previous-change", &["[c"], "", "previous change in the diff", G::Find, NONE),
    row(C::NextResource, "next-resource", &["]r"], "resource", "next resource, or the next one in the diff", G::Find, &[Diff, Resource]),
    row(C::PreviousResource, "previous-resource", &["[r"], "", "previous resource, or the previous one in the diff", G::Find, NONE),
    row(C::GoToWriter, "go-to-writer", &["gw"], "writer", "step that wrote the field under the cursor", G::Find, &[Resource]),
    row(C::Watch, "watch", &["v", ":watch"], "", "watch the field under the cursor, or stop: c and C go to its writes; `:watch Deployment/web spec.replicas`", G::Time, NONE),
    row(C::Drafts, "draft", &[":draft", ":drafts"], "", "kept drafts with their effect: switch, compare, delete; `:draft NAME` opens or creates that draft, `:draft -` the one without a name", G::Draft, NONE),
    row(C::RenameDraft, "draft-rename", &[":draft-rename"], "", "`:draft-rename NAME` renames the draft", G::Draft, NONE),
    row(C::CopyDraft, "draft-copy", &[":draft-copy"], "", "`:draft-copy NAME` continues on a copy of the draft with that name", G::Draft, NONE),
    row(C::DeleteDraft, "draft-delete", &[":draft-delete"], "", "`:draft-delete NAME` deletes a draft with all its edits", G::Draft, NONE),
    row(C::Edit, "edit", &["e", ":e"], "edit", "open $EDITOR at the line", G::Draft, &[Tree, Steps, Resource, Problems, Components, Composition, Catalogs, Functions]),
    row(C::EditHere, "edit-here", &["E", "ctrl-e"], "", "edit the file here; the diff follows the typing", G::Draft, NONE),
    row(C::Why, "why", &["w"], "why", "explain the selected problem, field, resource or step", G::Find, &[Tree, Steps, Resource]),
    row(C::Fix, "fix", &["f", ":fix"], "fix", "apply the verified fix of the selected problem to the draft", G::Draft, &[Problems]),
    row(C::Undo, "undo", &["z"], "undo", "undo the last edit", G::Draft, DRAFT),
    row(C::Redo, "redo", &["Z"], "", "redo the last undone edit", G::Draft, NONE),
    row(C::Write, "write", &[":w"], "write", "show the diff of the draft, ask, write", G::Draft, DRAFT),
    row(C::WriteQuit, "write-quit", &[":wq", ":x"], "", "show the diff of the draft, ask, write, quit", G::Draft, NONE),
    row(C::Discard, "discard", &[":discard"], "", "discard the draft", G::Draft, NONE),
    row(C::Log, "log", &[":log"], "", "list earlier writes with their files; revert one of them in a draft", G::Draft, NONE),
    row(C::Search, "search", &["/"], "search", "search in this pane", G::Find, &[Tree, Steps, Resource, Catalogs, Problems, Board]),
    row(C::NextMatch, "next-match", &["n"], "", "next match; in a diff without a search: next change", G::Find, NONE),
    row(C::PreviousMatch, "previous-match", &["N"], "", "previous match", G::Find, NONE),
    row(C::Yank, "yank", &["y"], "copy", "copy the selection: a value, a location, a resource, a flag for CI, a command", G::Find, &[Resource, Diff, Catalogs, Functions]),
    row(C::Palette, "palette", &[":", "ctrl-p"], "palette", "find any command, step, resource or problem", G::Find, ALL),
    row(C::Help, "help", &["?"], "help", "list every key", G::Program, ALL),
    row(C::Tour, "tour", &[":tour"], "", "start a tour of ten stops, or leave it", G::Program, NONE),
    row(C::NextStop, "next-stop", &["ctrl-t"], "", "next stop of the tour", G::Program, NONE),
    row(C::Quit, "quit", &["q", ":q"], "quit", "go back, then quit", G::Program, ALL),
    row(C::QuitAnyway, "quit-anyway", &[":q!"], "", "quit and discard the draft", G::Program, NONE),
    row(C::Down, "down", &["j", "down"], "", "down; with a count (alt-1 2 j): that many rows", G::Move, NONE),
    row(C::Up, "up", &["k", "up"], "", "up", G::Move, NONE),
    row(C::Top, "top", &["gg", "home"], "", "first row; with a count: that row", G::Move, NONE),
    row(C::Bottom, "bottom", &["G", "end"], "", "last row; with a count: that row", G::Move, NONE),
    row(C::HalfPageDown, "half-page-down", &["ctrl-d", "pagedown"], "", "half a page down", G::Move, NONE),
    row(C::HalfPageUp, "half-page-up", &["ctrl-u", "pageup"], "", "half a page up", G::Move, NONE),
    row(C::Back, "back", &["esc", "h", "left"], "", "back", G::Move, NONE),
    row(C::NextPane, "next-pane", &["tab"], "", "next pane", G::Move, NONE),
    row(C::PreviousPane, "previous-pane", &["backtab"], "", "previous pane", G::Move, NONE),
    row(C::Show(Tree), "tree", &["1", ":tree"], "", "entries of the build with their effect", G::Move, NONE),
    row(C::Show(Steps), "steps", &["2", ":steps"], "", "every step of the build", G::Move, NONE),
    row(C::Show(Diff), "diff", &["3", ":diff"], "", "changes of a step or of the draft", G::Move, NONE),
    row(C::Show(Resource), "resource", &["4", ":resource"], "", "a resource with the writer of each line", G::Move, NONE),
    row(C::Show(Components), "components", &["5", ":components"], "", "components of the repository, listed or not", G::Move, NONE),
    row(C::Show(Composition), "composition", &["6", ":composition"], "", "the consolidated entries of a Composition", G::Move, NONE),
    row(C::Show(Catalogs), "catalogs", &["7", ":catalogs"], "", "function catalogs and trust", G::Move, NONE),
    row(C::Show(Functions), "functions", &["8", ":functions"], "", "functions: results, messages, pending runs", G::Move, NONE),
    row(C::Show(Problems), "problems", &["9", ":problems"], "", "errors, warnings and steps without effect", G::Move, NONE),
    row(C::Show(Board), "board", &["0", ":board"], "", "every target of the repository, with users and dependencies", G::Move, NONE),
    row(C::Show(Found), "found", &[":found"], "", "the last search in all fields", G::Move, NONE),
    row(C::Show(Order), "order", &["O", ":order"], "", "neighbours whose order matters, with the affected fields; Tree and Steps mark them from then on", G::Move, NONE),
    row(C::Show(Combinations), "matrix", &["M", ":matrix", ":combinations"], "", "components in all combinations: builds, failures, learned rules", G::Move, NONE),
    row(C::Show(Compared), "compared", &[":compared"], "", "the last comparison", G::Move, NONE),
    row(C::NextProblem, "next-problem", &["]p"], "next", "next problem", G::Find, &[Problems]),
    row(C::PreviousProblem, "previous-problem", &["[p"], "", "previous problem", G::Find, NONE),
    row(C::Mark, "mark", &["m"], "", "mark this step and screen with a letter", G::Find, NONE),
    row(C::ToMark, "to-mark", &["'"], "", "go to the mark of a letter", G::Find, NONE),
    row(C::JumpBack, "jump-back", &["ctrl-o"], "", "back to the start of the last jump", G::Find, NONE),
    row(C::JumpForward, "jump-forward", &["alt-o"], "", "forward again", G::Find, NONE),
    row(C::ScrollRight, "scroll-right", &["alt-right", "alt-l"], "", "scroll right", G::Show, NONE),
    row(C::ScrollLeft, "scroll-left", &["alt-left", "alt-h"], "", "scroll left", G::Show, NONE),
    row(C::Wrap, "wrap", &["W", ":wrap"], "", "wrap long lines, or cut them", G::Show, NONE),
    row(C::Zoom, "zoom", &["+", "_"], "", "show this pane alone, or all panes", G::Show, NONE),
    row(C::NextTheme, "next-theme", &[":theme"], "", "next theme; `:theme NAME` selects one", G::Show, NONE),
    row(C::ToggleMouse, "mouse", &[":mouse"], "", "capture or release the mouse; `:mouse on`, `:mouse off`", G::Show, NONE),
    row(C::RunAgain, "run-again", &[":rerun"], "", "run the selected function again; the others are replayed from the recording", G::Program, NONE),
    row(C::Redraw, "redraw", &["ctrl-l"], "", "redraw the screen", G::Program, NONE),
    row(C::Cancel, "cancel", &["ctrl-c"], "", "cancel the running build; twice: quit", G::Program, NONE),
    row(C::Suspend, "suspend", &["ctrl-z"], "", "suspend; `fg` resumes", G::Program, NONE),
];
