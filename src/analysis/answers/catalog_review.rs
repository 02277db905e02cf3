//! The review of a catalog before a decision about trust: the text of the question, for every face.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::display::counted;
use crate::engine::evaluate::{AccumulatorState, StepKind, StepOutcome, Trace};
use crate::engine::load::{Digest, ImageContents, ImageLayer, SignatureVerdict};
use crate::engine::manifest::{
    CATALOG_API_VERSION, CatalogKind, CatalogSchema, CatalogWarning, Pin, PlatformProgram, Runtime,
};
use crate::engine::plugin::{
    CONTAINER_USER, CatalogEntryView, CatalogView, Danger, FileReview, ImageFacts, NamedFile,
    NamedFileContent, Trust, TrustChange, TrustReview, TrustState, quote_shell_word, review,
};

use super::secrets::is_secret;

const CONTEXT_LINES: usize = 3;

#[derive(Clone, Debug, PartialEq)]
pub struct CatalogReview {
    pub view: CatalogView,
    pub review: TrustReview,
    pub inputs: Vec<FunctionInput>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionInput {
    /// The function, as `group/version Kind`.
    pub function: String,
    /// The target; empty for the opened one.
    pub target: String,
    pub objects: usize,
    pub secrets: usize,
    /// True if an earlier step is pending: the function may get more.
    pub is_partial: bool,
}

/// A line, or an empty line, of a catalog review; its layout is left to the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewLine {
    Gap,
    Text(String),
    Function(String),
    Field {
        name: &'static str,
        value: String,
    },
    /// A change since the last decision; a permission is more dangerous than other changes.
    Change {
        is_permission: bool,
        text: String,
    },
    Warning(String),
    /// A line of a script: `+` and `-` for its change since the last decision, `…` in place of
    /// unchanged lines.
    Code {
        sign: char,
        text: String,
    },
}

impl CatalogReview {
    pub fn new(view: CatalogView, trust: &Trust, inputs: Vec<FunctionInput>) -> Self {
        let record = trust.records.iter().rev().find(|record| record.reference == view.normalised);
        let review = review(record, &view);
        Self { view, review, inputs }
    }

    /// Adds the change of the signer since the lock file, unless the last decision of the user
    /// already shows such a change.
    #[must_use]
    pub fn with_locked_signer_change(mut self, locked: Option<&(Digest, String)>) -> Self {
        let is_known = self.review.changes.iter().any(TrustChange::is_signer);
        if let Some((digest, signer)) = locked
            && !is_known
            && !signer.is_empty()
            && let Some(change) = TrustChange::of_signer(signer, *digest, &self.view)
        {
            self.review.changes.insert(0, change);
        }
        self
    }

    /// The first permission that the last decision did not include, or the first change of the
    /// signer. To confirm it, the user types the name of the function, or of the catalog.
    pub fn first_new_permission(&self) -> Option<&TrustChange> {
        let changes = &mut self.review.changes.iter();
        changes.find(|change| {
            change.danger == Danger::Permission
                && (self.review.previous.is_some() || change.is_signer())
        })
    }

    /// All lines of the review: the catalog, its images, programs and scripts, and the changes.
    pub fn lines(&self) -> Vec<ReviewLine> {
        let mut lines = self.catalog_lines();
        lines.push(ReviewLine::Gap);
        lines.extend(self.change_lines());
        for entry in &self.view.entries {
            lines.extend([ReviewLine::Gap, function_title(entry)]);
            lines.extend(self.function_lines(entry));
            lines.extend(self.script_lines(entry));
        }
        lines.push(ReviewLine::Gap);
        lines.extend(self.flag_lines());
        let oddities = self.view.oddities().into_iter();
        let warnings = oddities.map(|(message, of)| format!("{message}: {}", of.join(", ")));
        let warnings: Vec<ReviewLine> = warnings.map(ReviewLine::Warning).collect();
        lines.extend((!warnings.is_empty()).then_some(ReviewLine::Gap));
        lines.extend(warnings);
        lines
    }

    /// The lines of `kzui view catalog`: the catalog with all functions and defects, and its changes
    /// since it was trusted.
    pub fn view_lines(&self) -> Vec<ReviewLine> {
        let view = &self.view;
        let kind = match view.kind {
            CatalogKind::Catalog => "Catalog",
            CatalogKind::Definition => "KRMFunctionDefinition",
        };
        let name = if view.name.is_empty() { "(no name)" } else { &view.name };
        let mut lines = vec![field("catalog", &format!("{name}   {CATALOG_API_VERSION} {kind}"))];
        let labels: Vec<String> =
            view.labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let manifest = view.manifest.map(|it| it.to_string()).unwrap_or_default();
        lines.extend(known_fields(&[
            ("labels", &labels.join(", ")),
            ("fetched", view.fetched.as_deref().unwrap_or_default()),
            ("manifest", &manifest),
        ]));
        lines.extend(self.catalog_lines());
        for entry in &view.entries {
            lines.extend([ReviewLine::Gap, function_title(entry)]);
            lines.extend(description_lines(entry));
            lines.extend(self.function_lines(entry));
        }
        lines.extend((!view.warnings.is_empty()).then_some(ReviewLine::Gap));
        lines.extend(view.warnings.iter().map(|CatalogWarning { oddity, subject, .. }| {
            ReviewLine::Warning(format!("{}  {subject}: {oddity}", oddity.code()))
        }));
        if matches!(view.trust, TrustState::Changed { .. }) {
            lines.push(ReviewLine::Gap);
            lines.extend(self.change_lines());
        } else {
            lines.extend(self.needs_lines());
        }
        let flag = format!("To trust exactly this content: {}", self.review.flag);
        lines.extend([ReviewLine::Gap, ReviewLine::Text(flag)]);
        lines
    }

    fn catalog_lines(&self) -> Vec<ReviewLine> {
        let view = &self.view;
        let publishers = view.publishers().into_iter().map(|(name, count)| {
            format!("{} ({count})", if name.is_empty() { "none" } else { name })
        });
        let publishers: Vec<String> = publishers.collect();
        let pin = if view.is_mutable { "not pinned: content can change" } else { "pinned" };
        let trust = match view.trust {
            TrustState::Trusted => "trusted",
            TrustState::Changed { .. } => "not trusted: content changed since it was trusted",
            TrustState::Untrusted => "not trusted",
        };
        vec![
            field("trust", trust),
            field("from", &view.reference),
            field("digest", &view.digest.to_string()),
            field("reference", pin),
            field("signature", &view.signature.to_string()),
            field("publishers", &format!("{}: self-declared, not verified", publishers.join(", "))),
        ]
    }

    /// The image, program or script of a function, with its code, permissions and input.
    pub fn function_lines(&self, entry: &CatalogEntryView) -> Vec<ReviewLine> {
        let mut lines = runtime_lines(&entry.version.runtime);
        lines.extend(image_lines(entry, &self.view.reference));
        for file in self.files(entry) {
            lines.extend(file_lines(&file.file));
        }
        lines.extend(entry.signature.iter().map(|it| field("signature", &it.to_string())));
        lines.push(field("confinement", &entry.confinement(&self.view.sandbox)));
        let network = if entry.network() { "requested (needs --network)" } else { "none" };
        let storage = if entry.mounts() { "mount requested (needs --mount)" } else { "none" };
        lines.push(field("network", network));
        lines.push(field("storage", storage));
        lines.extend(self.input_lines(entry));
        if matches!(entry.version.schema, CatalogSchema::Missing) {
            lines.push(field("schema", "none: the configuration is not checked"));
        }
        lines
    }

    pub fn script_lines(&self, entry: &CatalogEntryView) -> Vec<ReviewLine> {
        self.files(entry).flat_map(script_text_lines).collect()
    }

    fn files<'a>(&'a self, entry: &'a CatalogEntryView) -> impl Iterator<Item = &'a FileReview> {
        self.review.files.iter().filter(|it| it.file.functions.contains(&entry.id))
    }

    fn input_lines(&self, entry: &CatalogEntryView) -> Vec<ReviewLine> {
        let inputs = self.inputs.iter().filter(|input| input.function == entry.id);
        let lines: Vec<ReviewLine> =
            inputs.map(|input| field("sees", &input.to_string())).collect();
        if lines.is_empty() {
            return vec![field(
                "sees",
                "every object of each layer that calls the function, Secrets included",
            )];
        }
        lines
    }

    fn change_lines(&self) -> Vec<ReviewLine> {
        let found = &self.review;
        let mut lines = Vec::new();
        let offers = "what the catalog offers and requests";
        let (text, trusted) = match (&found.previous, &self.view.trust) {
            (Some((digest, when)), _) => {
                (format!("changes since {when}, when this digest was trusted"), Some(digest))
            }
            (None, TrustState::Changed { trusted, .. }) => {
                (format!("not the content of the trusted digest; {offers}"), Some(trusted))
            }
            (None, _) => (format!("never trusted; {offers}"), None),
        };
        lines.push(ReviewLine::Text(text));
        lines.extend(trusted.map(|digest| field("", &digest.to_string())));
        if found.changes.is_empty() {
            lines.push(ReviewLine::Text("  none".to_owned()));
        }
        lines.extend(found.changes.iter().map(|change| ReviewLine::Change {
            is_permission: change.danger == Danger::Permission,
            text: change_text(change),
        }));
        lines.extend(self.needs_lines());
        lines
    }

    /// The flags that the functions need besides trust.
    fn needs_lines(&self) -> Vec<ReviewLine> {
        if self.review.needs.is_empty() {
            return Vec::new();
        }
        let needs = format!("{} on the command line", self.review.needs.join(" "));
        vec![ReviewLine::Gap, field("needs", &needs)]
    }

    /// The command-line flag that makes the same decision, for CI.
    fn flag_lines(&self) -> Vec<ReviewLine> {
        if self.review.flag_covers_all {
            let title = ReviewLine::Text("the same decision as a flag, for CI".to_owned());
            return vec![title, field("", &self.review.flag)];
        }
        let text = "no flag covers a script without a digest: `kzui catalog pin` adds the \
                    digests, `kzui trust add --lock` records them for CI";
        vec![ReviewLine::Text(text.to_owned())]
    }

    /// The changed lines of the scripts whose text was stored with the last decision.
    pub fn changed_scripts(&self) -> Vec<ReviewLine> {
        let changed = self
            .review
            .files
            .iter()
            .filter(|file| file.before.as_ref().is_some_and(|before| before.text.is_some()));
        changed.flat_map(script_text_lines).collect()
    }

    /// The lines above the choices when the user is asked for a decision: the files that only the
    /// decision pins, and the largest input.
    pub fn prompt_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match &self.view.signature {
            SignatureVerdict::NotVerified | SignatureVerdict::Unsigned => {}
            signature => lines.push(format!("catalog: {signature}")),
        }
        let pins = self.review.files.iter().filter(|it| it.file.needs_pin());
        let pins: Vec<&str> = pins.map(|it| it.file.path.as_str()).collect();
        if !pins.is_empty() {
            lines.push(format!("not pinned by the catalog: {}", pins.join(", ")));
        }
        let most = self.inputs.iter().max_by_key(|input| (input.secrets, input.objects));
        lines.extend(most.map(|input| format!("its functions see {input}")));
        lines
    }
}

impl std::fmt::Display for FunctionInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (objects, secrets) = (counted(self.objects, "object"), counted(self.secrets, "Secret"));
        if self.is_partial {
            f.write_str("at least ")?;
        }
        write!(f, "{objects}, {secrets}")?;
        if self.target.is_empty() { Ok(()) } else { write!(f, " in {}", self.target) }
    }
}

/// The objects that a build gives to the functions of a catalog, one value for each call.
pub fn function_inputs(trace: &Trace, view: &CatalogView, target: &str) -> Vec<FunctionInput> {
    let mut inputs = Vec::new();
    let mut is_partial = false;
    for (index, step) in trace.steps.iter().enumerate() {
        let entry = step.function.as_ref().and_then(|gvk| {
            let id = format!("{} {}", gvk.api_version(), gvk.kind);
            view.entries.iter().find(|entry| entry.id == id)
        });
        if let Some(entry) = entry {
            let is_generator = step.kind == StepKind::Generate;
            let state =
                if is_generator { AccumulatorState::default() } else { trace.input_of(index) };
            inputs.push(FunctionInput {
                function: entry.id.clone(),
                target: target.to_owned(),
                objects: state.len(),
                secrets: state.values().filter(|resource| is_secret(resource)).count(),
                is_partial: is_partial && !is_generator,
            });
        }
        is_partial |= matches!(step.outcome, StepOutcome::Waiting(_));
    }
    inputs
}

pub fn change_text(change: &TrustChange) -> String {
    let (before, after) = (&change.before, &change.after);
    let values = match (before.is_empty(), after.is_empty()) {
        (true, true) => String::new(),
        (true, false) => format!(": {after}"),
        (false, true) => format!(": {before} → (none)"),
        (false, false) => format!(": {before} → {after}"),
    };
    format!("{}  {}{values}", change.function, change.what)
}

fn field(name: &'static str, value: &str) -> ReviewLine {
    ReviewLine::Field { name, value: value.to_owned() }
}

/// The fields with a value.
fn known_fields(fields: &[(&'static str, &str)]) -> Vec<ReviewLine> {
    let known = fields.iter().filter(|(_, value)| !value.is_empty());
    known.map(|(name, value)| field(name, value)).collect()
}

fn function_title(entry: &CatalogEntryView) -> ReviewLine {
    ReviewLine::Function(format!("{}   {}", entry.id, entry.version.runtime.word()))
}

/// The facts that the author of a function declares.
fn description_lines(entry: &CatalogEntryView) -> Vec<ReviewLine> {
    let CatalogEntryView { function, version, shadowed_by, .. } = entry;
    let idempotent = match version.idempotent {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not declared",
    };
    let schema = match &version.schema {
        CatalogSchema::Uri(uri) => format!("{uri} (not fetched)"),
        CatalogSchema::Object(_) => "in the catalog".to_owned(),
        CatalogSchema::Missing => String::new(),
    };
    known_fields(&[
        ("", &function.description),
        ("publisher", &function.publisher),
        ("maintainers", &version.maintainers.join(", ")),
        ("licence", &version.license),
        ("home", &function.home),
        ("tags", &function.tags.join(", ")),
        ("usage", &version.usage),
        ("examples", &version.examples.join(", ")),
        ("idempotent", idempotent),
        ("schema", &schema),
        ("shadowed by", shadowed_by.as_deref().unwrap_or_default()),
    ])
}

/// The image of a function, or the platforms of its programs; empty for a script.
fn runtime_lines(runtime: &Runtime) -> Vec<ReviewLine> {
    match runtime {
        Runtime::Container(container) => {
            let pin = match container.pin() {
                Pin::Pinned(digest) => field("", &format!("pinned {digest}")),
                Pin::Tag => field("", "version tag, not pinned: will not run without a digest"),
                Pin::Floating => field("", "not pinned: content can change"),
            };
            vec![field("image", &container.image), pin]
        }
        Runtime::Exec(programs) => {
            let line = |program: &PlatformProgram| {
                let PlatformProgram { platform, uri, bin, .. } = program;
                let bin = if uri.ends_with(bin) { "" } else { bin };
                field("platform", format!("{platform} {uri} {bin}").trim_end())
            };
            programs.iter().map(line).collect()
        }
        Runtime::Starlark(_) => Vec::new(),
    }
}

/// The contents of the pinned image of a function: its user, entrypoint, command, platform and layers. If
/// another image was trusted, each layer has the sign of its change. `reference` is that of the
/// catalog.
fn image_lines(entry: &CatalogEntryView, reference: &str) -> Vec<ReviewLine> {
    let Some(image) = &entry.image else { return Vec::new() };
    let contents = match image_contents(&image.facts, reference) {
        Ok(contents) => contents,
        Err(reason) => return vec![field("contents", &reason)],
    };
    let words = |words: &[String]| serde_json::json!(words).to_string();
    let platform = match contents.offered {
        Some(count) => format!("{}, chosen from a list of {count}", contents.platform),
        None => contents.platform.clone(),
    };
    let bytes: u64 = contents.layers.iter().map(|layer| layer.size).sum();
    let layers = format!("{}, {bytes} bytes", counted(contents.layers.len(), "layer"));
    let mut lines = vec![
        field("user", contents.user_name()),
        field("", &format!("kzui runs it as {CONTAINER_USER}, or with --as-current-user as you")),
        field("entrypoint", &words(&contents.entrypoint)),
        field("command", &words(&contents.command)),
        field("platform", &platform),
    ];
    let Some(changes) = image.layer_changes() else {
        lines.push(field("layers", &layers));
        return lines;
    };
    lines.push(field("layers", &format!("{layers}: {changes}")));
    let signed = [('-', changes.removed), ('+', changes.added), (' ', changes.same)];
    for (sign, layers) in signed {
        let text = |layer: ImageLayer| format!("{}   {} bytes", layer.digest, layer.size);
        lines.extend(layers.into_iter().map(|it| ReviewLine::Code { sign, text: text(it) }));
    }
    lines
}

pub(super) fn image_contents<'f>(
    facts: &'f ImageFacts,
    reference: &str,
) -> Result<&'f ImageContents, String> {
    match facts {
        ImageFacts::Known(contents) => Ok(contents),
        ImageFacts::NotFetched => Err(format!(
            "not known: the image is not fetched; `kzui view catalog {}` reads its manifest",
            quote_shell_word(reference)
        )),
        ImageFacts::Unreadable(reason) => Err(format!("not known: {reason}")),
    }
}

fn file_lines(file: &NamedFile) -> Vec<ReviewLine> {
    let pin = match (file.pinned, &file.content) {
        (Some(pin), NamedFileContent::Read { digest, .. }) if pin != *digest => {
            "does not match the digest in the catalog: will not run"
        }
        (Some(_), _) => "pinned by the catalog",
        (None, _) if file.needs_pin() => "not pinned by the catalog: this decision pins it",
        (None, _) if file.path.contains("@sha256:") => "pinned by the catalog",
        (None, _) => "not pinned: will not run without a digest",
    };
    let digest = |digest: Digest| field("", &digest.to_string());
    match &file.content {
        NamedFileContent::Read { digest: own, size, .. } => {
            let line = field(file.kind.word(), &format!("{}   {size} bytes, {pin}", file.path));
            let pinned = file.pinned.filter(|pinned| pinned != own);
            let pinned = pinned.map(|pinned| field("pinned", &pinned.to_string()));
            [line, digest(*own)].into_iter().chain(pinned).collect()
        }
        NamedFileContent::NotFetched => {
            let text = format!("{}   not fetched, {pin}", file.path);
            let line = field(file.kind.word(), &text);
            std::iter::once(line).chain(file.pinned.map(digest)).collect()
        }
        NamedFileContent::Unreadable(reason) => {
            let text = format!("{}   unreadable: {reason}", file.path);
            let pinned = file.pinned.map(|pinned| field("pinned", &pinned.to_string()));
            std::iter::once(field(file.kind.word(), &text)).chain(pinned).collect()
        }
    }
}

/// The text of a script; if an earlier text is known, the changed lines instead.
fn script_text_lines(review: &FileReview) -> Vec<ReviewLine> {
    let NamedFileContent::Read { text, .. } = &review.file.content else { return Vec::new() };
    let Some(text) = text else { return vec![field("text", "long or binary: not shown")] };
    let before = review.before.as_ref().and_then(|before| before.text.as_deref());
    let (title, lines) = match before {
        None => ("text of", code_lines(' ', text.lines()).collect()),
        Some(before) => ("changes of", diff_review_lines(before, text)),
    };
    std::iter::once(field(title, &review.file.path)).chain(lines).collect()
}

fn code_lines<'t>(
    sign: char,
    lines: impl IntoIterator<Item = &'t str>,
) -> impl Iterator<Item = ReviewLine> {
    lines.into_iter().map(move |line| ReviewLine::Code { sign, text: line.to_owned() })
}

pub fn diff_review_lines(before: &str, after: &str) -> Vec<ReviewLine> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let operations = capture_diff_slices(Algorithm::Myers, &old, &new);
    let last = operations.len().saturating_sub(1);
    let mut lines = Vec::new();
    for (number, operation) in operations.iter().enumerate() {
        let now = new.get(operation.new_range()).unwrap_or_default().iter().copied();
        if let DiffOp::Equal { len, .. } = *operation {
            let head = if number == 0 { 0 } else { CONTEXT_LINES.min(len) };
            let tail = if number == last { 0 } else { CONTEXT_LINES.min(len - head) };
            lines.extend(code_lines(' ', now.clone().take(head)));
            if head + tail < len {
                lines.extend(code_lines('…', [""]));
            }
            lines.extend(code_lines(' ', now.skip(len - tail)));
            continue;
        }
        let removed = old.get(operation.old_range()).unwrap_or_default().iter().copied();
        lines.extend(code_lines('-', removed));
        lines.extend(code_lines('+', now));
    }
    lines
}
