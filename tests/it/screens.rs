//! The screens of the workbench: text and styles, at the three sizes, and what keys do to them.

use crate::support::{Workbench, check_screen};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

#[test]
fn every_screen_at_every_size() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::of_demo("components", "overlays/dev", (columns, rows));
        for (key, name) in [
            ("1", "tree"),
            ("2", "steps"),
            ("3", "diff"),
            ("4", "resource"),
            ("5", "components"),
            ("9", "problems"),
        ] {
            bench.keys(key);
            check_screen(&format!("{name}-{columns}x{rows}"), &bench.screen());
        }
    }
}
