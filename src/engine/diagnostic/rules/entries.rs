//! Entries of kustomization files that do nothing, or not for long.

super::rules! {
    KZ101 Error "a patch matches nothing",
        "The target of the patch selects no resource of those that are there at its step. Kustomize says nothing about it and exits 0.",
        "Compare each part of the target with the resources before the step; the message has the part that excludes them. Names are those before prefixes and suffixes of the same kustomization.",
        "tests/cases/patches-sm/without-effect.md";
    KZ102 Warning "a target of a replacement matches nothing",
        "The `select` of a replacement's target selects no resource at its step, or `reject` leaves none. The other targets are written all the same.",
        "Correct the selector, or remove the target.",
        "tests/cases/diagnostics/replacement-target.md";
    KZ103 Note "an entry changes nothing: it is so already",
        "The entry matches resources, and they say already what it would write. Of a patch file with several documents it is said at the document, and the others may write something.",
        "It may be removed if nothing else relies on it.",
        "tests/cases/patches-sm/without-effect.md";
    KZ110 Warning "nothing of what an entry writes is left",
        "Later steps of this build write over everything that the entry wrote. It was tried: without the entry the build gives the same output. Another target that uses the same entry may still need it.",
        "Change the value where it is written last, or remove the entry.",
        "tests/cases/patches-sm/without-effect.md";
    KZ111 Warning "an entry of `images` is applied twice",
        "Kustomize goes over the containers of workloads twice, so that a suffix, or a new name that the entry's name matches, is added twice.",
        "Use `newTag`, or a `newName` that the entry's name does not match.",
        "tests/cases/diagnostics/images-twice.md";
    KZ120 Error "an entry of `images` is for no container",
        "No field that Kustomize knows as an image has this image at that step.",
        "Write the name as it stands in the manifest, with its registry and without its tag; for an image in a custom resource, name its field under `configurations`.",
        "tests/cases/diagnostics/images-nowhere.md";
    KZ121 Error "a patch says nothing",
        "The patch is empty, or all of it is commented out.",
        "Remove the entry, or write the patch.",
        "tests/cases/diagnostics/patch-empty.md";
    KZ122 Error "an entry is for no resource",
        "The entry has a field that no resource at its step has, or there is no resource at all. Of a field for all resources, such as `namespace`, `kzui check` says it as a note.",
        "Compare it with the resources before the step.",
        "";
    KZ124 Note "a part of what an entry writes is written again",
        "Later steps of this build write over some of the fields that the entry wrote, or take them away.",
        "Change those values where they are written last. They may go from this entry where no step in between needs them, and no other target.",
        "tests/cases/diagnostics/partly-overwritten.md";
}
