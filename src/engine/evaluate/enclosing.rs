//! Settings that a layer inherits from the layers around it.

/// Settings of a layer that come from the enclosing layers and are restored at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EnclosingSettings {
    /// The namespace of this layer, or of the nearest enclosing one that has one.
    pub(super) namespace: String,
    composing: Vec<String>,
}

impl EnclosingSettings {
    /// The same settings, with the namespace of the layer if it sets one.
    pub(super) fn with_namespace(&self, own: Option<&str>) -> Self {
        let namespace = own.unwrap_or(&self.namespace);
        Self { namespace: namespace.to_owned(), composing: self.composing.clone() }
    }

    pub(super) fn within_composition(&self, file: &str) -> Self {
        let files = self.composing.iter().map(String::as_str).chain([file]);
        Self { namespace: self.namespace.clone(), composing: files.map(str::to_owned).collect() }
    }

    pub(super) fn is_composing(&self, file: &str) -> bool {
        self.composing.iter().any(|composing| composing == file)
    }
}
