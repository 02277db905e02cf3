//! The tour of linear mode: ten stops, each completed by the command that it names.

use super::LinearSession;

/// The texts of the stops. The word after `Type` is the command that completes the stop.
static TOUR: [&str; 10] = [
    "Type tree: the entries of the build, numbered, in the order in which Kustomize works.",
    "Type toggle and the number of a row that is off, in the demo that of ../../components/ldap: a draft switches the entry on. The build follows at once; no file changes.",
    "Type steps: every step of the build, in order. steps 3-7 prints some of them.",
    "Type step 7: one step, the file and line of its configuration, and the resources that it changed.",
    "Type diff 7: the changes of that step, line by line, in every resource.",
    "Type resource and a name that resources lists, in the demo resource Deployment/example: the resource in the output, with the step, file and line that wrote each part.",
    "Type why, a name and a field, in the demo why Deployment/example metadata.name: the writer of the field, and the overridden writers.",
    "Type problems: failures and steps without effect, each with its reason and its location.",
    "Type write: it prints the diff of the draft and asks. Only y writes: answer n here.",
    "undo undoes the last edit, help lists all commands, quit quits; an unwritten draft is offered the next time. End of the tour. The demo's shop/overlays/production has typical faults to try.",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineTour {
    at: usize,
    is_done: bool,
}

impl LinearSession<'_> {
    pub(super) fn begin_or_leave_tour(&mut self) -> Vec<String> {
        if self.tour.take().is_some() {
            return vec!["Tour ended. Type tour to start it again.".to_owned()];
        }
        let ways = "A tour of ten stops. Type next to skip a stop, tour to end the tour.";
        [ways.to_owned()].into_iter().chain(self.go_to_stop(0)).collect()
    }

    /// Goes to the next stop, even if this one is not completed.
    pub(super) fn next_stop(&mut self) -> Vec<String> {
        let none = || vec!["No tour. Type tour to start one.".to_owned()];
        self.tour.map_or_else(none, |tour| self.go_to_stop(tour.at + 1).into_iter().collect())
    }

    /// Goes to the next stop if the line has completed the current stop, and no question is open.
    pub(super) fn follow_tour(&mut self, line: &str) -> Vec<String> {
        let Some(tour) = &mut self.tour else { return Vec::new() };
        let told = TOUR.get(tour.at).and_then(|text| text.strip_prefix("Type "));
        let word = told.and_then(|told| told.split([' ', ':', ',']).next());
        tour.is_done |= word.is_some() && line.split_whitespace().next() == word;
        let next = (tour.is_done && self.model.overlay.is_none()).then_some(tour.at + 1);
        next.and_then(|at| self.go_to_stop(at)).into_iter().collect()
    }

    fn go_to_stop(&mut self, at: usize) -> Option<String> {
        self.tour = (at + 1 < TOUR.len()).then_some(LineTour { at, is_done: false });
        Some(format!("Stop {} of {}. {}", at + 1, TOUR.len(), TOUR.get(at)?))
    }
}
