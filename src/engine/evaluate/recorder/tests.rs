use super::*;
use crate::evaluate::ErrorCause;
use crate::evaluate::ports::NoClock;
use crate::resource::Resource;
use crate::yaml::Node;

fn add(recorder: &mut Recorder, kind: StepKind, bytes: usize) -> Result<(), Box<ErrorCause>> {
    let mut resources = ResMap::default();
    let mut node = Node::mapping();
    for (key, text) in [("kind", "Thing".to_owned()), ("text", "x".repeat(bytes))] {
        node.as_mapping_mut().unwrap().set(key, Node::string(&*text));
    }
    resources.append(Resource::new(node, resources.scopes())).unwrap();
    let heading = Step::new(kind, "load", "thing.yaml", LayerId(0), Mark::default());
    let begun = recorder.begin(heading, &mut BuildCache::default());
    match recorder.end(begun, &mut resources, Ok(())) {
        Err(BuildAbort::Failed(error)) => Err(Box::new(error.cause.clone())),
        Err(BuildAbort::Cancelled) => Err(Box::new(ErrorCause::Cancelled)),
        Ok(()) => Ok(()),
    }
}

#[test]
fn recording_over_the_limit_fails_at_its_step() {
    let mut recorder = Recorder::new(Arc::new(NoClock));
    recorder.enter(LayerKind::Root, None, "target", "target", Mark::default());
    recorder.bytes = MAX_RECORDED_BYTES - (1 << 20);
    assert_eq!(add(&mut recorder, StepKind::Load, 1 << 19), Ok(()));
    // A merge does not count: its resources are already counted in the base.
    assert_eq!(add(&mut recorder, StepKind::Merge, 1 << 21), Ok(()));
    let cause = *add(&mut recorder, StepKind::Load, 1 << 19).unwrap_err();
    assert_eq!(cause, ErrorCause::Fault(LayerFault::TooMuchRecorded(1024).into()));
    let outcomes: Vec<bool> =
        recorder.steps.iter().map(|it| matches!(it.outcome, StepOutcome::Failed(_))).collect();
    assert_eq!(outcomes, [false, false, true]);
}
