//! The tour: eleven stops for newcomers; each ends when its task is completed.

use super::super::keymap::BINDINGS;
use super::overlay::Confirmation;
use super::{EntryState, Model, Overlay, Screen};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tour {
    /// The stop, from 0.
    pub at: usize,
    /// The step under the cursor at the start of the stop.
    pub step: usize,
    /// The number of edits of the draft at the start of the stop.
    pub edits: usize,
}

/// A stop: its text, with the key of a command in place of its name in braces, and the condition
/// that ends the stop.
struct TourStop {
    says: &'static str,
    is_done: fn(&Model, Tour) -> bool,
}

pub(crate) const STOPS: usize = TOUR.len();

static TOUR: [TourStop; 11] = [
    TourStop {
        says: "The tree lists the entries of the build, in the order in which Kustomize works. Go with {down} to an entry that is commented out: in the demo, ../../components/ldap.",
        is_done: |model, _| {
            let row = model.tree.rows.get(model.list(super::Pane::Tree).selected);
            row.is_some_and(|row| row.state == EntryState::Off)
        },
    },
    TourStop {
        says: "Press {toggle}: a draft switches the entry on. The build follows at once; no file changes.",
        is_done: |model, _| model.has_draft(),
    },
    TourStop {
        says: "The first line counts the edits of the draft, and the row shows the effect of the entry on the output. Press {steps} for the list of every step of the build.",
        is_done: |model, _| model.screen == Screen::Steps,
    },
    TourStop {
        says: "Press {step-forward} or {step-back} to go through the steps, on every screen, or {next-effective} to go to the next step with a change.",
        is_done: |model, tour| model.cursor != tour.step,
    },
    TourStop {
        says: "Press {diff} to see the changes of this step in each resource.",
        is_done: |model, _| model.screen == Screen::Diff,
    },
    TourStop {
        says: "Press {resource} to see a resource right after the step, with the step, file and line that wrote each line of it.",
        is_done: |model, _| model.screen == Screen::Resource,
    },
    TourStop {
        says: "Press {palette} to find commands, steps, resources and problems by their names: type a part of a name, and \
               press enter.",
        is_done: |model, _| matches!(model.overlay, Some(Overlay::Palette(_))),
    },
    TourStop {
        says: "Press {problems} to see failures and steps without effect, each with its reason and its location.",
        is_done: |model, _| model.screen == Screen::Problems && model.overlay.is_none(),
    },
    TourStop {
        says: "Press {fix}: the verified fix of the selected problem becomes an edit of the draft. {change} lists the edits; space leaves one out.",
        is_done: |model, tour| model.edits.pending > tour.edits,
    },
    TourStop {
        says: "Type {write} and press enter to see the diff of the draft. Only y writes: answer n here.",
        is_done: |model, _| matches!(&model.overlay, Some(Overlay::Confirm(confirm)) if matches!(confirm.asked, Confirmation::Write { .. })),
    },
    TourStop {
        says: "{undo} undoes the last edit, {help} shows the keys of a screen, {quit} quits; an unwritten draft is offered the next time. End of the tour. The demo's shop/overlays/production has typical faults to try.",
        is_done: |_, _| false,
    },
];

impl Tour {
    pub(crate) fn is_done(self, model: &Model) -> bool {
        (TOUR[self.at].is_done)(model, self)
    }

    pub(crate) fn words(self, model: &Model) -> String {
        let mut words = TOUR[self.at].says.to_owned();
        for row in BINDINGS {
            // A command without a key is typed into the palette.
            let typed = format!(":{}", row.name);
            let key = model.look.keymap.keys(row.command).first().unwrap_or(&typed);
            words = words.replace(&format!("{{{}}}", row.name), key);
        }
        words
    }
}
