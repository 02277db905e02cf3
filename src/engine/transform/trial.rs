//! For the tests of the transformers: resources from text, and back to text.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::resource::{ResMap, Resource, SchemaInForce, Scopes};
use crate::yaml::{Limits, Mark, SourceId, WriterId, parse_documents, print_documents};

use super::{Context, TransformError, Transformer};

pub(super) const STEP: Mark = Mark { source: SourceId(9), line: 9, column: 9, writer: WriterId(9) };

pub(super) struct TransformTrial {
    pub(super) resources: ResMap,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) matched: usize,
}

impl TransformTrial {
    pub(super) fn from_text(text: &str) -> Self {
        let mut trial = Self {
            resources: ResMap::starting_at(0, Arc::new(Scopes::default())),
            warnings: Vec::new(),
            matched: 0,
        };
        trial.add(text);
        trial
    }

    pub(super) fn add(&mut self, text: &str) {
        let scopes = self.resources.scopes().clone();
        let file = parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
        for document in file.documents {
            self.resources.append(Resource::new(document.node, &scopes)).unwrap();
        }
    }

    pub(super) fn run(
        &mut self,
        transformer: &dyn Transformer,
    ) -> Result<&mut Self, TransformError> {
        let schema = SchemaInForce::default();
        let mut sources = crate::load::SourceNumbers::default();
        let profile = crate::profile::Profile::MASTER;
        let mut cx = Context::new(profile, &schema, &mut sources, STEP);
        transformer.transform(&mut self.resources, &mut cx)?;
        self.matched = cx.matched;
        self.warnings.extend(cx.warnings);
        Ok(self)
    }

    pub(super) fn text(&self) -> String {
        print_documents(self.resources.iter().map(|(_, resource)| &resource.node)).unwrap()
    }

    pub(super) fn codes(&self) -> Vec<&'static str> {
        self.warnings.iter().map(|warning| warning.code().as_str()).collect()
    }
}
