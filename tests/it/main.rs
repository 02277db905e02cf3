//! One program with all tests except the unit tests. Each module has its purpose above it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::needless_pass_by_value,
    clippy::too_many_lines,
    reason = "a test says what is wrong by failing"
)]

/// Columns of lists begin at one place in all rows.
mod aligned;
/// The rules of `src/README.md` about layers, external crates, sizes and names.
mod architecture;
/// Deployment objects as their controllers deploy them.
mod as_deployed;
/// `kzui bisect`.
mod bisect;
/// The writers of a field, as the binary reports them.
mod blame;
/// The Board and the Compare screen.
mod board;
/// Citations in the code exist in `assets/book`.
mod book;
/// The limits that `.github/SECURITY.md` names, compared with the code.
mod bounds;
/// Function catalogs: resolution, trust, sources, and attacks that must be refused.
mod catalog;
/// Errors can be matched as values, without parsing texts.
mod causes;
/// The law of blame: a field changes with its named line.
mod changed_lines;
/// `kzui check`: reports, waivers, baselines, fixes.
mod check;
/// Rows and messages that name all that they count, and that belong to their screen.
mod clear_screens;
/// The real binary without a terminal: exit status and both streams.
mod cli;
/// `kzui diff --live`: a build and the objects of a cluster.
#[cfg(unix)]
mod cluster;
/// `kzui diff`: two builds, and all builds of two commits, with the edits that made them differ.
mod compare;
/// `kzui compat`: the output of another version.
mod compat;
/// `kzui components`: the table of overlays and components.
mod components;
/// `kzui consolidate`, and the data of the Composition screen.
mod composition;
/// The computed pane of a field.
mod computed;
/// Programs without access to files and network, and with limited time.
mod confine;
/// `kzui demo`, the tour, the workbench without writes.
mod demo;
/// Settings that an Application or a Flux Kustomization adds, switched off and on.
mod deployed;
/// An Argo CD Application with several sources.
mod deployed_sources;
/// Deployment objects as targets of every command.
mod deployed_targets;
/// The registry of diagnostics: its explanations, and that codes come only from it.
mod diagnostics;
/// The edit that `kzui diff` names for a difference.
mod difference_causes;
/// The commands of the README and of the pages for users.
#[cfg(unix)]
mod documents;
/// A few small files that expand without end.
#[cfg(unix)]
mod doubled_trees;
/// Drafts over several sessions, with conflicts, and with new files.
mod draft_consequences;
mod drafts;
/// `kzui edit`.
mod edit;
/// Signals, and leftovers after they end a command.
#[cfg(unix)]
mod ending;
/// Signals at any moment: in a busy loop, before the first frame, many times.
#[cfg(unix)]
mod ending_at_any_time;
/// The complete text of every kind of failure.
mod errors;
/// Failures of a build by class: each has a code, a help text and, if possible, a fix.
mod failure_classes;
/// The table of capabilities and the tests that it names.
mod features;
/// Catalogs added by hand, and fetches from inside the workbench.
mod fetching;
/// `e` on a line of a resource.
mod field_edits;
/// The first minutes with a new tree: failing builds, bases that are not fetched.
mod first_minutes;
/// Fixes of `kzui check --fix`.
mod fixes;
/// `kzui fn`.
mod fn_commands;
/// Names with line ends create no lines, on any face.
mod forged_lines;
/// Output for other programs, checked against the schemas in `assets/schemas`.
mod formats;
/// Forms for overrides, generated from schemas.
mod forms;
/// The search over all fields of all steps.
mod found;
/// Functions as real programs: scripts in a tree, containers if an engine starts.
#[cfg(unix)]
mod functions;
/// Files generated from the code: the table of keys and the picture of the README.
mod generated;
/// Charts, with a fake helm that records its calls.
mod helm;
/// The history of a field on the Resource screen.
mod histories;
/// Malicious trees, and the corpus of the fuzz targets.
mod hostile;
/// Many trees that build and are hostile, on every face.
mod hostile_trees;
/// Keys that depend on the selected entry, resource or text.
mod keys;
/// The line mode: all commands and answers as lines.
mod linear;
/// The log that `KZUI_LOG` enables.
mod log;
/// `kzui build --map`.
mod maps;
/// `kzui migrate`.
mod migrate;
/// `kzui mv`.
mod moves;
/// Several drafts of one tree, with names, over several sessions.
#[cfg(unix)]
mod named_drafts;
/// Names that are not UTF-8.
#[cfg(unix)]
mod names;
/// Outputs that cannot be printed.
mod no_output;
/// Comparisons of targets that are not built in full.
mod not_known;
/// Every face reports the same writers of a field.
mod one_answer;
/// `kzui openapi`: schemas of a cluster, and of a build.
#[cfg(unix)]
mod openapi;
/// Clicks and keys while a question, a form or the help is open.
mod overlays;
/// The settings of a `.kzui.toml` for the targets of its folders.
#[cfg(unix)]
mod own_profile;
/// Findings of `kzui check` on which an owner acts, and those that are no findings for that reason.
mod owner_findings;
/// State, cache and settings count only if the user owns them and others cannot write them.
#[cfg(unix)]
mod ownership;
/// Manual pages, completions and names of plugins.
#[cfg(unix)]
mod packages;
mod palette_offers;
/// Repositories of peers: HTTPS, ssh, submodules, and the requests of git.
mod peers;
/// Compositions, functions and catalogs in the workbench.
mod pipeline;
/// The demo of a platform team: functions of a catalog, and its next version.
#[cfg(unix)]
mod platform;
/// Exec plugins as generators and transformers.
mod plugins;
/// Laws of edits and their inverses, of printed output, and of bytes that are not YAML.
mod properties;
/// Problems that a review of the two proposals (KEPs) found, as tests.
mod proposals;
/// The real binary in a real terminal: the story of the demo, and the state of the terminal
/// afterwards.
mod pty;
/// The Board in a real terminal.
#[cfg(unix)]
mod pty_board;
/// Charts rendered by the real helm, if it is installed.
#[cfg(unix)]
mod real_helm;
/// `kzui record`: a build in one file.
#[cfg(unix)]
mod recordings;
/// `kzui extract`, `kzui inline` and `kzui prune`.
mod refactor;
/// The registry of Kustomize's fields and plugins, and the matches on it.
mod registry;
/// `kzui remap`: reports of linters, at the lines of the sources.
mod remap;
/// Repositories on disk through git, files from a server on this machine, and both without a
/// network.
mod remote;
/// Findings of one cause are one row of `check`.
mod report_rows;
/// Updates of a loaded repository.
mod repository_updates;
/// Reuse of an earlier evaluation.
mod reuse;
/// Rows of screens and answers with different meanings have different texts.
mod rows;
/// The requirements of SARIF, and the log of `kzui check`.
mod sarif;
/// The acceptance scenarios of the reference, each with its proof.
mod scenarios;
/// The screens of the workbench: text and styles, at the three sizes, and the effect of keys.
mod screens;
/// Functions in Starlark: on large trees, malicious, without their interpreter.
mod scripts;
/// Values of Secrets.
mod secrets;
/// `kzui lsp` and `kzui mcp` as an editor and an agent start them.
#[cfg(feature = "mcp")]
mod servers;
/// `kzui set`.
mod set;
/// Findings about entries that several layers or targets share.
mod shared_entries;
/// Mistakes that Kustomize builds without a warning.
mod silent_mistakes;
/// Sixty actions in a terminal, after each of which all panes agree.
mod sixty_acts;
/// Pipes, endless devices and endless files in every place that is read.
mod special_files;
/// The lines that Kustomize prints on standard error.
mod standard_error;
/// The user stories of the Composition and Catalog proposals.
#[cfg(unix)]
mod stories;
/// Trees on disk, the program under test, the terminal.
mod support;
/// Typical questions of users, answered by a few keys and by a command.
mod tasks;
/// Colours of texts that are not YAML, and in a light terminal.
mod themes;
/// Repositories with configurations that would run programs.
mod traps;
/// The causes and helps of findings hold.
mod true_help;
/// `kzui diff` of two folders.
#[cfg(unix)]
mod two_folders_differ;
/// No fetch without a request.
mod unasked;
/// Text of any input is harmless on every face.
mod unprintable;
/// Unreachable content makes results not known, in `order`, `matrix` and `bisect`.
mod unreached;
mod unwanted_findings;
/// Commands of the user's own config file.
mod user_commands;
/// The screens of order and of combinations, and a watched field.
mod varied;
/// `kzui order` and `kzui matrix`: planted dependencies are found, with their fields.
mod what_if;
/// `kzui where`, `kzui graph` and `kzui grep`: all targets of a repository.
mod whereabouts;
/// All that a step changes in one view, and one selection in all panes.
mod whole_diff;
/// Steps without an effect, or with findings, on the screens.
mod why;
/// Entries that could have written a field and did not.
mod why_not;
/// Findings about values that are overridden later, and about pending entries.
mod workbench_answers;
/// Fixes, edits and writes stay in the repository.
#[cfg(unix)]
mod write_scope;
mod written_over;
