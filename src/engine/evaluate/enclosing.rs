//! The enclosing context of a layer.

/// Settings of a layer that come from the enclosing layers and are restored at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EnclosingSettings {
    /// The namespace of this layer, or of the nearest enclosing one that has one.
    pub(super) namespace: String,
    /// The files of the running Compositions.
    composing: Vec<String>,
}

impl EnclosingSettings {
    /// The same with the layer's own namespace, if it has one.
    pub(super) fn with_namespace(&self, own: Option<&str>) -> Self {
        let namespace = own.unwrap_or(&self.namespace);
        Self { namespace: namespace.to_owned(), composing: self.composing.clone() }
    }

    /// The same within a Composition.
    pub(super) fn composing(&self, file: &str) -> Self {
        let files = self.composing.iter().map(String::as_str).chain([file]);
        Self { namespace: self.namespace.clone(), composing: files.map(str::to_owned).collect() }
    }

    /// True if the Composition of this file is running.
    pub(super) fn is_composing(&self, file: &str) -> bool {
        self.composing.iter().any(|composing| composing == file)
    }
}
