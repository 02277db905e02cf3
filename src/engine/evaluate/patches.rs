//! `patches`, `patchesStrategicMerge`, `patchesJson6902` and `replacements`: the entries that bring texts of their own.
