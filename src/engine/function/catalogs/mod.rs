//! Catalogs at work (B.3 to B.11): which are trusted, what they resolve to, what a person sees of them.

mod pin;
mod record;
mod review;
mod trust;
mod view;

pub use pin::{PinPolicy, PinnedImage, pin_image};
pub use record::{FunctionSnapshot, TrustRecord, TrustScope, TrustStore, TrustStoreError};
pub use review::{Danger, TrustChange, TrustReview, review};
pub use trust::{Trust, TrustedBy, TrustedCatalog, TrustedError, Verdict};
pub use view::{
    BinaryView, CatalogEntryView, CatalogView, Pin, RuntimeView, TrustState, mark_shadows,
};
