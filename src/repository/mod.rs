//! What stands in a tree of folders: kustomizations, components, compositions and their files, who uses whom, and what a
//! change reaches. Pure: what is on disk comes through ports.
