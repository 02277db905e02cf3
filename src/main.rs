//! The composition root: picks the adapters and hands them to `cli` or `tui`.

fn main() {}
