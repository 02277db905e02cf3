//! Parts of confinement that the system lacks, as messages.

use crate::engine::plugin::Sandbox;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each field is one capability")]
pub struct ConfinementSupport {
    /// Reading and writing can be restricted to paths.
    pub files: bool,
    pub tcp: bool,
    /// All network access can be removed, and no process outlives its program.
    pub network: bool,
    /// Files that a program may not read are absent from its root, as is every socket.
    pub root: bool,
    /// Memory and processes can be limited for all that a program starts together.
    pub together: bool,
}

impl ConfinementSupport {
    /// A message with the parts that are not confined if files are; `None` if everything is confined.
    pub fn gaps(self) -> Option<String> {
        let network = match (self.network, self.tcp) {
            (true, _) => None,
            (false, true) => Some("network other than TCP"),
            (false, false) => Some("network"),
        };
        let processes = (!self.network).then_some("background processes");
        let root = (!self.root)
            .then_some("Unix sockets, names, modes and times of files, other processes' commands");
        let gaps: Vec<&str> = [network, processes, root].into_iter().flatten().collect();
        (!gaps.is_empty()).then(|| format!("not confined on this system: {}", gaps.join(", ")))
    }
}

/// The confinement as shown in the review of a catalog.
pub(in crate::host) fn sandbox_of(support: ConfinementSupport) -> Sandbox {
    match support.gaps() {
        _ if !support.files => Sandbox::None,
        Some(gaps) => Sandbox::Partial(gaps),
        None => Sandbox::Full { together: support.together },
    }
}

#[cfg(test)]
mod tests {
    use crate::host::process::confinement_gaps::*;

    #[test]
    fn sandbox_names_the_gaps_of_confinement() {
        let all = ConfinementSupport {
            files: true,
            tcp: true,
            network: true,
            root: true,
            together: true,
        };
        assert_eq!(sandbox_of(all), Sandbox::Full { together: true });
        let alone = sandbox_of(ConfinementSupport { together: false, ..all });
        assert_eq!(alone, Sandbox::Full { together: false });
        assert_ne!(alone.words(), sandbox_of(all).words());
        for (open, part) in [
            (ConfinementSupport { network: false, ..all }, "TCP"),
            (ConfinementSupport { root: false, ..all }, "sockets"),
        ] {
            let Sandbox::Partial(gaps) = sandbox_of(open) else { panic!("{open:?}") };
            assert!(gaps.contains(part), "{gaps}");
        }
        assert_eq!(sandbox_of(ConfinementSupport { files: false, ..all }), Sandbox::None);
        assert_eq!(sandbox_of(ConfinementSupport::default()), Sandbox::None);
    }
}
