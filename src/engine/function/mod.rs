//! KRM functions: the wire, resolution, trust.
