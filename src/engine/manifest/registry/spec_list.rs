//! The lists of field specs that a `configurations` file has.

use crate::manifest::{FieldSpec, TransformerConfig};

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

impl TransformerConfig {
    /// A list.
    pub fn list(&self, list: SpecList) -> &[FieldSpec] {
        match list {
            SpecList::NamePrefix => &self.name_prefix,
            SpecList::NameSuffix => &self.name_suffix,
            SpecList::Namespace => &self.namespace,
            SpecList::CommonAnnotations => &self.common_annotations,
            SpecList::CommonLabels => &self.common_labels,
            SpecList::Labels => &self.labels,
            SpecList::TemplateLabels => &self.template_labels,
            SpecList::VolumeClaimTemplateLabels => &self.volume_claim_template_labels,
            SpecList::VarReference => &self.var_reference,
            SpecList::Images => &self.images,
            SpecList::Replicas => &self.replicas,
        }
    }

    /// A list, to be written.
    pub(in crate::manifest) fn list_mut(&mut self, list: SpecList) -> &mut Vec<FieldSpec> {
        match list {
            SpecList::NamePrefix => &mut self.name_prefix,
            SpecList::NameSuffix => &mut self.name_suffix,
            SpecList::Namespace => &mut self.namespace,
            SpecList::CommonAnnotations => &mut self.common_annotations,
            SpecList::CommonLabels => &mut self.common_labels,
            SpecList::Labels => &mut self.labels,
            SpecList::TemplateLabels => &mut self.template_labels,
            SpecList::VolumeClaimTemplateLabels => &mut self.volume_claim_template_labels,
            SpecList::VarReference => &mut self.var_reference,
            SpecList::Images => &mut self.images,
            SpecList::Replicas => &mut self.replicas,
        }
    }
}
