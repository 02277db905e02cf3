//! Creates built-in plugins from their configuration objects with `apiVersion: builtin` (section
//! 4.16).

use crate::diagnostic::{FailedOperation, Hint, PluginFault};
use crate::manifest::{
    Builtin, GeneratorOptions, ManifestError, Marked, PluginRole, ReplacementArgs, ValueAddArgs,
    decode_annotations_transformer, decode_generator, decode_hash_transformer,
    decode_label_transformer, decode_patch_json6902, decode_patch_transformer, decode_plain,
    decode_plugin, plain_builtins,
};
use crate::transform::{
    Affixes, DataGenerator, Generator, HashTransformer, IamPolicyGenerator, NamespaceTransformer,
    PairsTransformer, PatchTransformer, TransformError, Transformer, ValueAddTransformer,
    plain_transformers,
};
use crate::yaml::{Limits, Mark, Node, check_document, parse_config, with_printed_texts};

use crate::evaluate::build::cannot_load;
use crate::evaluate::configured::PluginConfig;
use crate::evaluate::default_specs::fill_in_field_specs;

use super::Planner;

type BoxedResult<T> = Result<Box<T>, TransformError>;

impl Planner<'_> {
    pub(in crate::evaluate) fn builtin_transformer(
        &mut self,
        configured: &PluginConfig<'_>,
    ) -> BoxedResult<dyn Transformer> {
        let builtin = match Builtin::from_kind(&configured.config.id.gvk.kind) {
            Some(builtin) if builtin.role() == PluginRole::Transformer => builtin,
            Some(builtin) if builtin.role() == PluginRole::Generator => {
                return Err(misplaced_plugin_error(configured, "transformer", "generators"));
            }
            _ => return Err(unknown(configured)),
        };
        // D-A22: in a configuration object absent `fieldSpecs` means none, unless
        // `fieldSpecStrategy: merge` adds the defaults. In a Composition the specs are already
        // expanded.
        let profile = self.level.root.profile();
        let specified = fill_in_field_specs(&configured.config.node, false, profile)?;
        let config = reparse_printed(&specified.config, configured)?;
        self.make_transformer(builtin, &config, configured)
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each plugin")]
    fn make_transformer(
        &mut self,
        builtin: Builtin,
        config: &Node,
        configured: &PluginConfig<'_>,
    ) -> BoxedResult<dyn Transformer> {
        let failed = |error: ManifestError| manifest_error(error, configured);
        Ok(match builtin {
            Builtin::NamespaceTransformer => {
                Box::new(NamespaceTransformer::configured(config).map_err(failed)?)
            }
            Builtin::PrefixTransformer
            | Builtin::SuffixTransformer
            | Builtin::PrefixSuffixTransformer => {
                let args = decode_plugin(config).map_err(failed)?;
                Box::new(Affixes::configured(builtin, args, configured.mark)?)
            }
            Builtin::LabelTransformer => {
                let args = decode_label_transformer(config).map_err(failed)?;
                Box::new(PairsTransformer::new(args.pairs.value, args.field_specs))
            }
            Builtin::AnnotationsTransformer => {
                let args = decode_annotations_transformer(config).map_err(failed)?;
                Box::new(PairsTransformer::new(args.pairs.value, args.field_specs))
            }
            plain_builtins!() => {
                let (value, specs) = decode_plain(config, builtin).map_err(failed)?;
                let told = [Marked { value, mark: configured.mark }];
                let profile = self.level.root.profile();
                let made = plain_transformers(builtin, &told, &specs, profile).pop();
                return made.map(|(_, made)| made).ok_or_else(|| unknown(configured));
            }
            Builtin::HashTransformer => {
                decode_hash_transformer(config).map_err(failed)?;
                Box::new(HashTransformer)
            }
            Builtin::ValueAddTransformer => {
                let mut args: ValueAddArgs = decode_plugin(config).map_err(failed)?;
                if !args.target_file_path.is_empty() {
                    let file = self.read_value_targets(&args.target_file_path, configured)?;
                    let of_file: ValueAddArgs = decode_plugin(&file).map_err(failed)?;
                    args.targets.extend(of_file.targets);
                }
                let root = self.level.root.path().file_name().unwrap_or_default().to_string_lossy();
                Box::new(ValueAddTransformer::new(&args, &root)?)
            }
            Builtin::PatchTransformer => {
                let args = decode_patch_transformer(config).map_err(failed)?;
                Box::new(PatchTransformer::load(&args, self.level.root, self.sources)?)
            }
            Builtin::PatchJson6902Transformer => {
                let value = decode_patch_json6902(config).map_err(failed)?;
                let patch = Marked { value, mark: configured.mark };
                Box::new(PatchTransformer::load_json6902(&patch, self.level.root, self.sources)?)
            }
            Builtin::PatchStrategicMergeTransformer => {
                let args = decode_plugin(config).map_err(failed)?;
                return self.strategic_merge_transformer(&args, configured.mark);
            }
            Builtin::ReplacementTransformer => {
                let args: ReplacementArgs = decode_plugin(config).map_err(failed)?;
                return self.replacement_transformer(&args.replacements);
            }
            Builtin::ConfigMapGenerator
            | Builtin::SecretGenerator
            | Builtin::HelmChartInflationGenerator
            | Builtin::IamPolicyGenerator
            | Builtin::ResourceAccumulator => return Err(unknown(configured)),
        })
    }

    fn read_value_targets(
        &mut self,
        path: &str,
        configured: &PluginConfig<'_>,
    ) -> Result<Node, TransformError> {
        let (mark, reading) = (configured.mark, "targetFilePath");
        let loaded = self.level.root.load(path);
        let loaded = loaded.map_err(|source| cannot_load(reading, mark, source))?;
        let source = self.sources.intern(&loaded.path);
        let parsed = parse_config(&loaded.bytes, source, Limits::default());
        parsed.map(Option::unwrap_or_default).map_err(|error| {
            let mark = Mark { source, line: error.line, column: error.column, ..Mark::default() };
            TransformError::Yaml { reading: reading.into(), mark, source: error }
        })
    }
}

/// Creates the generator that an object configures; `chart` creates that of a Helm chart, from the
/// object as the plugin reads it.
#[allow(clippy::unnested_or_patterns, reason = "a pattern of the registry is one row or several")]
pub(in crate::evaluate) fn builtin_generator(
    configured: &PluginConfig<'_>,
    chart: impl FnOnce(&Node) -> BoxedResult<dyn Generator>,
) -> BoxedResult<dyn Generator> {
    let builtin = match Builtin::from_kind(&configured.config.id.gvk.kind) {
        Some(builtin) if builtin.role() == PluginRole::Transformer => {
            return Err(misplaced_plugin_error(configured, "generator", "transformers")
                .within(FailedOperation::LoadingGenerator));
        }
        Some(builtin) => builtin,
        None => return Err(unknown(configured)),
    };
    let config = reparse_printed(&configured.config.node, configured)?;
    let failed = |error: ManifestError| manifest_error(error, configured);
    Ok(match builtin {
        Builtin::ConfigMapGenerator | Builtin::SecretGenerator => {
            let args = decode_generator(&config, builtin).map_err(failed)?;
            let is_secret = builtin == Builtin::SecretGenerator;
            let (options, mark) = (GeneratorOptions::default(), configured.mark);
            Box::new(DataGenerator { args, options, mark, is_secret })
        }
        Builtin::IamPolicyGenerator => {
            Box::new(IamPolicyGenerator { args: decode_plugin(&config).map_err(failed)? })
        }
        Builtin::HelmChartInflationGenerator => return chart(&config),
        Builtin::ResourceAccumulator
        | Builtin::AnnotationsTransformer
        | Builtin::HashTransformer
        | Builtin::LabelTransformer
        | Builtin::NamespaceTransformer
        | Builtin::PatchJson6902Transformer
        | Builtin::PatchStrategicMergeTransformer
        | Builtin::PatchTransformer
        | Builtin::PrefixSuffixTransformer
        | Builtin::PrefixTransformer
        | Builtin::ReplacementTransformer
        | plain_builtins!()
        | Builtin::SuffixTransformer
        | Builtin::ValueAddTransformer => return Err(unknown(configured)),
    })
}

/// Converts the configuration of a plugin as Kustomize does, which prints the object and lets the
/// plugin read the printed text.
fn reparse_printed(config: &Node, configured: &PluginConfig<'_>) -> Result<Node, TransformError> {
    let printed = check_document(config).and_then(|()| with_printed_texts(config));
    printed.map_err(|source| TransformError::Yaml {
        reading: format!("marshalling yaml from res {}", configured.config.id).into(),
        mark: configured.mark,
        source,
    })
}

fn manifest_error(error: ManifestError, configured: &PluginConfig<'_>) -> TransformError {
    let mark = if error.mark.line > 0 { error.mark } else { configured.mark };
    ManifestError { mark, ..error }.into()
}

fn misplaced_plugin_error(
    configured: &PluginConfig<'_>,
    role: &'static str,
    field: &str,
) -> TransformError {
    let hint = format!("list it under `{field}:`");
    let text = format!("plugin {} not a {role}", configured.config.id);
    TransformError::fault(PluginFault::Other(text), configured.mark).with_hint(hint)
}

fn unknown(configured: &PluginConfig<'_>) -> TransformError {
    let gvk = &configured.config.id.gvk;
    let known = Builtin::ALL.iter().filter(|builtin| builtin.role() != PluginRole::Accumulator);
    let known = known.map(|builtin| builtin.kind());
    let near = crate::resource::nearest_name(&gvk.kind, known);
    let hint = near.map(|near| Hint::DidYouMean(near.to_owned()));
    let text = format!("unable to load builtin {gvk}");
    TransformError::fault(PluginFault::Other(text), configured.mark).with_hint_if(hint)
}
