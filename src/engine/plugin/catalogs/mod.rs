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

pub use cache::{CachedCatalog, CatalogCache, CatalogPorts};
pub use implementation::{ResolveContext, ResolvedFunction};
pub use pin::{PinPolicy, PinnedImage, pin_image};
pub use record::{FunctionSnapshot, TrustRecord, TrustScope, TrustStore, TrustStoreError};
pub use review::{Danger, TrustChange, TrustReview, review};
pub use schema_check::check_schema;
pub use search::{CatalogMatch, KnownSchema, ListedCatalog, SearchInput, SearchOutcome, as_word};
pub use trust::{Sandbox, Trust, TrustVerdict, TrustedBy, TrustedCatalog, TrustedError};
pub use view::{
    BinaryView, CatalogEntryView, CatalogView, Pin, RuntimeView, TrustState, mark_shadows,
};
