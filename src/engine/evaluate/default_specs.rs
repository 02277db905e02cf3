//! Default field specs of built-in entries (section A.10, D-A22 and D-A23).

use crate::diagnostic::{CompositionRemark, Diagnostic, LayerFault};
use crate::manifest::{
    Builtin, FieldSpec, Label, ManifestError, TransformerConfig, decode_label_transformer,
    merge_field_specs,
};
use crate::profile::Profile;
use crate::transform::{TransformError, label_specs};
use crate::yaml::{MappingEntry, Node, Style, Tag};

pub(super) struct ConfigWithSpecs {
    pub(super) config: Node,
    pub(super) warnings: Vec<Diagnostic>,
    /// True if the default set for labels was used, which includes selectors.
    pub(super) reaches_selectors: bool,
}

/// Fills in absent field specs with their defaults. In the `transformers` of a Kustomization absent
/// field specs mean none, as in Kustomize; in a Composition they mean the default set.
pub(super) fn fill_in_field_specs(
    config: &Node,
    is_in_composition: bool,
    profile: Profile,
) -> Result<ConfigWithSpecs, TransformError> {
    let mut out =
        ConfigWithSpecs { config: config.clone(), warnings: Vec::new(), reaches_selectors: false };
    let kind = config.text_of("kind").unwrap_or_default();
    let defaults = TransformerConfig::shared_default(profile);
    let builtin = Builtin::from_kind(kind);
    let Some(list) = builtin.and_then(Builtin::specs) else { return Ok(out) };
    let is_label = builtin == Some(Builtin::LabelTransformer);
    let default = defaults.list(list);
    let given = config.get("fieldSpecs").filter(|specs| !specs.is_null());
    let merges = is_merge_strategy(config)?;
    if !is_in_composition && !merges {
        return Ok(out);
    }
    let has_switch =
        || INCLUDE_SWITCHES.iter().any(|key| config.get(key).is_some_and(|node| !node.is_null()));
    if is_label && is_in_composition && has_switch() {
        let (specs, warnings) = label_field_specs(config, &defaults)?;
        out.warnings = warnings;
        set_field_specs(&mut out.config, &specs);
        return Ok(out);
    }
    match given {
        Some(given) if given.is_empty_collection() && !merges => {
            out.warnings.push(Diagnostic::new(CompositionRemark::NoFieldSpecs, given.mark));
        }
        Some(_) if !merges => {}
        None => {
            out.reaches_selectors = is_label;
            set_field_specs(&mut out.config, default);
        }
        Some(given) => {
            let mut specs = default.to_vec();
            merge_field_specs(&mut specs, &read(given), list.key())
                .map_err(|conflict| ManifestError { mark: given.mark, ..*conflict })?;
            out.reaches_selectors = is_label;
            set_field_specs(&mut out.config, &specs);
        }
    }
    Ok(out)
}

/// True if `fieldSpecStrategy` merges; the default is `replace`.
fn is_merge_strategy(config: &Node) -> Result<bool, TransformError> {
    let Some(strategy) = config.get("fieldSpecStrategy").filter(|node| !node.is_null()) else {
        return Ok(false);
    };
    match strategy.text() {
        Some("merge") => Ok(true),
        Some("replace" | "") => Ok(false),
        other => {
            let word = other.unwrap_or_default().to_owned();
            Err(TransformError::fault(LayerFault::UnknownSpecStrategy(word), strategy.mark))
        }
    }
}

const INCLUDE_SWITCHES: [&str; 3] =
    ["includeSelectors", "includeTemplates", "includeVolumeClaimTemplates"];

/// D-A23: the default field specs of a label transformer. Its switches have the same meaning as in
/// `labels`, but selectors are included by default.
fn label_field_specs(
    config: &Node,
    defaults: &TransformerConfig,
) -> Result<(Vec<FieldSpec>, Vec<Diagnostic>), TransformError> {
    let switch = |key: &str| config.text_of(key).map(|text| text == "true");
    let args = decode_label_transformer(config)?;
    let label = Label {
        pairs: args.pairs.value,
        include_selectors: switch("includeSelectors").unwrap_or(true),
        include_templates: switch("includeTemplates").unwrap_or(false),
        include_volume_claim_templates: switch("includeVolumeClaimTemplates").unwrap_or(false),
        fields: args.field_specs,
    };
    // Only Compositions have these options, and they are built as the newest release builds them.
    label_specs(&label, defaults, (Profile::MASTER, config.mark))
}

fn read(node: &Node) -> Vec<FieldSpec> {
    let text = |item: &Node, key: &str| item.text_of(key).unwrap_or_default().to_owned();
    let items = node.items().unwrap_or_default().iter();
    let specs = items.map(|item| FieldSpec {
        gvk: crate::resource::Gvk {
            group: text(item, "group").into(),
            version: text(item, "version").into(),
            kind: text(item, "kind").into(),
        },
        path: text(item, "path"),
        create: text(item, "create") == "true",
    });
    specs.collect()
}

fn set_field_specs(config: &mut Node, specs: &[FieldSpec]) {
    let mark = config.mark;
    let field = |key: &str, text: &str, tag: Tag| MappingEntry {
        key: Node::plain(key).marked(mark),
        value: Node::scalar(text, tag, Style::Plain).marked(mark),
    };
    let items = specs.iter().map(|spec| {
        let mut node = Node::mapping().marked(mark);
        if let Some(mapping) = node.as_mapping_mut() {
            let gvk = &spec.gvk;
            let parts = [("group", &gvk.group), ("version", &gvk.version), ("kind", &gvk.kind)];
            for (key, part) in parts {
                if !part.is_empty() {
                    mapping.entries.push(field(key, part, Tag::Str));
                }
            }
            mapping.entries.push(field("path", &spec.path, Tag::Str));
            if spec.create {
                mapping.entries.push(field("create", "true", Tag::Bool));
            }
        }
        node
    });
    let list = Node::sequence(items.collect()).marked(mark);
    config.set("fieldSpecs", list);
}
