//! Decisions about trust in the user's data folder, and the trust of the preferences file.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::engine::plugin::{TrustRecord, TrustStore, TrustedCatalog};
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};

use super::private_files::{
    BeforeCallHook, private_folder, private_options, sync_folder, write_pieces,
};
use crate::host::bounds::MAX_SETTINGS_BYTES;
use crate::host::fs::folders::folders;
use crate::host::fs::ownership;

/// The file of trust records, to which one YAML document is appended for each (B.11).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustFile {
    path: PathBuf,
}

impl TrustFile {
    /// The user's trust file (`~/.local/share/kzui/trust.yaml`). Nothing is kept if the user has no
    /// home: a temporary file could belong to another user.
    pub fn of_user() -> Self {
        Self { path: folders().map(|dirs| dirs.data_dir().join("trust.yaml")).unwrap_or_default() }
    }

    /// The path to watch for decisions made elsewhere: the file, or its folder until it exists.
    pub fn watched(&self) -> Option<PathBuf> {
        if self.path.exists() {
            return Some(self.path.clone());
        }
        self.path.parent().filter(|folder| folder.is_dir()).map(Path::to_owned)
    }

    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }
}

impl TrustStore for TrustFile {
    fn records(&self) -> Result<Vec<TrustRecord>, String> {
        if self.path.as_os_str().is_empty() {
            return Ok(Vec::new());
        }
        let wrong = |reason: String| {
            let file = self.path.display();
            let advice = "correct or remove that document; without the file, no catalog is trusted";
            format!("{file}: {reason}; {advice}")
        };
        match ownership::read(&self.path, MAX_SETTINGS_BYTES) {
            Ok(text) => TrustRecord::parse_all(&text).map_err(wrong),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn append(&self, record: &TrustRecord) -> Result<(), String> {
        if self.path.as_os_str().is_empty() {
            return Err("no home folder to keep decisions in".to_owned());
        }
        ownership::check(&self.path).map_err(|reason| reason.to_string())?;
        append(&self.path, &record.to_yaml(), &|_| Ok(())).map_err(|error| error.to_string())
    }
}

/// Appends a record. After a failure a partial record is removed again, since it would make the
/// file unreadable.
fn append(path: &Path, text: &str, before: BeforeCallHook<'_>) -> std::io::Result<()> {
    before("mkdir")?;
    if let Some(folder) = path.parent() {
        private_folder(folder)?;
    }
    before("open")?;
    let mut options = fs_err::OpenOptions::from_options(private_options());
    let mut file = options.create(true).append(true).open(path)?;
    let length = file.metadata()?.len();
    let written = write_pieces(&mut file, text.as_bytes(), before).and_then(|()| file.sync_all());
    if let Err(error) = written {
        file.set_len(length)?;
        return Err(error);
    }
    path.parent().into_iter().for_each(sync_folder);
    Ok(())
}

/// `trustedCatalogs` of `~/.config/kzui/config.yaml` (KEP-2953), and the problems of the file.
pub fn trusted_by_preference() -> (Vec<TrustedCatalog>, Vec<String>) {
    let Some(path) = folders().map(|dirs| dirs.config_dir().join("config.yaml")) else {
        return (Vec::new(), Vec::new());
    };
    match ownership::read(&path, MAX_SETTINGS_BYTES) {
        Ok(text) => parse_preferences(&path, &text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => (Vec::new(), Vec::new()),
        Err(error) => (Vec::new(), vec![error.to_string()]),
    }
}

fn parse_preferences(path: &Path, text: &[u8]) -> (Vec<TrustedCatalog>, Vec<String>) {
    let shown = path.display();
    let file = match parse_documents(text, SourceId::NONE, Limits::default()) {
        Ok(file) => file,
        Err(error) => return (Vec::new(), vec![format!("{shown}: {error}")]),
    };
    let document = file.documents.first().map(|document| &document.node);
    if document.and_then(|node| node.get("kind")).and_then(Node::text) != Some("KustomizeConfig") {
        let note =
            format!("{shown}: expected kind KustomizeConfig; its trustedCatalogs are not used");
        return (Vec::new(), vec![note]);
    }
    let list = document.and_then(|node| node.get("trustedCatalogs")).and_then(Node::items);
    let (mut trusted, mut notes) = (Vec::new(), Vec::new());
    for text in list.unwrap_or_default().iter().filter_map(Node::text) {
        match TrustedCatalog::parse_preference(text, path.parent().unwrap_or(path)) {
            Ok(entry) => trusted.push(entry),
            Err(error) => notes.push(format!("{shown}: trustedCatalogs: {error}")),
        }
    }
    (trusted, notes)
}

/// The time as RFC 3339, in UTC.
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    rfc3339(seconds)
}

/// Seconds since 1970 as RFC 3339 (civil calendar from days, counted from March 1 of year 0).
pub(in crate::host) fn rfc3339(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let part = (5 * day + 2) / 153;
    let month = if part < 10 { part + 3 } else { part - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let day = day - (153 * part + 2) / 5 + 1;
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use crate::host::store::private_files::with_faults;
    use crate::host::store::trust_file::*;

    #[cfg(unix)]
    #[test]
    fn a_store_that_others_can_write_is_refused() {
        use std::fs::{Permissions, set_permissions};
        use std::os::unix::fs::PermissionsExt as _;
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("kzui");
        std::fs::create_dir(&folder).unwrap();
        let store = TrustFile::at(folder.join("trust.yaml"));
        std::fs::write(&store.path, "").unwrap();
        let with = |folder_mode: u32, mode: u32| {
            set_permissions(&folder, Permissions::from_mode(folder_mode)).unwrap();
            set_permissions(&store.path, Permissions::from_mode(mode)).unwrap();
            store.records()
        };
        assert_eq!(with(0o700, 0o600), Ok(Vec::new()));
        assert_eq!(with(0o755, 0o644), Ok(Vec::new()));
        for (folder_mode, mode) in [(0o777, 0o600), (0o700, 0o666), (0o770, 0o600), (0o700, 0o620)]
        {
            let path = if folder_mode & 0o022 != 0 { &folder } else { &store.path };
            let reason = ownership::OwnershipError::WritableByOthers { path: path.clone() };
            assert_eq!(with(folder_mode, mode), Err(reason.to_string()));
        }
    }

    #[test]
    fn failed_append_keeps_earlier_decisions() {
        use crate::engine::load::Digest;
        use crate::engine::plugin::TrustScope;
        let scratch = tempfile::tempdir().unwrap();
        let store = TrustFile::at(scratch.path().join("kzui/trust.yaml"));
        let record = |name: &str, scope| TrustRecord {
            reference: name.to_owned(),
            digest: Digest::compute(name.as_bytes()),
            decided_at: String::new(),
            scope,
            functions: Vec::new(),
            files: Vec::new(),
            signer: String::new(),
        };
        let (first, next) = (record("a", TrustScope::Digest), record("a", TrustScope::Revoked));
        store.append(&first).unwrap();
        let calls = with_faults(|before| {
            let done = append(&store.path, &next.to_yaml(), before);
            let mut expected = vec![first.clone()];
            expected.extend(done.is_ok().then(|| next.clone()));
            assert_eq!(store.records().unwrap(), expected);
            done
        });
        assert!(calls >= 5, "{calls} calls");
    }

    #[test]
    fn seconds_become_calendar_dates() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(1_795_168_800), "2026-11-20T10:00:00Z");
    }
}
