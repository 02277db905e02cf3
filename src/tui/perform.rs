//! Performs the effects that are the same for the screens and for linear mode.

use super::message::{DraftNews, DraftOrder, Effect, Message};
use super::ports::{WorkbenchPorts, WriteError};

/// The variant name of a message or an effect, for the log: its fields may contain values of
/// Secrets. The debug form is cut at the first character that is not part of a name.
pub(crate) fn variant_name(value: &impl std::fmt::Debug) -> String {
    struct Name(String);
    impl std::fmt::Write for Name {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            let name = text.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
            self.0.push_str(name);
            if name.len() == text.len() { Ok(()) } else { Err(std::fmt::Error) }
        }
    }
    let mut name = Name(String::new());
    // An error only means that the name is complete.
    let _ = std::fmt::write(&mut name, format_args!("{value:?}"));
    name.0
}

/// Performs an effect on the files or on the data kept for the user, and returns the answers. The
/// other effects are performed by the screens and by linear mode, each in its own way.
pub(crate) fn perform_shared(outside: &dyn WorkbenchPorts, effect: Effect) -> Vec<Message> {
    match effect {
        Effect::Write(changes, words) => {
            let results = outside.write(&changes);
            let done = results.iter().all(Result::is_ok);
            let kept = done.then(|| outside.keep_operation(&words, &changes));
            let paths = changes.into_iter().map(|change| change.path);
            let mut written: Vec<_> = paths.zip(results).collect();
            // The last message stays on the screen, and it has to name the cause of a failure.
            written.sort_by_key(|(_, result)| match result {
                Ok(()) => 0,
                Err(WriteError::NotAlone(_)) => 1,
                Err(_) => 2,
            });
            let messages = written.into_iter().map(|(path, result)| Message::Written(path, result));
            messages.chain(kept.and_then(Result::err).map(Message::WriteNotLogged)).collect()
        }
        Effect::ReadWriteLog => vec![Message::WriteLogRead(outside.operations())],
        Effect::Keep(draft) => {
            outside.keep_draft(&draft).err().map(Message::DraftNotKept).into_iter().collect()
        }
        Effect::Drafts(order) => perform_draft_order(outside, order).into_iter().collect(),
        // The sizes are a convenience: without a home folder, they last for this session.
        Effect::KeepPaneShares(shares) => {
            outside.keep_pane_shares(&shares);
            Vec::new()
        }
        Effect::Decide(record) => {
            vec![Message::Decided(record.scope, outside.decide(*record))]
        }
        _ => Vec::new(),
    }
}

fn perform_draft_order(outside: &dyn WorkbenchPorts, order: DraftOrder) -> Option<Message> {
    Some(Message::Drafts(match order {
        DraftOrder::List => Ok(DraftNews::Listed(outside.drafts())),
        DraftOrder::Leave => {
            outside.leave_draft();
            return None;
        }
        DraftOrder::Switch(name) => {
            let taken = outside.take_draft(name.as_deref());
            taken.map(|kept| DraftNews::Taken(name, kept.map(Box::new)))
        }
        DraftOrder::Name(draft, naming) => {
            outside.name_draft(&draft, naming).map(|()| DraftNews::Named(draft))
        }
        DraftOrder::Delete(name) => outside.delete_draft(&name).map(|()| DraftNews::Deleted(name)),
    }))
}
