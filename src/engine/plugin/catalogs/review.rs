//! The review of a catalog before it is trusted, and after each change (B.11).

use crate::load::{Digest, SignatureVerdict};

use super::images::{ImageFacts, ImageView};
use super::named_files::NamedFile;
use super::pin::trusting_flag;
use super::record::{FileSnapshot, FunctionSnapshot, TrustRecord, TrustScope};
use super::trust::Sandbox;
use super::view::{CatalogEntryView, CatalogView};

/// The information for a trust decision about a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustReview {
    /// The digest of the content that was trusted last, and the time of that decision.
    pub previous: Option<(Digest, String)>,
    /// The changes since the decision, the most dangerous first. For a catalog that was never
    /// trusted: its requirements.
    pub changes: Vec<TrustChange>,
    /// The flags that a build needs to meet the requirements of its functions.
    pub needs: Vec<&'static str>,
    pub files: Vec<FileReview>,
    /// The flag that trusts exactly this content, for CI.
    pub flag: String,
    /// False if the catalog names scripts without digests, which the flag does not cover.
    pub flag_covers_all: bool,
}

/// A file of a catalog in a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReview {
    pub file: NamedFile,
    /// The content at the time of the last decision, if that was another one.
    pub before: Option<FileSnapshot>,
}

/// A change since the last decision, or a requirement of a new catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustChange {
    pub danger: Danger,
    /// The function: `group/version Kind`.
    pub function: String,
    pub what: String,
    /// The old value; empty if it is new.
    pub before: String,
    /// The new value; empty if it was removed.
    pub after: String,
}

/// How dangerous a change is, the most dangerous first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Danger {
    Permission,
    Runtime,
    Code,
    Added,
    Publisher,
    Schema,
    /// Removed, or has fewer permissions.
    Reduction,
}

/// Compares a catalog with an earlier decision about it.
pub fn review(old: Option<&TrustRecord>, new: &CatalogView) -> TrustReview {
    let old = old.filter(|record| record.scope != TrustScope::Revoked);
    let mut changes = FunctionChanges::default();
    for function in &new.functions {
        let before = old.and_then(|old| old.functions.iter().find(|other| other.id == function.id));
        if before.is_none() {
            let what = if old.is_some() { "added" } else { "offered" };
            changes.add(Danger::Added, function, what, "", &function.runtime);
        }
        changes.add_function(before, function, &new.sandbox);
    }
    for gone in old.into_iter().flat_map(|old| &old.functions) {
        if !new.functions.iter().any(|function| function.id == gone.id) {
            changes.add(Danger::Reduction, gone, "removed", &gone.runtime, "");
        }
    }
    for function in &new.functions {
        let entry = new.entries.iter().find(|entry| entry.id == function.id);
        if let Some(image) = entry.and_then(|entry| entry.image.as_ref()) {
            changes.add_image(image, function);
        }
    }
    let FunctionChanges(mut changes) = changes;
    changes.extend(old.and_then(|it| TrustChange::of_signer(&it.signer, it.digest, new)));
    let before = |file: &NamedFile| {
        let known = old?.files.iter().find(|other| other.path == file.path)?;
        (file.digest() != Some(known.digest)).then(|| known.clone())
    };
    let files = new.files.iter();
    let files: Vec<FileReview> =
        files.map(|file| FileReview { before: before(file), file: file.clone() }).collect();
    changes.extend(files.iter().filter_map(|file| file_change(file, old?, new)));
    changes.sort_by_key(|change| change.danger);
    let needs = [
        ("--network", new.entries.iter().any(CatalogEntryView::network)),
        ("--mount", new.entries.iter().any(CatalogEntryView::mounts)),
    ];
    let reference = new.reference.rsplit_once("@sha256:").map_or(&*new.reference, |(it, _)| it);
    TrustReview {
        previous: old.map(|record| (record.digest, record.decided_at.clone())),
        changes,
        needs: needs.into_iter().filter(|(_, asked)| *asked).map(|(flag, _)| flag).collect(),
        flag_covers_all: !new.files.iter().any(NamedFile::needs_pin),
        files,
        flag: trusting_flag(reference, new.manifest.unwrap_or(new.digest)),
    }
}

impl TrustChange {
    /// The name of the part of a catalog that a signature covers.
    pub const SIGNED_PART: &'static str = "catalog";

    /// The change of the verified signer since a decision about content with this digest; `None` if
    /// it is the same. If no signer is required, unchanged content counts as signed by the signer of
    /// the decision. If the content was signed before, the change is as dangerous as a wider
    /// permission.
    pub fn of_signer(before: &str, digest: Digest, new: &CatalogView) -> Option<Self> {
        let after = &new.signature;
        let signer = after.signer().unwrap_or_default();
        let is_unchecked = *after == SignatureVerdict::NotVerified && digest == new.digest;
        if is_unchecked || before == signer {
            return None;
        }
        Some(Self {
            danger: if before.is_empty() { Danger::Publisher } else { Danger::Permission },
            function: Self::SIGNED_PART.to_owned(),
            what: "signer".to_owned(),
            before: if before.is_empty() { "none" } else { before }.to_owned(),
            after: if signer.is_empty() { after.to_string() } else { signer.to_owned() },
        })
    }

    /// True for the change of a signer.
    pub fn is_signer(&self) -> bool {
        self.what == "signer" && self.function == Self::SIGNED_PART
    }
}

/// The change of the content of a script that has no digest in the catalog. A change of any other
/// file is reported as the change of its digest in the catalog.
fn file_change(review: &FileReview, old: &TrustRecord, new: &CatalogView) -> Option<TrustChange> {
    let FileReview { file, before } = review;
    let known = old.files.iter().any(|other| other.path == file.path);
    if !file.needs_pin() || (known && before.is_none()) {
        return None;
    }
    let function = new.functions.iter().find(|it| file.functions.contains(&it.id))?;
    let shown =
        |digest: Option<Digest>| digest.map(|digest| digest.to_string()).unwrap_or_default();
    // A new function, or one with another script, has that change already.
    let was_named = old.functions.iter().any(|other| other.locations.contains(&file.path));
    was_named.then(|| TrustChange {
        danger: Danger::Code,
        function: function.id.clone(),
        what: format!("content of {}", file.path),
        before: shown(before.as_ref().map(|it| it.digest)),
        after: shown(file.digest()),
    })
}

#[derive(Default)]
struct FunctionChanges(Vec<TrustChange>);

impl FunctionChanges {
    /// Adds a change, unless both values are equal.
    fn add(
        &mut self,
        danger: Danger,
        function: &FunctionSnapshot,
        what: &str,
        before: &str,
        after: &str,
    ) {
        if before != after {
            let (function, what) = (function.id.clone(), what.to_owned());
            let (before, after) = (before.to_owned(), after.to_owned());
            self.0.push(TrustChange { danger, function, what, before, after });
        }
    }

    /// Adds the changes of a function; without an old one, its requirements as permissions.
    fn add_function(
        &mut self,
        known: Option<&FunctionSnapshot>,
        new: &FunctionSnapshot,
        sandbox: &Sandbox,
    ) {
        let none = FunctionSnapshot::default();
        let old = known.unwrap_or(&none);
        let word = |is_asked: bool| if is_asked { "requested" } else { "no" };
        for (what, before, after) in
            [("network", old.network, new.network), ("storage mount", old.mounts, new.mounts)]
        {
            let danger = if after { Danger::Permission } else { Danger::Reduction };
            self.add(danger, new, what, word(before), word(after));
        }
        if known.is_some() {
            self.add(Danger::Runtime, new, "runtime", &old.runtime, &new.runtime);
        }
        if old.runtime != new.runtime && new.runtime == "exec" {
            self.add(Danger::Runtime, new, "runs as a program", "", &sandbox.words());
        }
        if known.is_none() {
            return;
        }
        let only = |one: &FunctionSnapshot, other: &FunctionSnapshot| {
            let texts = one.locations.iter().filter(|text| !other.locations.contains(text));
            texts.cloned().collect::<Vec<_>>().join(", ")
        };
        let (before, after) = (only(old, new), only(new, old));
        let code = match (new.runtime.as_str(), before.is_empty(), after.is_empty()) {
            ("exec", true, _) => "platform added",
            ("exec", _, true) => "platform removed",
            ("exec", ..) => "binary",
            ("starlark", ..) => "script",
            _ => "image",
        };
        let schema = |it: &FunctionSnapshot| it.schema.map(|it| it.to_string()).unwrap_or_default();
        self.add(Danger::Code, new, code, &before, &after);
        self.add(Danger::Publisher, new, "publisher", &old.publisher, &new.publisher);
        self.add(Danger::Publisher, new, "licence", &old.license, &new.license);
        self.add(Danger::Schema, new, "schema", &schema(old), &schema(new));
    }

    fn add_image(&mut self, image: &ImageView, function: &FunctionSnapshot) {
        let Some((trusted, _)) = &image.trusted else { return };
        let mut add = |what: &str, before: &str, after: &str| {
            self.add(Danger::Code, function, what, before, after);
        };
        let Some((before, after)) = image.comparison() else {
            let missing = match &image.facts {
                ImageFacts::Known(_) => format!("the trusted image {trusted} is not in the cache"),
                _ => "the contents of the new image are not known".to_owned(),
            };
            return add("user, entrypoint and layers", "", &format!("not known: {missing}"));
        };
        let words = |words: &[String]| serde_json::json!(words).to_string();
        add("user", before.user_name(), after.user_name());
        add("entrypoint", &words(&before.entrypoint), &words(&after.entrypoint));
        add("command", &words(&before.command), &words(&after.command));
        add("platform", &before.platform, &after.platform);
        if let Some(layers) = image.layer_changes() {
            add("layers", "", &layers.to_string());
        }
    }
}
