//! A diagnostic as a value: what it is about, where, and what would mend it.

use std::sync::Arc;

use crate::resource::{Narrowing, Slot};
use crate::yaml::Mark;

use super::{Code, Severity};

/// Something that a person should know although nothing failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule.
    pub code: Code,
    /// What is the case, in one sentence.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Where.
    pub mark: Mark,
    /// Why nothing was reached, where that is what it is about.
    pub why: Option<WhyNot>,
    /// The resource that it is about.
    pub subject: Option<Subject>,
    /// The field of that resource, as a path with dots.
    pub field: Option<String>,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// What would mend it. It is a proposal until it has been tried.
    pub fix: Option<Fix>,
}

/// A resource that a diagnostic is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its identity in the recording.
    pub slot: Option<Slot>,
    /// Its kind.
    pub kind: Arc<str>,
    /// Its name at that step.
    pub name: Arc<str>,
}

/// A further place, and what it has to do with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub mark: Mark,
    /// In words.
    pub words: String,
}

/// A change of a source file that would mend something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Values of the entry that the diagnostic stands at get other texts.
    SetValues(Vec<SetValue>),
    /// What the hint says. A person has to decide: no one change of the file is sure to be what is meant.
    ByHand,
    /// The entry goes.
    RemoveEntry,
    /// The entry moves below another of its list, given by its place among the active ones.
    MoveBelow(usize),
    /// An entry of another list than that of the entry that the diagnostic stands at moves below one of its own list; both are
    /// given by their places among the active ones.
    MoveEntry {
        /// The kustomization file, absolute.
        file: Arc<str>,
        /// The list.
        field: String,
        /// The entry.
        entry: usize,
        /// The one that it goes below.
        below: usize,
        /// What that is, with both entries by their names.
        words: String,
    },
    /// A field of the kustomization file gets a further entry.
    AddEntry {
        /// The field.
        field: String,
        /// The entry as YAML, without its dash.
        text: String,
    },
    /// A deprecated field of the kustomization file is written in its new form.
    Migrate(String),
    /// A field of the kustomization file goes.
    RemoveField(String),
    /// A new file stands beside the kustomization file, and a list of the latter names it.
    AddFile {
        /// The list.
        field: String,
        /// The name of the file.
        name: String,
        /// What is in it. When the file is one that another fix makes, what comes behind its first line is added.
        text: String,
    },
}

/// One value of an entry that is to be another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetValue {
    /// The keys from the entry on: `target`, `name`.
    pub path: Vec<String>,
    /// What it says now.
    pub was: String,
    /// What it is to say; nothing to take the field away.
    pub with: Option<String>,
}

/// Why a target or a reference reached nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// A selector selects nothing.
    Target(Box<Narrowing>),
    /// A reference was left alone although it names what a resource was called before.
    Reference {
        /// The field, as a path.
        field: String,
        /// The name in it.
        says: String,
        /// The resource that once had the name.
        meant: String,
        /// What kept them apart.
        held_back: String,
    },
}

impl Diagnostic {
    /// What is the case, and where.
    pub fn new(code: Code, message: impl Into<String>, mark: Mark) -> Self {
        Self {
            code,
            message: message.into(),
            hint: None,
            mark,
            why: None,
            subject: None,
            field: None,
            related: Vec::new(),
            fix: None,
        }
    }

    /// With what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// About this resource.
    #[must_use]
    pub fn about(mut self, slot: Option<Slot>, kind: &Arc<str>, name: &Arc<str>) -> Self {
        self.subject = Some(Subject { slot, kind: kind.clone(), name: name.clone() });
        self
    }

    /// About this field of it.
    #[must_use]
    pub fn field(mut self, path: impl Into<String>) -> Self {
        self.field = Some(path.into());
        self
    }

    /// With a further place.
    #[must_use]
    pub fn related(mut self, mark: Mark, words: impl Into<String>) -> Self {
        self.related.push(Related { mark, words: words.into() });
        self
    }

    /// With what may mend it.
    #[must_use]
    pub fn fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    /// A target, told in words, that matches nothing.
    pub fn of_target(code: Code, what: &str, why: Narrowing, mark: Mark) -> Self {
        let message = format!("{what} matches nothing: {why}");
        let hint = why.hint.as_ref().map(ToString::to_string);
        Self { hint, why: Some(WhyNot::Target(Box::new(why))), ..Self::new(code, message, mark) }
    }

    /// True for one of the same rule that says the same, wherever.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.code == other.code && self.message == other.message
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}
