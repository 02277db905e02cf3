//! The workbench, in the Elm style: a model, news that change it, and drawings of it.

mod agreement;
mod glyphs;
mod keymap;
mod layout;
mod linear;
mod message;
mod model;
mod perform;
mod ports;
mod recording;
mod runtime;
mod screen;
mod shelf;
mod size_class;
mod strip;
mod survey;
mod text;
mod theme;
mod update;
mod variation;
mod view;

pub use agreement::disagreements;
pub use glyphs::Icons;
pub use keymap::keys_as_markdown;
pub use linear::run_linear;
pub use message::{
    Answer, BuiltFrom, DraftNews, DraftOrder, Effect, Message, Mouse, SourceFile, Surveyed,
};
pub use model::Model;
pub use ports::{
    Access, Built, Comparison, Composed, Config, Evaluator, FoundComponent, Naming, Opened, Order,
    Outside, Shelved, Sides, SurveyOrder, WorkbenchOptions, WriteError, compositions_of,
};
pub use runtime::{RunError, run};
pub use screen::Screen;
pub use shelf::{Given, catalogs_of};
pub use survey::{
    BuiltAnswer, Known, SourceFiles, answer, claims, may_be_mended, offered, suspicions,
};
pub use theme::{ColorDepth, ThemeError, theme_names};
pub use update::{open, update};
pub use variation::{Variation, WhatIf, WhatIfAnswer, vary};
pub use view::view;
