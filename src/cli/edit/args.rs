//! The command line of `kzui edit`: that of `kustomize edit`, with `--dir` and `--dry-run`.

use clap::{Args, Subcommand};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui edit set image nginx=nginx:1.27 --dry-run\n  kzui edit --dir overlays/production set replicas web=3\n  kzui edit add resource configmap.yaml\n  kzui edit remove label team\n  kzui edit fix\n\nExit status: 0 on success, 1 if the file is not edited, 2 for a usage error."
)]
pub struct EditArgs {
    /// The directory with the kustomization file
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    pub dir: String,
    /// Show the diff and the changed outputs, and write no file
    #[arg(long, global = true)]
    pub dry_run: bool,
    /// The edit
    #[command(subcommand)]
    pub command: EditCommand,
}

// An edit of a kustomization file.
#[derive(Clone, Debug, Subcommand)]
pub enum EditCommand {
    /// Set the value of a field or an entry
    #[command(
        subcommand,
        after_help = "Examples:\n  kzui edit set image nginx=nginx:1.27\n  kzui edit set namespace staging\n  kzui edit set namesuffix -- -v2\n  kzui edit set configmap settings --from-literal=MODE=info\n\nExit status: 0 on success, 1 if the file is not edited, 2 for a usage error."
    )]
    Set(SetCommand),
    /// Add entries
    #[command(
        subcommand,
        after_help = "Examples:\n  kzui edit add resource '*.yaml'\n  kzui edit add configmap settings --from-literal=MODE=info\n  kzui edit add patch --path cpu.yaml --kind Deployment\n\nExit status: 0 on success, 1 if the file is not edited, 2 for a usage error."
    )]
    Add(Box<AddCommand>),
    /// Remove entries
    #[command(
        subcommand,
        after_help = "Examples:\n  kzui edit remove resource configmap.yaml\n  kzui edit remove label team,tier\n  kzui edit remove patch --path cpu.yaml --kind Deployment\n\nExit status: 0 on success, 1 if the file is not edited, 2 for a usage error."
    )]
    Remove(Box<RemoveCommand>),
    /// Write the deprecated fields of the file in their new form, as `kzui migrate` does
    #[command(
        after_help = "Examples:\n  kzui edit fix --dry-run\n\nExit status: 0 on success, 1 if a deprecated field is not rewritten, 2 for a usage error."
    )]
    Fix {
        /// Accepted for scripts of `kustomize edit fix`: vars are always included
        #[arg(long, hide = true)]
        vars: bool,
    },
    /// List the kinds of built-in plugins, as `kustomize edit alpha-list-builtin-plugin` does
    #[command(hide = true)]
    AlphaListBuiltinPlugin,
}

#[derive(Clone, Debug, Subcommand)]
pub enum SetCommand {
    /// Set names, tags and digests of images: NAME=NEWNAME:TAG, NAME:TAG, NAME@DIGEST; * keeps a part
    Image {
        /// Images with their new names, tags and digests
        #[arg(value_name = "IMAGE", required = true)]
        images: Vec<String>,
    },
    /// Set the namespace
    Namespace {
        /// The namespace of all resources
        #[arg(value_name = "NAMESPACE")]
        namespace: String,
    },
    /// Set the prefix of names
    #[command(name = "nameprefix")]
    NamePrefix {
        /// The text before all names
        #[arg(value_name = "PREFIX", allow_hyphen_values = true)]
        prefix: String,
    },
    /// Set the suffix of names
    #[command(name = "namesuffix")]
    NameSuffix {
        /// The text after all names
        #[arg(value_name = "SUFFIX", allow_hyphen_values = true)]
        suffix: String,
    },
    /// Set the number of replicas of resources
    Replicas {
        /// The resources with their numbers
        #[arg(value_name = "NAME=COUNT", required = true)]
        replicas: Vec<String>,
    },
    /// Set labels on all resources, selectors included
    Label(PairArgs),
    /// Set annotations on all resources
    Annotation(PairArgs),
    /// Set the options of buildMetadata
    #[command(name = "buildmetadata")]
    BuildMetadata(OptionArgs),
    /// Set literals or the namespace of `configMapGenerator`
    #[command(name = "configmap")]
    ConfigMap(SetGenerator),
    /// Set literals or the namespace of `secretGenerator`
    Secret(SetGenerator),
}

// Labels or annotations.
#[derive(Args, Clone, Debug)]
pub struct PairArgs {
    /// The keys with their values
    #[arg(value_name = "KEY:VALUE", required = true)]
    pub pairs: Vec<String>,
    /// For labels: leave selectors unchanged
    #[arg(long)]
    pub without_selector: bool,
    /// For labels, with --without-selector: set them in templates too
    #[arg(long, requires = "without_selector")]
    pub include_templates: bool,
}

// Added labels or annotations.
#[derive(Args, Clone, Debug)]
pub struct AddPairArgs {
    #[command(flatten)]
    pub pairs: PairArgs,
    /// Overwrite existing values
    #[arg(short, long)]
    pub force: bool,
}

// Options of `buildMetadata`.
#[derive(Args, Clone, Debug)]
pub struct OptionArgs {
    /// originAnnotations, transformerAnnotations, managedByLabel
    #[arg(value_name = "OPTION,…", value_delimiter = ',', required = true)]
    pub options: Vec<String>,
}

// The literals of a generator.
#[derive(Args, Clone, Debug)]
pub struct SetGenerator {
    /// The name of the generator
    #[arg(value_name = "NAME")]
    pub name: String,
    /// An existing literal of the generator, with its new value
    #[arg(long, value_name = "KEY=VALUE")]
    pub from_literal: Vec<String>,
    /// The namespace of the generator
    #[arg(long, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// The new namespace of the generator
    #[arg(long, value_name = "NAMESPACE")]
    pub new_namespace: Option<String>,
}

// Files of a list.
#[derive(Args, Clone, Debug)]
pub struct PathArgs {
    /// The files, folders or URLs; * matches names
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
    /// Do not check that the files, folders and URLs exist
    #[arg(long)]
    pub no_verify: bool,
}

// An entry of `patches`.
#[derive(Args, Clone, Debug)]
pub struct PatchArgs {
    /// The file of the patch
    #[arg(long, value_name = "FILE", conflicts_with = "patch")]
    pub path: Option<String>,
    /// The text of the patch
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub patch: Option<String>,
    /// The API group of its targets
    #[arg(long, value_name = "GROUP")]
    pub group: Option<String>,
    /// The API version of its targets
    #[arg(long, value_name = "VERSION")]
    pub version: Option<String>,
    /// The kind of its targets
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// The name of its targets
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The namespace of its targets
    #[arg(long, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// The annotations of its targets
    #[arg(long, value_name = "SELECTOR")]
    pub annotation_selector: Option<String>,
    /// The labels of its targets
    #[arg(long, value_name = "SELECTOR")]
    pub label_selector: Option<String>,
}

// A generator that gets values.
#[derive(Args, Clone, Debug)]
pub struct AddGeneratorArgs {
    /// The name of the generator
    #[arg(value_name = "NAME")]
    pub name: String,
    /// A key with its value
    #[arg(long, value_name = "KEY=VALUE")]
    pub from_literal: Vec<String>,
    /// A file, or a key with its file
    #[arg(long, value_name = "[KEY=]FILE", value_delimiter = ',')]
    pub from_file: Vec<String>,
    /// A file of keys with their values
    #[arg(long, value_name = "FILE")]
    pub from_env_file: Option<String>,
    /// create, merge or replace
    #[arg(long, value_name = "BEHAVIOR", value_parser = ["create", "merge", "replace"])]
    pub behavior: Option<String>,
    /// The namespace of the generated resource
    #[arg(long, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// The type of a Secret
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// Add no hash to the name
    #[arg(long = "disableNameSuffixHash", visible_alias = "disable-name-suffix-hash")]
    pub disable_name_suffix_hash: bool,
}

#[derive(Clone, Debug, Subcommand)]
pub enum AddCommand {
    /// Add resources
    Resource(PathArgs),
    /// Add components
    Component(PathArgs),
    /// Add bases to the resources
    Base {
        /// The folders
        #[arg(value_name = "DIR,…", value_delimiter = ',', required = true)]
        paths: Vec<String>,
    },
    /// Add entries of `generators`
    Generator(PathArgs),
    /// Add entries of `transformers`
    Transformer(PathArgs),
    /// Add files of transformer configurations
    Configuration(PathArgs),
    /// Add a patch
    Patch(PatchArgs),
    /// Add an entry of `configMapGenerator`, or values to one
    #[command(name = "configmap")]
    ConfigMap(AddGeneratorArgs),
    /// Add an entry of `secretGenerator`, or values to one
    Secret(AddGeneratorArgs),
    /// Add labels to all resources
    Label(AddPairArgs),
    /// Add annotations to all resources
    Annotation(AddPairArgs),
    /// Add options of buildMetadata
    #[command(name = "buildmetadata")]
    BuildMetadata(OptionArgs),
}

// Names that are removed.
#[derive(Args, Clone, Debug)]
pub struct KeyArgs {
    /// The keys to remove
    #[arg(value_name = "KEY,…", value_delimiter = ',', required = true)]
    pub keys: Vec<String>,
    /// Ignore missing keys
    #[arg(short, long)]
    pub ignore_non_existence: bool,
}

// Generators that are removed.
#[derive(Args, Clone, Debug)]
pub struct RemoveGenerator {
    /// The names of the generators
    #[arg(value_name = "NAME,…", value_delimiter = ',', required = true)]
    pub names: Vec<String>,
    /// The namespace of the generators
    #[arg(long, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
}

#[derive(Clone, Debug, Subcommand)]
pub enum RemoveCommand {
    /// Remove resources
    Resource(PathArgs),
    /// Remove components
    Component(PathArgs),
    /// Remove entries of `generators`
    Generator(PathArgs),
    /// Remove entries of `transformers`
    Transformer(PathArgs),
    /// Remove the entries of `patches` that are equal to the patch in the flags
    Patch(PatchArgs),
    /// Remove labels that the file adds to all resources
    Label(KeyArgs),
    /// Remove annotations that the file adds to all resources
    Annotation(KeyArgs),
    /// Remove entries of `configMapGenerator`
    #[command(name = "configmap")]
    ConfigMap(RemoveGenerator),
    /// Remove entries of `secretGenerator`
    Secret(RemoveGenerator),
    /// Remove images
    Image {
        /// The names of the images
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// Remove entries of `replicas`
    Replicas {
        /// The names of the resources
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// Remove options of buildMetadata
    #[command(name = "buildmetadata")]
    BuildMetadata(OptionArgs),
}
