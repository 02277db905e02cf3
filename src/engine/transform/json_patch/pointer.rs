//! The parts of a pointer.

use crate::diagnostic::JsonPatchFault;

pub(super) fn decode(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// The number of collections around the value at a path.
pub(super) fn depth(path: &str) -> usize {
    path.matches('/').count()
}

/// The index of an existing element; negative numbers count from the end.
pub(super) fn index(key: &str, length: usize) -> Result<usize, JsonPatchFault> {
    let number: i64 = key.parse().map_err(|_| JsonPatchFault::NoIndex(key.to_owned()))?;
    let at = if number < 0 { number.checked_add_unsigned(length as u64) } else { Some(number) };
    at.and_then(|at| usize::try_from(at).ok())
        .filter(|at| *at < length)
        .ok_or(JsonPatchFault::InvalidIndex(number))
}
