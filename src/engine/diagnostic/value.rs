//! A diagnostic as a value: content, location, resource and fix.

use std::path::PathBuf;
use std::sync::Arc;

use crate::resource::{ResId, Slot};
use crate::yaml::Mark;

use super::object::{EntryMove, StepName};
use super::{Code, DiagnosticContent, Hint, Remark, Severity};

/// A finding about a build. Its content is a [`Remark`], or a type of a caller that contains one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic<R = Remark> {
    pub remark: R,
    /// Overrides the hint of the rule's row.
    pub hint: Option<Hint>,
    pub mark: Mark,
    pub subject: Option<DiagnosticSubject>,
    /// A path in the resource, with dots.
    pub field: Option<String>,
    pub related: Vec<RelatedLocation>,
    /// A proposal, not yet verified.
    pub fix: Option<Fix>,
}

/// A resource that a diagnostic is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagnosticSubject {
    pub slot: Option<Slot>,
    pub kind: Arc<str>,
    /// The name of the resource at the step of the diagnostic.
    pub name: Arc<str>,
}

/// A further location, and its relation to the diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedLocation {
    pub mark: Mark,
    pub relation: Relation,
}

/// The relation of a further location to a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The value that an entry would write is already written there.
    Origin,
    /// Another step, or the entry of that step, overrides the value there.
    OverriddenBy(StepName),
    /// The placeholder of the var with this name.
    Placeholder(String),
}

/// A change of a source file that resolves a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    SetValues(Vec<ValueReplacement>),
    /// The hint describes the change. No single change is sure to be the intended one.
    ByHand,
    RemoveEntry,
    /// One of several targets of an entry of `replacements` is removed, given by its index.
    RemoveTarget(usize),
    /// The entry moves below another entry of its list, which is given by its index among the
    /// active entries.
    MoveBelow(usize),
    /// An entry of another list than that of the diagnostic's entry moves within its own list.
    MoveEntry(EntryMove),
    /// A deprecated field of the kustomization file is written in its new form.
    Migrate(String),
    RemoveField(String),
    /// The entry moves to the end of another list of its file.
    MoveToList(&'static str),
    /// Parts of one file are replaced, in words.
    SetText {
        changes: Vec<TextChange>,
        words: String,
        /// True for a similar name in place of a wrong one. If a failing build succeeds with it,
        /// its output is another one than the author has ever seen.
        is_guess: bool,
    },
    /// A new file beside the kustomization file, and an entry for it in a list of the kustomization
    /// file. If another fix creates the same file, the text after the first line is appended.
    AddFile {
        field: String,
        name: String,
        text: String,
    },
}

impl Fix {
    /// The same fix as a guess about the intention of the author.
    #[must_use]
    pub fn as_guess(self) -> Self {
        match self {
            Self::SetText { changes, words, .. } => {
                Self::SetText { changes, words, is_guess: true }
            }
            other => other,
        }
    }
}

/// A replacement in the text of a file; creates the file if it does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChange {
    /// The absolute path of the file.
    pub file: PathBuf,
    /// The byte at which the old text begins.
    pub at: usize,
    pub was: String,
    pub with: String,
}

/// A replacement of one value of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueReplacement {
    /// The keys from the entry on: `target`, `name`.
    pub path: Vec<String>,
    pub was: String,
    /// The new value; `None` to remove the field.
    pub with: Option<String>,
}

impl<R> Diagnostic<R> {
    /// Creates a diagnostic with the hint of the rule's row, if the row has one.
    pub fn new(remark: impl Into<R>, mark: Mark) -> Self {
        Self {
            remark: remark.into(),
            hint: None,
            mark,
            subject: None,
            field: None,
            related: Vec::new(),
            fix: None,
        }
    }

    /// Overrides the hint of the rule's row.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Hint>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the resource that the diagnostic is about.
    #[must_use]
    pub fn with_subject(mut self, slot: Option<Slot>, kind: &Arc<str>, name: &Arc<str>) -> Self {
        self.subject = Some(DiagnosticSubject { slot, kind: kind.clone(), name: name.clone() });
        self
    }

    /// Sets the resource that the diagnostic is about.
    #[must_use]
    pub fn about(self, slot: Slot, id: &ResId) -> Self {
        self.with_subject(Some(slot), &id.gvk.kind, &id.name)
    }

    /// Sets the field of the resource.
    #[must_use]
    pub fn field(mut self, path: impl Into<String>) -> Self {
        self.field = Some(path.into());
        self
    }

    /// Adds a further location with its relation to the diagnostic.
    #[must_use]
    pub fn related(mut self, mark: Mark, relation: Relation) -> Self {
        self.related.push(RelatedLocation { mark, relation });
        self
    }

    /// Sets the fix.
    #[must_use]
    pub fn fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    /// The same diagnostic with a wider type of content.
    pub fn widen<S: From<R>>(self) -> Diagnostic<S> {
        let Self { remark, hint, mark, subject, field, related, fix } = self;
        Diagnostic { remark: remark.into(), hint, mark, subject, field, related, fix }
    }
}

impl<R: DiagnosticContent> Diagnostic<R> {
    /// The code of the rule that the diagnostic belongs to.
    pub fn code(&self) -> Code {
        self.remark.code()
    }

    /// The severity of the diagnostic's rule.
    pub fn severity(&self) -> Severity {
        self.code().severity()
    }

    /// The message, in one sentence.
    pub fn message(&self) -> String {
        self.remark.to_string()
    }

    /// The hint of the diagnostic; without one, the hint of the rule's row.
    pub fn advice(&self) -> Option<String> {
        self.hint.as_ref().or_else(|| self.remark.hint()).map(ToString::to_string)
    }
}
