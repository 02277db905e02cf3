//! Colours of printed text.

/// The colours of errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    #[default]
    Plain,
    Coloured,
}
