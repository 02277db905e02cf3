//! Rules about Compositions, their entries and their files.

super::rules! {
    /// A part of a Composition with another effect than it seems to have.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum CompositionRemark;

    KZ501 Warning "an unusual Composition" {
        means: "A Composition, its file or one of its entries is written in a way that is obsolete or has no effect.",
        action: "Write it as the message proposes.",
        #[error("'{0}' is the former name of '{1}'")]
        FormerName(String, String),
        #[error("{entry}: {kind} has no field '{key}'{}", did_you_mean(near.as_deref()))]
        UnknownField { entry: String, kind: String, key: String, near: Option<String> },
        #[error("{0}: namespace is not a part of an entry's identity")]
        NamespaceOfEntry(String),
        #[error("{0}: write kind ResourceAccumulator with 'paths'")]
        FormerKind(String),
        #[error("{0}: write 'paths' instead of '{1}'")]
        FormerPaths(String, &'static str),
        #[error("{0}: originAnnotations is ignored")]
        OriginAnnotations(String),
        #[error("{0}: metadata.name '{1}' is not a DNS-1123 name")]
        OddName(String, String),
        #[error("{0} is printed as a resource and does not run: it has no apiVersion")]
        #[hint = "name the directory of this file, not the file"]
        Resource(String),
    }

    KZ502 Warning "an override is listed twice" {
        means: "Two overrides have the same id: the later one is used.",
        action: "Merge them into one.",
        #[error("override \"{0}\" is listed twice")]
        #[hint = "the later one is used; merge them into one"]
        OverrideTwice(String),
    }

    KZ503 Warning "labels without fieldSpecs change selectors" {
        means: "A LabelTransformer of a Composition that has no fieldSpecs also sets selectors and templates.",
        action: "Write `includeSelectors: false` to label metadata only.",
        #[error("LabelTransformer without fieldSpecs also sets selectors and templates")]
        #[hint = "write `includeSelectors: false` to label metadata only"]
        ReachesSelectors,
    }

    KZ504 Warning "empty fieldSpecs have no effect" {
        means: "An entry that has an empty list of fieldSpecs writes to no field.",
        action: "Leave fieldSpecs out for the default ones.",
        #[error("fieldSpecs is empty, so this entry has no effect")]
        #[hint = "leave fieldSpecs out for the default ones"]
        NoFieldSpecs,
    }

    KZ505 Warning "a catalog that was not read may matter" {
        means: "A catalog that is not fetched may define the merge keys for the lists of an override.",
        action: "Fetch the catalog.",
        #[error(
            "override \"{id}\": catalog '{}' was not read; it may define the merge keys of the lists",
            catalogs.join(", ")
        )]
        UnreadCatalog { id: String, catalogs: Vec<String> },
    }

    KZ506 Warning "a Composition beside a kustomization" {
        means: "The directory has a kustomization, which is built, and a Composition as well.",
        action: "Keep one of them, or list the file of the Composition instead of the directory.",
        #[error("{0} is not built: its directory has a Kustomization too")]
        #[hint = "move one of them to another directory"]
        Beside(String),
    }
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default()
}
