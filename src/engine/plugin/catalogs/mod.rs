//! Catalogs (B.3 to B.11): trust, resolution of functions, and the view for the user.

mod cache;
mod implementation;
mod pin;
mod record;
mod review;
mod schema_check;
mod search;
mod trust;
mod view;

pub use cache::{CatalogCache, CatalogPorts, Opened};
pub use implementation::{Making, Resolved};
pub use pin::{PinPolicy, PinnedImage, pin_image};
pub use record::{FunctionSnapshot, TrustRecord, TrustScope, TrustStore, TrustStoreError};
pub use review::{Danger, TrustChange, TrustReview, review};
pub use schema_check::check_schema;
pub use search::{Found, KnownSchema, ListedCatalog, Searched, Searching, as_word};
pub use trust::{Sandbox, Trust, TrustedBy, TrustedCatalog, TrustedError, Verdict};
pub use view::{
    BinaryView, CatalogEntryView, CatalogView, Pin, RuntimeView, TrustState, mark_shadows,
};
