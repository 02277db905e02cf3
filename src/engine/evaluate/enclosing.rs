//! Settings that a layer inherits from the layers around it.

/// Settings of a layer that come from the enclosing layers and are restored at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EnclosingSettings {
    /// The namespace of this layer, or of the nearest enclosing one that has one.
    pub(super) namespace: String,
    /// The Composition files that are being evaluated.
    pub(super) composing: Vec<String>,
}

impl EnclosingSettings {
    pub(super) fn with_namespace(&self, own: Option<&str>) -> Self {
        let namespace = own.unwrap_or(&self.namespace).to_owned();
        Self { namespace, ..self.clone() }
    }

    pub(super) fn within_composition(&self, file: &str) -> Self {
        let files = self.composing.iter().map(String::as_str).chain([file]);
        Self { namespace: self.namespace.clone(), composing: files.map(str::to_owned).collect() }
    }
}
