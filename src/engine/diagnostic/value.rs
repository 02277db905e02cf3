//! A diagnostic as a value: what it is about, where, and what would mend it.

use std::sync::Arc;

use crate::resource::Slot;
use crate::yaml::Mark;

use super::object::{EntryMove, StepName};
use super::{Code, Hint, Remark, Severity};

/// Something that a person should know although nothing failed. What it says is a [`Remark`], or what somebody above has to say
/// besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic<R = Remark> {
    /// What is the case.
    pub remark: R,
    /// What to do about it.
    pub hint: Option<Hint>,
    /// Where.
    pub mark: Mark,
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
    /// What stands there.
    pub relation: Relation,
}

/// What stands at a further place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// What is so already was written there.
    Origin,
    /// What another step wrote instead, or the entry of that step.
    TakenBy(StepName),
    /// The placeholder of a var: its name.
    Placeholder(String),
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
    /// An entry of another list than that of the entry that the diagnostic stands at moves below one of its own list.
    MoveEntry(EntryMove),
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

/// What a diagnostic can say.
pub trait Says: std::fmt::Display {
    /// The rule that it belongs to.
    fn code(&self) -> Code;

    /// What to do about it, where the diagnostic has nothing else to say.
    fn hint(&self) -> Option<&Hint> {
        None
    }
}

impl Says for Remark {
    fn code(&self) -> Code {
        Self::code(self)
    }
}

impl<R> Diagnostic<R> {
    /// What is the case, and where.
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

    /// With what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Hint>) -> Self {
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
    pub fn related(mut self, mark: Mark, relation: Relation) -> Self {
        self.related.push(Related { mark, relation });
        self
    }

    /// With what may mend it.
    #[must_use]
    pub fn fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    /// The same, said by somebody above.
    pub fn said<S: From<R>>(self) -> Diagnostic<S> {
        let Self { remark, hint, mark, subject, field, related, fix } = self;
        Diagnostic { remark: remark.into(), hint, mark, subject, field, related, fix }
    }
}

impl<R: Says> Diagnostic<R> {
    /// Which rule.
    pub fn code(&self) -> Code {
        self.remark.code()
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code().severity()
    }

    /// What is the case, in one sentence.
    pub fn message(&self) -> String {
        self.remark.to_string()
    }

    /// What to do about it, in words.
    pub fn advice(&self) -> Option<String> {
        self.hint.as_ref().or_else(|| self.remark.hint()).map(ToString::to_string)
    }
}
