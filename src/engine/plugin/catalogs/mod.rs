//! Catalogs (B.3 to B.11): trust, resolution of functions, and the view for the user.

mod cache;
mod images;
mod implementation;
mod lock;
mod named_files;
mod pin;
mod record;
mod review;
mod schema_check;
mod search;
mod signed;
mod trust;
mod view;

pub use cache::{CachedCatalog, CatalogCache, CatalogPorts};
pub use images::{ImageFacts, ImageView, LayerChanges};
pub use implementation::ResolveContext;
pub use lock::{CatalogLock, LOCK_FILE, LockEntry};
pub use named_files::{NamedFile, NamedFileContent, layer_title};
pub use pin::{PinPolicy, quote_shell_word};
pub use record::{FileSnapshot, FunctionSnapshot, TrustRecord, TrustScope, TrustStore};
pub use review::{Danger, FileReview, TrustChange, TrustReview, review};
pub use schema_check::{SchemaViolation, check_schema};
pub use search::{CatalogMatch, ListedCatalog, SearchInput, SearchOutcome};
pub use signed::require_signed_runtime;
pub use trust::{FileTrust, Sandbox, Trust, TrustVerdict, TrustedBy, TrustedCatalog};
pub use view::{CatalogEntryView, CatalogView, TrustState, mark_shadows};
