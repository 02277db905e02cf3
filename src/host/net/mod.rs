//! HTTP, registries, archives and everything else that is fetched.

pub(super) mod archive;
pub(super) mod artifacts;
pub(super) mod by_digest;
pub(super) mod credentials;
pub(super) mod download;
mod image;
pub(super) mod oci;
pub(super) mod push;
pub(super) mod redirect;
pub(super) mod remote;
pub(super) mod signatures;
