//! One binary for all tests beyond unit tests, with the purpose of each module.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::needless_pass_by_value,
    clippy::too_many_lines,
    reason = "a test says what is wrong by failing"
)]

/// Layers, external crates, sizes, names: the rules of `src/README.md`, checked in the tokens of
/// `src/`.
mod architecture;
mod as_deployed;
mod bisect;
/// The writers of a field, as the binary reports them.
mod blame;
/// The Board and the Compare screen.
mod board;
/// Citations in the code exist in `assets/book`.
mod book;
/// The bounds that `.github/SECURITY.md` names, against the code.
mod bounds;
/// Function catalogs: resolution, trust, sources, and the attempts that must be refused.
mod catalog;
/// Errors as values.
mod causes;
/// The law of blame: a field changes with its named line.
mod changed_lines;
/// `kzui check`: reports, waivers, baselines, fixes.
mod check;
/// The real binary without a terminal: exit status and both streams.
mod cli;
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
/// Deployment objects as targets of every command.
mod deployed_sources;
mod deployed_targets;
/// The registry of diagnostics: its explanations, and that codes come only from it.
mod diagnostics;
/// The commands of the README and of the pages for users.
#[cfg(unix)]
mod documents;
/// A few small files that expand without end.
#[cfg(unix)]
mod doubled_trees;
/// Drafts over several sessions, with conflicts, and with new files.
mod drafts;
/// `kzui edit`.
mod edit;
/// Signals, and leftovers after they end a command.
#[cfg(unix)]
mod ending;
/// Signals at any moment: in a busy loop, before the first frame, many times.
#[cfg(unix)]
mod ending_at_any_time;
/// The whole text of every kind of failure.
mod errors;
/// The table of capabilities and the tests that it names.
mod failure_classes;
mod features;
/// Catalogs added by hand, and fetches from inside the workbench.
mod fetching;
mod first_minutes;
/// Fixes of `kzui check --fix`.
mod fixes;
/// The search over all fields of all steps.
mod fn_commands;
/// Names with line ends create no lines, on any face.
mod forged_lines;
/// Output for other programs, checked against the schemas in `assets/schemas`.
mod formats;
/// Forms for overrides, generated from schemas.
mod forms;
mod found;
/// Functions as real programs: scripts in a tree, containers if an engine starts.
#[cfg(unix)]
mod functions;
/// Files generated from the code: the table of keys and the picture of the README.
mod generated;
/// Charts with a fake helm that records its calls.
mod helm;
/// The history of a field on the Resource screen.
mod histories;
/// Malicious trees, and the corpus of the fuzz targets.
mod hostile;
/// Many trees that build and are hostile, on every face.
mod hostile_trees;
/// Updates of a loaded repository.
mod kept_repository;
/// Which entry, resource or text keys are for.
mod keys;
/// The conversation: every answer and every act in lines.
mod linear;
/// `KZUI_LOG`.
mod log;
/// Colours: of texts that are no YAML, and of a light terminal.
mod looks;
/// `kzui build --map`: the law of the source map, and its content.
mod maps;
/// `kzui migrate`.
mod migrate;
/// `kzui mv`.
mod moves;
/// Several drafts of one tree, with names, over several sessions.
#[cfg(unix)]
mod named_drafts;
/// Names of files that are no UTF-8.
#[cfg(unix)]
mod names;
/// Outputs that cannot be printed.
mod no_output;
mod not_known;
/// For the same field every face names the same writers.
mod one_answer;
/// `kzui openapi`: schemas of a cluster, and of a build.
#[cfg(unix)]
mod openapi;
#[cfg(unix)]
mod own_profile;
/// State, cache and settings count only if the user owns them and others cannot write them.
#[cfg(unix)]
mod ownership;
/// Manual pages, completions and names of plugins.
#[cfg(unix)]
mod packages;
/// Repositories of peers: HTTPS, ssh, submodules, and the requests of git.
mod peers;
/// Compositions, functions and catalogs in the workbench.
mod pipeline;
/// The demo of a platform team: functions of a catalog, and its next version.
#[cfg(unix)]
mod platform;
/// Exec plugins as generators and transformers.
mod plugins;
/// Laws: an edit and its inverse, reading printed output, bytes that are no YAML.
mod properties;
/// The findings about the proposals, tried again.
mod proposals;
/// The real binary in a real terminal: the story of the demo, and the state of the terminal
/// afterwards.
mod pty;
/// The Board in a real terminal.
#[cfg(unix)]
mod pty_board;
#[cfg(unix)]
mod real_helm;
/// The registry of Kustomize's fields and plugins, and the matches on it.
mod registry;
/// `kzui remap`: reports of linters, at the lines of the sources.
mod remap;
/// Repositories on disk through git, files from a server on this machine, and both without a
/// network.
mod remote;
/// Reuse of an earlier evaluation.
mod reuse;
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
mod shared_entries;
/// Mistakes that Kustomize builds without a warning.
mod silent_mistakes;
/// Sixty acts in a terminal, after each of which all panes agree.
mod sixty_acts;
/// Pipes, endless devices and endless files in every place that is read.
mod special_files;
/// Kustomize's lines on standard error.
mod standard_error;
/// The user stories of the Composition and Catalog proposals.
#[cfg(unix)]
mod stories;
/// Trees on disk, the program under test, the terminal.
mod support;
mod taken_back;
/// Typical questions of users, answered by a few keys and by a command.
mod tasks;
/// Repositories with configurations that would run programs.
mod traps;
/// No fetch without a request.
#[cfg(unix)]
mod two_folders_differ;
mod unasked;
/// Text of any input is harmless on every face.
mod unprintable;
/// Unreachable content makes results not known, in `order`, `matrix` and `bisect`.
mod unreached;
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
mod why_not;
/// Fixes, edits and writes stay in the repository.
#[cfg(unix)]
mod write_scope;
mod written_over;
