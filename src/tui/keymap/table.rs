//! The table of commands: names, keys, texts, and the screens on which they work.

use crate::screen::{Screen, WorkbenchPlace};

/// Defines the commands and their table: in braces the commands with one row each, in brackets the
/// rows of the commands that name a place or a screen.
macro_rules! commands {
    ($({ $($unit:ident($($cell:tt)*)$(.$with:ident($($value:tt)*))*;)* } [$($row:expr,)*])*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Command {
            GoTo(WorkbenchPlace),
            Show(Screen),
            $($($unit,)*)*
        }

        /// The table. Hints are shown in its order.
        pub(in crate) static BINDINGS: &[Binding] = &[$(
            $(row(C::$unit, $($cell)*)$(.$with($($value)*))*,)*
            $($row,)*
        )*];
    };
}

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
    /// True for a hint of this screen, not of all of them.
    pub(crate) fn is_about(&self, screen: Screen) -> bool {
        self.screens.contains(&screen) && self.screens.len() < Screen::COUNT
    }

    /// The names of the command in the palette: its name, and its keys that begin with a colon.
    pub(crate) fn names<'k>(&self, keys: impl Iterator<Item = &'k str>) -> Vec<String> {
        let typed = keys.filter_map(|key| key.strip_prefix(':'));
        let typed = typed.filter(|name| !name.is_empty()).map(str::to_owned);
        [self.name.to_owned()].into_iter().chain(typed).collect()
    }

    const fn takes(self, argument: &'static str) -> Self {
        Self { argument: Some(argument), ..self }
    }

    const fn takes_text(self, argument: &'static str) -> Self {
        Self { takes_text: true, ..self.takes(argument) }
    }

    const fn writes(self) -> Self {
        Self { writes: true, ..self }
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

#[derive(Debug)]
pub(crate) struct Binding {
    pub command: Command,
    /// The name of the command in the config file and the palette.
    pub name: &'static str,
    pub keys: &'static [&'static str],
    /// The text in the hints; empty for no hint.
    pub hint: &'static str,
    pub words: &'static str,
    pub group: CommandGroup,
    /// The screens with this hint.
    pub screens: &'static [Screen],
    /// A description of the argument that the command takes in the palette; `None` without one.
    pub argument: Option<&'static str>,
    /// True if the argument is free text, without a list of candidates.
    pub takes_text: bool,
    /// True if the command changes files, the trust store or the cache.
    pub writes: bool,
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
    Binding {
        command,
        name,
        keys,
        hint,
        words,
        group,
        screens,
        argument: None,
        takes_text: false,
        writes: false,
    }
}

use Command as C;
use CommandGroup as G;
use Screen::{
    Board, Catalogs, Change, Combinations, Compared, ComponentTable, Components, Composition, Diff,
    Findings, Found, Functions, Order, Problems, Resource, Steps, Tree,
};

const ALL: &[Screen] = &Screen::ALL;
const NONE: &[Screen] = &[];
/// The screens with hints about the draft.
const DRAFT_SCREENS: &[Screen] =
    &[Tree, Components, ComponentTable, Composition, Order, Combinations, Change];

commands! {
    {
        Open("open", &["enter", "l", "right"], "open", "open the selection", G::Move, &[Tree, Steps, Diff, Resource, Catalogs, Functions, Problems, Board, Findings, ComponentTable, Found, Change]);
        Toggle("toggle", &["space"], "toggle", "toggle an entry in the draft; in Change: leave the selected edit out, or include it again; on Order and Combinations: use the selected row as the draft", G::Draft, DRAFT_SCREENS);
        MoveDown("move-down", &["J", "alt-down"], "move", "move an entry down in its list", G::Draft, &[Tree, Components, Composition]);
        MoveUp("move-up", &["K", "alt-up"], "", "move an entry up in its list", G::Draft, NONE);
        Override("override", &[":override"], "override", "override an imported entry, or edit an entry of this file: in a form if it has a schema, otherwise as text", G::Draft, &[Composition]);
        Trust("trust", &["T"], "trust", "decide on trust of the selected catalog; on other screens: review the first catalog that needs a decision", G::Draft, &[Catalogs]).writes();
        Revoke("revoke", &[":revoke"], "revoke", "revoke trust in the selected catalog", G::Draft, &[Catalogs]).writes();
        Fetch("fetch", &["F", ":fetch"], "fetch", "fetch the selected catalog or the missing remotes: lists them and asks first", G::Draft, &[Catalogs, Functions, Problems]).writes();
        AddCatalog("catalog", &[":catalog"], "", "`:catalog REF` shows a catalog: a file, a directory, an OCI layout or a URL", G::Find, NONE).takes_text("a file, a directory, an OCI layout or a URL");
        Like("like", &[":like"], "", "`:like NAME` builds as another release or program (v5.6.0, argocd-3.1) and shows the differences", G::Program, NONE).takes("a release, or a program that embeds one: kzui versions lists them");
        Rebuild("rebuild", &["R"], "run", "read the files again and build; on Functions: run the selected function, also again", G::Program, &[Functions]);
        RunAll("run-all", &[",R", ":run-all"], "run all", "run all trusted and enabled functions that have not run", G::Program, &[Functions]);
        StepForward("step-forward", &[")"], "step on", "next step", G::Time, &[Steps, Diff, Resource]);
        StepBack("step-back", &["("], "step back", "previous step", G::Time, &[Steps, Diff, Resource]);
        NextEffective("next-effective", &["c"], "next effect", "next step with a change, or next write of the watched field", G::Time, &[Steps]);
        PreviousEffective("previous-effective", &["C"], "", "previous step with a change, or previous write of the watched field", G::Time, NONE);
        FirstStep("first-step", &["<"], "", "first step", G::Time, NONE);
        LastStep("last-step", &[">"], "", "last step", G::Time, NONE);
        EffectiveOnly("effective-only", &[",e"], "effective only", "only steps with changes, or all", G::Time, &[Steps]);
        OnlyResource("only-resource", &[",r"], "this resource", "only steps that change the selected resource, or all", G::Time, &[Steps, Resource]);
        OnlyLayer("only-layer", &[",l"], "this layer", "only steps of this layer, or all", G::Time, &[Steps]);
        Compare("compare", &["d"], "compare", "compare the step, the output of the draft, or the files of the draft; in the repository: the draft in the selected target; in Change: drop the selected edit", G::Show, &[Diff, Board, Change]);
        Find("find", &[":find"], "", "`:find PATTERN` searches all values and field paths, at every step, removed resources included", G::Find, NONE).takes_text("a regular expression, for values and paths of fields");
        ShowSecrets("show-secrets", &["V", ":secrets"], "", "show or mask the values of Secrets (equal values have equal marks)", G::Show, NONE);
        Sort("sort", &[",s", ":sort"], "sort", "sort targets by folder, state, objects, or changes of the draft or branch", G::Show, &[Board]);
        WithBases("with-bases", &[",b", ":bases"], "bases", "list bases too, or only targets that no other target uses", G::Show, &[Board]);
        Users("users", &["gu", ":users"], "users", "users and dependencies of the selected or open target", G::Find, &[Board]);
        Branch("branch", &["gb", ":branch"], "branch", "compare each target with the merge base of the default branch; again: list the changes by edit", G::Show, &[Board]);
        GroupBy("group-by", &[",t"], "by cause, target, resource", "group differences by cause, target or resource", G::Show, &[Compared]);
        OnlyDangers("only-dangers", &[",x"], "only dangers", "only dangerous changes, or all", G::Show, &[Compared]);
        CompareSides("compare-sides", &[":compare"], "", "`:compare A B` builds two sides and shows each difference with its cause", G::Find, NONE).takes_text("A [B]: folders, git references, `draft`, `draft:NAME`, rendered files; --like-a, --like-b");
        DraftEverywhere("draft-everywhere", &["gD", ":reach"], "", "effect of the draft on every affected target", G::Draft, NONE);
        SplitDiff("split-diff", &[",d"], "split", "diff side by side or unified", G::Show, &[Diff]);
        MoreContext("more-context", &["}"], "context", "more lines around changes", G::Show, &[Diff]);
        LessContext("less-context", &["{"], "", "fewer lines around changes", G::Show, NONE);
        NextChange("next-change", &["]c"], "change", "next change in the diff", G::Find, &[Diff]);
        PreviousChange("previous-change", &["[c"], "", "previous change in the diff", G::Find, NONE);
        NextResource("next-resource", &["]r"], "resource", "next resource, or the next one in the diff", G::Find, &[Diff, Resource]);
        PreviousResource("previous-resource", &["[r"], "", "previous resource, or the previous one in the diff", G::Find, NONE);
        GoToWriter("go-to-writer", &["gw"], "writer", "step that wrote the field under the cursor", G::Find, &[Resource]);
        Watch("watch", &["v", ":watch"], "", "watch the field under the cursor, or stop: c and C go to its writes; `:watch Deployment/web spec.replicas`", G::Time, NONE).takes_text("a resource and a field: Deployment/web spec.replicas");
        Drafts("draft", &[":draft", ":drafts"], "", "kept drafts with their effect: switch, compare, delete; `:draft NAME` opens or creates that draft, `:draft -` the one without a name", G::Draft, NONE).takes_text("the name of a draft, or - for the draft without a name").writes();
        RenameDraft("draft-rename", &[":draft-rename"], "", "`:draft-rename NAME` renames the draft", G::Draft, NONE).takes_text("a new name").writes();
        CopyDraft("draft-copy", &[":draft-copy"], "", "`:draft-copy NAME` continues on a copy of the draft with that name", G::Draft, NONE).takes_text("a new name").writes();
        DeleteDraft("draft-delete", &[":draft-delete"], "", "`:draft-delete NAME` deletes a draft with all its edits", G::Draft, NONE).takes_text("the name of a draft").writes();
        Edit("edit", &["e", ":e"], "edit", "open $EDITOR at the line, or change the value there", G::Draft, &[Tree, Steps, Resource, Problems, Components, Composition, Catalogs, Functions, Findings, ComponentTable]).writes();
        EditHere("edit-here", &["E", "ctrl-e"], "", "edit the file here; the diff follows the typing", G::Draft, NONE);
        Why("why", &["w"], "why", "explain the selected problem, edit, component, field, resource or step", G::Find, &[Tree, Steps, Resource, Change, Components]);
        Fix("fix", &["f", ":fix"], "fix", "apply the verified fix of the selected problem to the draft", G::Draft, &[Problems, Findings]);
        Undo("undo", &["z"], "undo", "undo the last edit", G::Draft, DRAFT_SCREENS);
        Redo("redo", &["Z"], "", "redo the last undone edit", G::Draft, NONE);
        Write("write", &[":w"], "write", "show the diff of the draft, ask, write", G::Draft, DRAFT_SCREENS).writes();
        WriteQuit("write-quit", &[":wq", ":x"], "", "show the diff of the draft, ask, write, quit", G::Draft, NONE).writes();
        Discard("discard", &[":discard"], "", "discard the draft", G::Draft, NONE);
        Log("log", &[":log"], "", "list earlier writes with their files; revert one of them in a draft", G::Draft, NONE);
        Search("search", &["/"], "search", "search in this pane", G::Find, &[Tree, Steps, Resource, Catalogs, Problems, Board, Findings]);
        NextMatch("next-match", &["n"], "", "next match; in a diff without a search: next change", G::Find, NONE);
        PreviousMatch("previous-match", &["N"], "", "previous match", G::Find, NONE);
        Yank("yank", &["y"], "copy", "copy the selection: a value, a location, a resource, a flag for CI, a command", G::Find, &[Resource, Diff, Catalogs, Functions]);
        Palette("palette", &[":", "ctrl-p"], "palette", "find any command, step, resource or problem", G::Find, ALL);
        Help("help", &["?"], "help", "list every key", G::Program, ALL);
        Actions("actions", &["x", ":actions"], "menu", "a menu of the actions of this screen and its selected row", G::Find, ALL);
        Messages("messages", &["m", ":messages"], "", "all messages, the last first, each in full", G::Program, NONE);
        Tour("tour", &[":tour"], "", "start a tour of eleven stops, or leave it", G::Program, NONE);
        NextStop("next-stop", &["ctrl-t"], "", "next stop of the tour", G::Program, NONE);
        Quit("quit", &["q", ":q"], "quit", "quit; an unwritten draft is kept", G::Program, ALL);
        QuitAnyway("quit-anyway", &[":q!"], "", "quit and discard the draft", G::Program, NONE);
        Down("down", &["j", "down"], "", "down; with a count (alt-1 2 j): that many rows", G::Move, NONE);
        Up("up", &["k", "up"], "", "up", G::Move, NONE);
        Top("top", &["gg", "home"], "", "first row; with a count: that row", G::Move, NONE);
        Bottom("bottom", &["G", "end"], "", "last row; with a count: that row", G::Move, NONE);
        HalfPageDown("half-page-down", &["ctrl-d", "pagedown"], "", "half a page down", G::Move, NONE);
        HalfPageUp("half-page-up", &["ctrl-u", "pageup"], "", "half a page up", G::Move, NONE);
        Back("back", &["h", "left"], "", "close the row, or select the row above it", G::Move, NONE);
        Leave("leave", &["esc"], "", "back: to the first pane, to the screen before, to the first tab, to the repository", G::Move, NONE);
        NextPane("next-pane", &["tab"], "", "next pane", G::Move, NONE);
        PreviousPane("previous-pane", &["backtab"], "", "previous pane", G::Move, NONE);
    }
    [
        row(C::GoTo(WorkbenchPlace::Repository), "repository", &["0", ":repository", ":board"], "", "the repository; again: its targets, with users and dependencies", G::Move, NONE),
        row(C::GoTo(WorkbenchPlace::Target), "target", &["1", ":target"], "", "the open target, or the selected one; again: its tree", G::Move, NONE).takes("a target of the repository"),
        row(C::GoTo(WorkbenchPlace::Change), "change", &["2", ":change"], "", "the edits of the draft, and their effect", G::Move, NONE),
    ]
    {
        NextTab("next-tab", &["gt"], "", "next tab", G::Move, NONE);
        PreviousTab("previous-tab", &["gT"], "", "previous tab", G::Move, NONE);
    }
    [
        row(C::Show(Tree), "tree", &["ge", ":tree"], "", "entries of the build with their effect", G::Move, NONE),
        row(C::Show(Steps), "steps", &["gs", ":steps"], "", "every step of the build", G::Move, NONE),
        row(C::Show(Diff), "diff", &["gd", "3", ":diff"], "", "changes of a step or of the draft", G::Move, NONE),
        row(C::Show(Resource), "resource", &["gr", "4", ":resource"], "", "a resource with the writer of each line", G::Move, NONE),
        row(C::Show(Problems), "problems", &["gp", "9", ":problems"], "", "errors, warnings and steps without effect; in the repository: those of all targets", G::Move, NONE),
        row(C::Show(Components), "components", &["gc", "5", ":components"], "", "components of the repository, listed or not; in the repository: those of all overlays", G::Move, NONE),
        row(C::Show(Composition), "composition", &["gm", "6", ":composition"], "", "the consolidated entries of a Composition", G::Move, NONE),
        row(C::Show(Catalogs), "catalogs", &["gk", "7", ":catalogs"], "", "function catalogs and trust", G::Move, NONE),
        row(C::Show(Functions), "functions", &["gf", "8", ":functions"], "", "functions: results, messages, pending runs", G::Move, NONE),
        row(C::Show(Found), "search-results", &["g/", ":found"], "", "the last search in all fields", G::Move, NONE),
        row(C::Show(Order), "order", &["go", "O", ":order"], "", "neighbours whose order matters, with the affected fields; Tree and Steps mark them from then on", G::Move, &[Components, ComponentTable]),
        row(C::Show(Combinations), "combinations", &["gx", "M", ":combinations", ":matrix"], "", "components in all combinations: builds, failures, conflicts, requirements", G::Move, &[Components, ComponentTable]),
        row(C::Show(Compared), "compared", &["g=", ":compared"], "", "the last comparison", G::Move, NONE),
    ]
    {
        NextProblem("next-problem", &["]p"], "next", "next problem", G::Find, &[Problems]);
        PreviousProblem("previous-problem", &["[p"], "", "previous problem", G::Find, NONE);
        Mark("mark", &["g'"], "", "mark this step and screen with a letter", G::Find, NONE);
        GoToMark("to-mark", &["'"], "", "go to the mark of a letter", G::Find, NONE);
        JumpBack("jump-back", &["ctrl-o"], "", "back to the start of the last jump", G::Find, NONE);
        JumpForward("jump-forward", &["alt-o"], "", "forward again", G::Find, NONE);
        ScrollRight("scroll-right", &["alt-right", "alt-l"], "", "scroll right", G::Show, NONE);
        ScrollLeft("scroll-left", &["alt-left", "alt-h"], "", "scroll left", G::Show, NONE);
        Wrap("wrap", &["W", ":wrap"], "", "wrap long lines, or cut them", G::Show, NONE);
        Zoom("zoom", &["+", "_"], "", "show this pane alone, or all panes", G::Show, NONE);
        NextTheme("next-theme", &[":theme"], "", "next theme; `:theme NAME` selects one", G::Show, NONE).takes("the name of a theme");
        ToggleMouse("mouse", &[":mouse"], "", "capture or release the mouse; `:mouse on`, `:mouse off`", G::Show, NONE).takes("on or off");
        ForgetPaneSizes("default-panes", &[":panes"], "", "give the panes their default sizes again, after their borders were dragged", G::Show, NONE);
        RunAgain("run-again", &[":rerun"], "", "run the selected function; the others are replayed from the recording, or stay pending", G::Program, NONE);
        Redraw("redraw", &["ctrl-l"], "", "redraw the screen", G::Program, NONE);
        Cancel("cancel", &["ctrl-c"], "", "cancel the running build; without one, twice: quit", G::Program, NONE);
        Suspend("suspend", &["ctrl-z"], "", "suspend; `fg` resumes", G::Program, NONE);
    }
    []
}

/// Keys of the previous release. They still work, and a message names the new key.
#[rustfmt::skip]
pub(in crate) static FORMER_KEYS: &[(&str, Command)] = &[
    ("r", C::OnlyResource),
    ("L", C::OnlyLayer),
    ("S", C::Sort),
    ("B", C::WithBases),
    ("t", C::GroupBy),
    ("X", C::OnlyDangers),
    ("s", C::SplitDiff),
    ("D", C::DraftEverywhere),
    ("u", C::Users),
    ("b", C::Branch),
    ("o", C::Override),
    ("U", C::Revoke),
    ("ctrl-f", C::Find),
];
