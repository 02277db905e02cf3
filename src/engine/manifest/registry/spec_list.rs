//! The lists of field specs that a `configurations` file has.

use super::registry;

struct Row {
    key: &'static str,
    title: &'static str,
}

const fn row(key: &'static str, title: &'static str) -> Row {
    Row { key, title }
}

registry! {
    /// A list of field specs (Kustomize: the fields of `builtinconfig.TransformerConfig`, `nameReference` excepted), in the
    /// order in which lists are merged.
    pub enum SpecList of Row {
        /// `namePrefix`
        NamePrefix => row("namePrefix", "NamePrefix fieldSpec"),
        /// `nameSuffix`
        NameSuffix => row("nameSuffix", "NameSuffix fieldSpec"),
        /// `namespace`
        Namespace => row("namespace", "NameSpace fieldSpec"),
        /// `commonAnnotations`
        CommonAnnotations => row("commonAnnotations", "CommonAnnotations fieldSpec"),
        /// `commonLabels`
        CommonLabels => row("commonLabels", "CommonLabels fieldSpec"),
        /// `labels`
        Labels => row("labels", "Labels fieldSpec"),
        /// `templateLabels`
        TemplateLabels => row("templateLabels", "TemplateLabels fieldSpec"),
        /// `volumeClaimTemplateLabels`
        VolumeClaimTemplateLabels => row("volumeClaimTemplateLabels", "VolumeClaimTemplateLabels fieldSpec"),
        /// `varReference`
        VarReference => row("varReference", "VarReference fieldSpec"),
        /// `images`
        Images => row("images", "Images fieldSpec"),
        /// `replicas`
        Replicas => row("replicas", "Replicas fieldSpec"),
    }
}

impl SpecList {
    /// Its key in a `configurations` file.
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    /// What Kustomize calls it when two specs of it disagree.
    pub(in crate::manifest) const fn title(self) -> &'static str {
        self.row().title
    }

    /// The list behind a key.
    pub(in crate::manifest) fn of(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|list| list.key() == key)
    }
}
