//! The settings of the Argo CD that a repository installs: its build options and version, from the
//! `ConfigMap`, the chart values, the operator's object or the manifests.

use std::path::{Path, PathBuf};

use crate::profile::{Profile, argo_cd_from_chart};
use crate::yaml::{Limits, Mark, Node, ParsedDocument, parse_config};

const CONFIG_MAP: &str = "argocd-cm";
const CHART_VALUES: &str = "the values of the argo-cd chart";
const BUILD_OPTIONS_PREFIX: &str = "kustomize.buildOptions";
/// Only files with one of these texts are parsed.
const SIGNS: [&str; 5] = [
    "kustomize.",
    "kustomizeBuildOptions",
    "argoproj/argocd",
    "argo-cd",
    "openshift-gitops-operator",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::evaluate) struct ArgoSetting {
    pub(in crate::evaluate) key: String,
    pub(in crate::evaluate) text: String,
    /// The object that contains the setting: `argocd-cm`, or the values of the chart.
    pub(in crate::evaluate) holder: &'static str,
    pub(in crate::evaluate) mark: Mark,
}

/// The settings of the nearest file that contains settings, and the version in the nearest file
/// that installs Argo CD.
#[derive(Clone, Debug, Default)]
pub(in crate::evaluate) struct ArgoSettings {
    settings: Vec<ArgoSetting>,
    /// The version profile of the installed Argo CD, and the location of the version.
    pub(in crate::evaluate) program: Option<(Profile, Mark)>,
    pub(in crate::evaluate) files: Vec<PathBuf>,
}

/// One file that configures or installs Argo CD: its settings and the installed versions.
#[derive(Clone, Default)]
pub(super) struct ArgoFile {
    pub(super) path: PathBuf,
    settings: Vec<ArgoSetting>,
    programs: Vec<(Profile, Mark)>,
}

impl ArgoFile {
    pub(super) fn is_candidate(root: &Path, path: &Path, text: &str) -> bool {
        let below = path.strip_prefix(root).unwrap_or(path);
        let names = || below.iter().map(|name| name.to_string_lossy());
        let is_named = |name: &str| name.contains("argo") || name.contains("gitops");
        names().any(|name| is_named(&name.to_lowercase()))
            && !names().any(|it| it.starts_with('.'))
            && SIGNS.iter().any(|sign| text.contains(sign))
    }

    /// The settings and versions in the documents of a file; `None` if there are none.
    pub(super) fn read(path: &Path, documents: &[ParsedDocument]) -> Option<Self> {
        let mut found = Self { path: path.to_owned(), ..Self::default() };
        for document in documents {
            found.object(&document.node);
        }
        (!found.settings.is_empty() || !found.programs.is_empty()).then_some(found)
    }

    /// The version profile, if the file contains exactly one. Of several versions it is not known
    /// which one applies.
    fn program(&self) -> Option<(Profile, Mark)> {
        let (first, others) = self.programs.split_first()?;
        others.iter().all(|(other, _)| *other == first.0).then_some(*first)
    }
}

impl ArgoSettings {
    /// The settings and the version in the nearest files: those with the largest value of
    /// `nearness`.
    pub(super) fn nearest(
        files: &[ArgoFile],
        nearness: &dyn Fn(&Path) -> usize,
        renumber: &mut dyn FnMut(Mark) -> Mark,
    ) -> Self {
        let mut found: Vec<&ArgoFile> = files.iter().collect();
        found.sort_by_key(|file| (std::cmp::Reverse(nearness(&file.path)), &file.path));
        let mut all = Self::default();
        if let Some(file) = found.iter().find(|file| !file.settings.is_empty()) {
            all.settings.clone_from(&file.settings);
            all.files.push(file.path.clone());
        }
        if let Some((file, program)) = found.iter().find_map(|file| Some((file, file.program()?))) {
            all.program = Some(program);
            all.files.push(file.path.clone());
        }
        all.files.dedup();
        let marks = all.settings.iter_mut().map(|setting| &mut setting.mark);
        for mark in marks.chain(all.program.iter_mut().map(|(_, mark)| mark)) {
            *mark = renumber(*mark);
        }
        all
    }

    /// The build options for the version of Kustomize that an Application names; `version` is empty
    /// if it names none.
    pub(in crate::evaluate) fn build_options(&self, version: &str) -> Option<&ArgoSetting> {
        let own = format!("{BUILD_OPTIONS_PREFIX}.{version}");
        let named = |key: &str| self.settings.iter().find(|setting| setting.key == key);
        named(&own).or_else(|| named(BUILD_OPTIONS_PREFIX))
    }
}

impl ArgoFile {
    fn object(&mut self, node: &Node) {
        let text = |path: &[&str]| node.text_at(path).unwrap_or_default();
        let is_operator = text(&["spec", "name"]) == "openshift-gitops-operator";
        if let Some(channel) = node.at(&["spec", "channel"]).filter(|_| is_operator) {
            let version = channel.text().and_then(|it| it.strip_prefix("gitops-"));
            self.add_program(version.map(|it| format!("openshift-gitops-{it}")), channel);
        }
        let holder = match text(&["kind"]) {
            "ConfigMap" if text(&["metadata", "name"]) != CONFIG_MAP => return,
            "ConfigMap" => CONFIG_MAP,
            "ArgoCD" => "the ArgoCD object",
            _ => CHART_VALUES,
        };
        self.nodes(node, holder);
    }

    /// Reads the settings and versions in a tree, wherever they are.
    fn nodes(&mut self, tree: &Node, holder: &'static str) {
        for node in tree.nodes() {
            for entry in node.entries() {
                let (key, value) = (entry.key.text().unwrap_or_default(), &entry.value);
                let text = value.text().unwrap_or_default();
                match key {
                    "kustomizeBuildOptions" => {
                        self.add_setting(BUILD_OPTIONS_PREFIX, value, holder);
                    }
                    _ if key.starts_with(BUILD_OPTIONS_PREFIX) => {
                        self.add_setting(key, value, holder);
                    }
                    "image" => self.add_program(image_tag(text).and_then(profile_of_tag), value),
                    "values" if text.contains("kustomize.") => self.add_chart_values(value),
                    "resources" | "bases" => {
                        for item in value.items().unwrap_or_default() {
                            let version = item.text().and_then(version_in_url);
                            self.add_program(version.and_then(profile_of_tag), item);
                        }
                    }
                    _ => {}
                }
            }
            self.add_literals(node);
            self.add_version(node);
        }
    }

    /// Adds the settings in a generator of the `ConfigMap`.
    fn add_literals(&mut self, generator: &Node) {
        let is_it = generator.text_of("name") == Some(CONFIG_MAP);
        for literal in generator.items_of("literals").iter().filter(|_| is_it) {
            let pair = literal.text().and_then(|it| it.split_once('='));
            if let Some((key, value)) = pair.filter(|it| it.0.starts_with(BUILD_OPTIONS_PREFIX)) {
                self.add_setting(key, &Node::string(value).marked(literal.mark), CONFIG_MAP);
            }
        }
    }

    /// Adds the version in a mapping with a tag of the image, or with the version of the chart: an
    /// entry of `images`, values of the chart, an Application, a dependency of a chart, or an item of
    /// `helmCharts`.
    fn add_version(&mut self, node: &Node) {
        let text = |key: &str| node.text_of(key).unwrap_or_default();
        let has_repository = || ["repo", "repository"].iter().any(|key| node.get(key).is_some());
        let chart = match (text("chart"), text("name")) {
            ("argo-cd", _) => node.get("targetRevision"),
            (_, "argo-cd") if has_repository() => node.get("version"),
            _ => None,
        };
        let of_chart = chart.and_then(Node::text).and_then(argo_cd_from_chart).map(str::to_owned);
        let tags = [
            node.get("newTag").filter(|_| text("name").ends_with("argoproj/argocd")),
            node.at(&["global", "image", "tag"]),
        ];
        for tag in tags.into_iter().flatten() {
            self.add_program(tag.text().and_then(profile_of_tag), tag);
        }
        if let Some(chart) = chart {
            self.add_program(of_chart, chart);
        }
    }

    fn add_program(&mut self, name: Option<String>, node: &Node) {
        if let Some(profile) = name.and_then(|name| Profile::named_or_oldest(&name)) {
            self.programs.push((profile, node.mark));
        }
    }

    fn add_setting(&mut self, key: &str, value: &Node, holder: &'static str) {
        if let Some(text) = value.text() {
            let (key, text) = (key.to_owned(), text.trim().to_owned());
            self.settings.push(ArgoSetting { key, text, holder, mark: value.mark });
        }
    }

    fn add_chart_values(&mut self, values: &Node) {
        let text = values.text().unwrap_or_default();
        let read = parse_config(text.as_bytes(), values.mark.source, Limits::default());
        if let Ok(Some(mut node)) = read {
            node.mark_all(values.mark);
            self.nodes(&node, CHART_VALUES);
        }
    }
}

/// The tag of the image of Argo CD; `None` for another image.
fn image_tag(image: &str) -> Option<&str> {
    image.split_once("argoproj/argocd:")?.1.split('@').next()
}

/// The name of Argo CD's profile for a tag of an image or a git reference, such as `v2.9.3`; `None`
/// for a text that is no version.
fn profile_of_tag(tag: &str) -> Option<String> {
    let version = tag.strip_prefix('v').unwrap_or(tag);
    let is_version = version.split('.').count() == 3
        && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_version.then(|| format!("argocd-{version}"))
}

fn version_in_url(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("argoproj/argo-cd")?;
    let (_, reference) = rest.split_once("ref=").unwrap_or(("", ""));
    let reference = reference.split('&').next().filter(|it| !it.is_empty());
    reference.or_else(|| rest.split('/').find(|part| profile_of_tag(part).is_some()))
}

#[cfg(test)]
mod tests {
    use super::super::index::DeploymentIndex;
    use super::*;
    use crate::load::{MemoryFiles, SourceNumbers};

    fn read(files: &[(&str, &str)]) -> ArgoSettings {
        let all = files
            .iter()
            .fold(MemoryFiles::default(), |all, (path, text)| all.file(format!("/r/{path}"), text));
        let object = Path::new("/r/apps/app.yaml");
        let index = DeploymentIndex::read(Path::new("/r"), &all);
        index.argo_settings(object, &mut SourceNumbers::default())
    }

    fn options(files: &[(&str, &str)], version: &str) -> Option<(String, u32)> {
        let settings = read(files);
        settings.build_options(version).map(|it| (it.text.clone(), it.mark.line))
    }

    fn program(path: &str, text: &str) -> Option<&'static str> {
        read(&[(path, text)]).program.map(|(profile, _)| profile.name())
    }

    #[test]
    fn build_options_are_read_wherever_argo_cd_is_configured() {
        let expected = Some(("--enable-helm".to_owned(), 4));
        for (path, text) in [
            (
                "x/argocd-cm.yaml",
                "kind: ConfigMap\nmetadata: {name: argocd-cm}\ndata:\n  kustomize.buildOptions: --enable-helm\n",
            ),
            (
                "argo/values.yaml",
                "configs:\n  cm:\n    a: b\n    kustomize.buildOptions: --enable-helm\n",
            ),
            (
                "x/argocd.yaml",
                "kind: Application\nspec:\n  source: {helm: {valuesObject: {configs: {cm: {\n    kustomize.buildOptions: --enable-helm}}}}}\n",
            ),
            (
                "x/argocd.yaml",
                "kind: Application\nspec:\n  source: {helm: {\n    values: \"configs: {cm: {kustomize.buildOptions: --enable-helm}}\"}}\n",
            ),
            (
                "argo/kustomization.yaml",
                "helmCharts:\n- name: argo-cd\n  valuesInline: {configs: {cm: {\n    kustomize.buildOptions: --enable-helm}}}\n",
            ),
            (
                "argo/kustomization.yaml",
                "configMapGenerator:\n- name: argocd-cm\n  literals:\n  - kustomize.buildOptions=--enable-helm\n",
            ),
            (
                "gitops/cr.yaml",
                "kind: ArgoCD\nmetadata: {name: x}\nspec:\n  kustomizeBuildOptions: --enable-helm\n",
            ),
        ] {
            assert_eq!(options(&[(path, text)], ""), expected, "{text}");
        }
    }

    #[test]
    fn versioned_options_replace_general_options() {
        let values = "configs:\n  cm:\n    kustomize.buildOptions: a\n    kustomize.buildOptions.v5.0.0: b\n";
        let files = [("argo/values.yaml", values)];
        assert_eq!(options(&files, "v5.0.0"), Some(("b".to_owned(), 4)));
        assert_eq!(options(&files, "v5.1.0"), Some(("a".to_owned(), 3)));
    }

    #[test]
    fn the_installed_version_is_that_of_image_chart_or_url() {
        let manifest =
            "kind: Deployment\nspec: {containers: [{image: 'quay.io/argoproj/argocd:v2.9.3'}]}";
        assert_eq!(program("argocd/install.yaml", manifest), Some("argocd-2.9"));
        let images = "images:\n- name: quay.io/argoproj/argocd\n  newTag: v3.0.1\n";
        assert_eq!(program("argocd/kustomization.yaml", images), Some("argocd-3.0"));
        let url = "resources:\n- https://raw.githubusercontent.com/argoproj/argo-cd/v2.13.1/manifests/install.yaml\n";
        assert_eq!(program("argocd/kustomization.yaml", url), Some("argocd-2.13"));
        let reference = "resources: ['https://github.com/argoproj/argo-cd//manifests/ha?ref=v2.12.0&timeout=9']\n";
        assert_eq!(program("argocd/kustomization.yaml", reference), Some("argocd-2.12"));
        let chart = "kind: Application\nspec: {source: {chart: argo-cd, targetRevision: 7.8.2}}\n";
        assert_eq!(program("apps/argocd.yaml", chart), Some("argocd-2.14"));
        let range = "kind: Application\nspec: {source: {chart: argo-cd, targetRevision: 7.*}}\n";
        assert_eq!(program("apps/argocd.yaml", range), None);
        let operator =
            "kind: Subscription\nspec: {name: openshift-gitops-operator, channel: gitops-1.16}\n";
        assert_eq!(program("gitops/sub.yaml", operator), Some("openshift-gitops-1.16"));
        let older = "a: {image: 'argoproj/argocd:v2.2.5'}\n";
        assert_eq!(program("argocd/install.yaml", older), Some("argocd-2.5"));
        let newer = "a: {image: 'argoproj/argocd:v99.0.0'}\n";
        assert_eq!(program("argocd/install.yaml", newer), None);
        let chart = "kind: Application\nspec: {source: {chart: argo-cd, targetRevision: 3.2.1}}\n";
        assert_eq!(program("apps/argocd.yaml", chart), Some("argocd-2.6"));
        let two = "a: {image: 'argoproj/argocd:v2.9.3'}\nb: {image: 'argoproj/argocd:v3.0.1'}\n";
        assert_eq!(program("argocd/install.yaml", two), None);
    }
}
