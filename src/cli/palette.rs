//! Colours of printed text.

/// The setting that colours printed text, or leaves it plain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    #[default]
    Plain,
    Coloured,
}
