//! What a change of the output does to a cluster in which the old one runs.

super::rules! {
    KZ310 Error "a field that cannot be changed changes",
        "The API server refuses the change of this field on an object that is there already.",
        "Keep the value, or delete the object and make it anew.",
        "";
    KZ311 Error "a volume claim shrinks",
        "Volumes can only grow: the API server refuses a smaller size.",
        "Keep the size, or make a new claim.",
        "";
    KZ312 Error "an object goes that takes others with it",
        "Where objects are pruned, what belongs to this one goes too: objects of a namespace or of a definition, data of a volume.",
        "Make sure that this is meant; keep the object otherwise.",
        "";
    KZ313 Warning "an object gets another name",
        "A new object is made under the new name, and the old one stays or is pruned.",
        "Make sure that both may be there for a while, and that nothing else uses the old name.",
        "";
    KZ320 Warning "rights are added",
        "A role or binding grants what it did not grant before.",
        "Make sure that this is meant.",
        "";
    KZ321 Warning "all rights are added",
        "A role grants everything with a star.",
        "Name the verbs and resources that are needed.",
        "";
    KZ330 Warning "pods restart",
        "The template of a workload changes, or the hash of a name in it: its pods are replaced.",
        "Nothing, if a restart is fine at this time.",
        "";
    KZ331 Note "an image changes",
        "A container gets another image.",
        "Nothing has to be done.",
        "";
}
