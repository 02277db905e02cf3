//! The edits of `kzui edit` on the text of the file.

use std::path::Path;

use super::args::{
    AddCommand, AddGeneratorArgs, AddPairArgs, EditCommand, KeyArgs, OptionArgs, PairArgs,
    PatchArgs, PathArgs, RemoveCommand, SetCommand, SetGenerator,
};
use crate::cli::CliPorts;
use crate::draft::{KustomizationText, PairKind, entry_value, mapping_of};
use crate::engine::evaluate::target_file_names;
use crate::engine::load::{Files, go_path};
use crate::engine::yaml::Node;

type EditResult = Result<(), String>;

pub(super) fn apply(
    command: &EditCommand,
    text: &mut KustomizationText,
    file: &Path,
    outside: &CliPorts<'_>,
) -> EditResult {
    match command {
        EditCommand::Set(command) => set(text, command),
        EditCommand::Add(command) => {
            let folder = file.parent().unwrap_or(file);
            add(text, command, (folder, &*outside.ports.files))
        }
        EditCommand::Remove(command) => remove(text, command),
        EditCommand::Fix { .. } | EditCommand::AlphaListBuiltinPlugin => Ok(()),
    }
}

fn set(text: &mut KustomizationText, command: &SetCommand) -> EditResult {
    match command {
        SetCommand::Image { images } => images.iter().try_for_each(|it| set_image(text, it)),
        SetCommand::Namespace { namespace } => text.set_word("namespace", namespace),
        SetCommand::NamePrefix { prefix } => text.set_word("namePrefix", prefix),
        SetCommand::NameSuffix { suffix } => text.set_word("nameSuffix", suffix),
        SetCommand::Replicas { replicas: all } => {
            all.iter().try_for_each(|it| set_replicas(text, it))
        }
        SetCommand::Label(args) => set_pairs(text, label_kind(args), args, true),
        SetCommand::Annotation(args) => set_pairs(text, PairKind::Annotation, args, true),
        SetCommand::BuildMetadata(OptionArgs { options }) => {
            text.remove_entries(BUILD_METADATA, |it| !is_among(it, options))?;
            add_texts(text, BUILD_METADATA, options)
        }
        SetCommand::ConfigMap(args) => set_generator(text, CONFIG_MAPS, args),
        SetCommand::Secret(args) => set_generator(text, SECRETS, args),
    }
}

fn add(text: &mut KustomizationText, command: &AddCommand, place: EditedFolder<'_>) -> EditResult {
    let mut add_paths = |field, PathArgs { paths, no_verify }: &PathArgs| {
        paths.iter().try_for_each(|pattern| {
            add_texts(text, field, &expand_pattern(pattern, *no_verify, place)?)
        })
    };
    match command {
        AddCommand::Resource(args) => add_paths("resources", args),
        AddCommand::Component(args) => add_paths("components", args),
        AddCommand::Base { paths } => {
            add_paths("resources", &PathArgs { paths: paths.clone(), no_verify: false })
        }
        AddCommand::Generator(args) => add_paths("generators", args),
        AddCommand::Transformer(args) => add_paths("transformers", args),
        AddCommand::Configuration(args) => add_paths("configurations", args),
        AddCommand::Patch(args) if args.path.is_none() && args.patch.is_none() => {
            Err("name the patch with --path or --patch".to_owned())
        }
        AddCommand::Patch(args) => text.add_patch(&patch_entry(args)),
        AddCommand::ConfigMap(args) => text.add_generator(CONFIG_MAPS, &generator_entry(args)),
        AddCommand::Secret(args) => text.add_generator(SECRETS, &generator_entry(args)),
        AddCommand::Label(AddPairArgs { pairs, force }) => {
            set_pairs(text, label_kind(pairs), pairs, *force)
        }
        AddCommand::Annotation(AddPairArgs { pairs, force }) => {
            set_pairs(text, PairKind::Annotation, pairs, *force)
        }
        AddCommand::BuildMetadata(args) => add_texts(text, BUILD_METADATA, &args.options),
    }
}

fn remove(text: &mut KustomizationText, command: &RemoveCommand) -> EditResult {
    match command {
        RemoveCommand::Resource(args) => remove_paths(text, "resources", args),
        RemoveCommand::Component(args) => remove_paths(text, "components", args),
        RemoveCommand::Generator(args) => remove_paths(text, "generators", args),
        RemoveCommand::Transformer(args) => remove_paths(text, "transformers", args),
        RemoveCommand::Patch(args) => text.remove_patch(&patch_entry(args)),
        RemoveCommand::Label(args) => remove_pairs(text, PairKind::Label, args),
        RemoveCommand::Annotation(args) => remove_pairs(text, PairKind::Annotation, args),
        RemoveCommand::ConfigMap(args) => {
            remove_named(text, CONFIG_MAPS, &args.names, args.namespace.as_deref())
        }
        RemoveCommand::Secret(args) => {
            remove_named(text, SECRETS, &args.names, args.namespace.as_deref())
        }
        RemoveCommand::Image { names } => remove_named(text, "images", names, None),
        RemoveCommand::Replicas { names } => remove_named(text, "replicas", names, None),
        RemoveCommand::BuildMetadata(OptionArgs { options }) => {
            text.remove_entries(BUILD_METADATA, |it| is_among(it, options)).map(drop)
        }
    }
}

type EditedFolder<'a> = (&'a Path, &'a dyn Files);

fn expand_pattern(
    pattern: &str,
    no_verify: bool,
    (top, files): EditedFolder<'_>,
) -> Result<Vec<String>, String> {
    let is_remote =
        pattern.contains("://") || pattern.contains("?ref=") || pattern.starts_with("git@");
    if no_verify || is_remote {
        return Ok(vec![pattern.to_owned()]);
    }
    if !pattern.contains(['*', '?']) {
        let exists = files.resolve(&top.join(pattern)).is_ok();
        let missing = || format!("{pattern}: no such file or folder; --no-verify adds it anyway");
        return if exists { Ok(vec![pattern.to_owned()]) } else { Err(missing()) };
    }
    let (folder, _) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let names = files.list(&top.join(folder)).map_err(|error| error.to_string())?;
    let is_own = |name: &str| folder.is_empty() && target_file_names().any(|own| own == name);
    let path = |name: &String| {
        if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") }
    };
    let wild = go_path(pattern);
    let found = names.iter().filter(|name| !is_own(name)).map(path);
    let found: Vec<String> =
        found.filter(|path| wild.as_ref().is_some_and(|wild| wild.is_match(path))).collect();
    if found.is_empty() { Err(format!("{pattern} matches no file")) } else { Ok(found) }
}

const BUILD_METADATA: &str = "buildMetadata";
const CONFIG_MAPS: &str = "configMapGenerator";
const SECRETS: &str = "secretGenerator";

fn is_among(item: &Node, texts: &[String]) -> bool {
    item.text().is_some_and(|text| texts.iter().any(|other| other == text))
}

/// Applies `NAME=NEWNAME:TAG@DIGEST` or a shorter form; `*` keeps the part that the entry already
/// has.
fn set_image(text: &mut KustomizationText, argument: &str) -> EditResult {
    let (key, value) = match argument.split_once('=') {
        Some((key, value)) => (Some(key), value),
        None => (None, argument),
    };
    let (tagged, digest) = value.split_once('@').unwrap_or((value, ""));
    let start = tagged.rfind('/').map_or(0, |at| at + 1);
    let colon = tagged[start..].find(':').map(|at| start + at);
    let (name, tag) = colon.map_or((tagged, ""), |at| (&tagged[..at], &tagged[at + 1..]));
    let has_part = key.is_some() || !tag.is_empty() || !digest.is_empty();
    let (name, new_name) = key.map_or((name, ""), |key| (key, name));
    if !has_part || name.is_empty() {
        return Err(format!(
            "{argument} is not an image: write NAME=NEWNAME:TAG, NAME:TAG or NAME@DIGEST"
        ));
    }
    let entry = text.entry("images", name);
    let part = |key: &str, new: &str| {
        let old = || entry.as_ref().and_then(|entry| entry.text_of(key)).map(str::to_owned);
        let new = if new == "*" { old() } else { Some(new.to_owned()).filter(|it| !it.is_empty()) };
        entry_value(key, new.map(Node::string))
    };
    let values = [part("newName", new_name), part("newTag", tag), part("digest", digest)];
    text.set_entry("images", name, &values)
}

fn set_replicas(text: &mut KustomizationText, argument: &str) -> EditResult {
    let pair = argument.split_once('=').filter(|(_, count)| count.parse::<i64>().is_ok());
    let (name, count) = pair.ok_or_else(|| format!("{argument} is not of the form NAME=COUNT"))?;
    let values = [entry_value("count", Some(Node::plain(count)))];
    text.set_entry("replicas", name, &values)
}

fn label_kind(args: &PairArgs) -> PairKind {
    if args.without_selector {
        PairKind::LabelOnly { in_templates: args.include_templates }
    } else {
        PairKind::Label
    }
}

fn set_pairs(
    text: &mut KustomizationText,
    kind: PairKind,
    args: &PairArgs,
    overwrites: bool,
) -> EditResult {
    for pair in &args.pairs {
        let (key, value) = pair.split_once(':').unwrap_or((pair, ""));
        if key.is_empty() {
            return Err(format!("{pair} has no key: write KEY:VALUE"));
        }
        let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        text.set_pair(kind, (key, quoted.unwrap_or(value)), overwrites)?;
    }
    Ok(())
}

fn remove_pairs(text: &mut KustomizationText, kind: PairKind, args: &KeyArgs) -> EditResult {
    args.keys.iter().try_for_each(|key| match text.remove_pair(kind, key) {
        Err(why) if !args.ignore_non_existence => Err(why),
        _ => Ok(()),
    })
}

fn add_texts(text: &mut KustomizationText, field: &str, all: &[String]) -> EditResult {
    all.iter().try_for_each(|it| text.add_text(field, it))
}

fn patch_entry(args: &PatchArgs) -> Node {
    let parts = [
        ("group", &args.group),
        ("version", &args.version),
        ("kind", &args.kind),
        ("name", &args.name),
        ("namespace", &args.namespace),
        ("annotationSelector", &args.annotation_selector),
        ("labelSelector", &args.label_selector),
    ];
    let given =
        |(key, text): (&'static str, &Option<String>)| Some((key, Node::string(text.as_deref()?)));
    let target = mapping_of(parts.into_iter().filter_map(given));
    let target = Some(("target", target)).filter(|(_, target)| !target.entries().is_empty());
    let patch = [("path", &args.path), ("patch", &args.patch)];
    mapping_of(patch.into_iter().filter_map(given).chain(target))
}

fn generator_entry(args: &AddGeneratorArgs) -> Node {
    let word = |key, text: &Option<String>| Some((key, Node::string(text.as_deref()?)));
    let list = |key, texts: &[String]| {
        let items: Vec<Node> = texts.iter().map(|it| Node::string(it.as_str())).collect();
        Some((key, Node::sequence(items))).filter(|_| !texts.is_empty())
    };
    let without_hash = || mapping_of([("disableNameSuffixHash", Node::plain("true"))]);
    let parts = [
        Some(("name", Node::string(args.name.as_str()))),
        word("namespace", &args.namespace),
        word("behavior", &args.behavior),
        word("type", &args.kind),
        list("literals", &args.from_literal),
        list("files", &args.from_file),
        list("envs", args.from_env_file.as_slice()),
        args.disable_name_suffix_hash.then(|| ("options", without_hash())),
    ];
    mapping_of(parts.into_iter().flatten())
}

/// Changes literals of a generator, and its namespace if the arguments contain a new one.
fn set_generator(text: &mut KustomizationText, field: &str, args: &SetGenerator) -> EditResult {
    let own = (&*args.name, args.namespace.as_deref());
    for literal in &args.from_literal {
        let pair = literal
            .split_once('=')
            .ok_or_else(|| format!("{literal} is not of the form KEY=VALUE"))?;
        text.set_literal(field, own, pair)?;
    }
    match &args.new_namespace {
        Some(new) => text.move_generator(field, own, new),
        None => Ok(()),
    }
}

fn remove_paths(text: &mut KustomizationText, field: &str, args: &PathArgs) -> EditResult {
    for pattern in &args.paths {
        let wild = go_path(pattern);
        let is_wild = |text: &str| wild.as_ref().is_some_and(|wild| wild.is_match(text));
        let is_it = |item: &Node| item.text().is_some_and(is_wild);
        if text.remove_entries(field, is_it)? == 0 {
            text.notes.push(format!("{field} has no {pattern}"));
        }
    }
    Ok(())
}

/// Removes the entries with these names in a namespace; an error if there are none.
fn remove_named(
    text: &mut KustomizationText,
    field: &str,
    names: &[String],
    namespace: Option<&str>,
) -> EditResult {
    let mut removed = 0;
    for name in names {
        let is_it = |item: &Node| {
            let own = item.text_of("namespace").unwrap_or("default");
            item.text_of("name") == Some(name) && own == namespace.unwrap_or("default")
        };
        let count = text.remove_entries(field, is_it)?;
        if count == 0 {
            text.notes.push(format!("{field} has no {name}"));
        }
        removed += count;
    }
    if removed == 0 { Err(format!("{field} has no such entry")) } else { Ok(()) }
}
