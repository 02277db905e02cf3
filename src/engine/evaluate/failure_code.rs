//! The code of a failed build.

use crate::diagnostic::{
    Code, Fault, FieldFault, GeneratorFault, JsonPatchFault, LayerFault, PatchFault,
    ReplacementFault, ResourceFault, VarFault,
};
use crate::load::LoadError;
use crate::manifest::{ManifestError, ManifestFault};

use super::{ErrorCause, StepError};

impl StepError {
    /// The registered code (`KZ…`) of the kind of error.
    pub fn code(&self) -> Code {
        if let Some(class) = self.class {
            return class;
        }
        match &self.cause {
            ErrorCause::Fault(fault) => fault_code(fault.innermost()),
            ErrorCause::Manifest(error) => manifest_error_code(error),
            ErrorCause::Load(_, error) => load_error_code(error),
            ErrorCause::Yaml(..) => Code::KZ010,
            ErrorCause::Clash(_) => Code::KZ030,
            ErrorCause::Selector(_) => Code::KZ064,
            ErrorCause::Waiting(_) | ErrorCause::Cancelled => Code::KZ000,
        }
    }
}

fn manifest_error_code(error: &ManifestError) -> Code {
    match error {
        ManifestError::Yaml { .. } | ManifestError::DuplicateKey { .. } => Code::KZ010,
        ManifestError::UnknownField { .. } => Code::KZ014,
        ManifestError::WrongType { .. } => Code::KZ015,
        ManifestError::Header { .. } => Code::KZ016,
        ManifestError::Empty { .. } => Code::KZ017,
        ManifestError::Fault { fault: ManifestFault::NoSource, .. } => Code::KZ033,
        ManifestError::Fault { .. } | ManifestError::Conflict { .. } => Code::KZ000,
    }
}

fn load_error_code(error: &LoadError) -> Code {
    match error {
        LoadError::NotDirectory { source } => load_error_code(source),
        LoadError::Resolve { clue: Some(clue), .. } if clue.is_made_file() => Code::KZ029,
        LoadError::Resolve { .. } => Code::KZ020,
        LoadError::OutsideRoot { .. } | LoadError::OutsideClone { .. } => Code::KZ021,
        LoadError::Cycle { .. } | LoadError::RemoteCycle { .. } => Code::KZ023,
        LoadError::NotFile { .. } | LoadError::FileNotDirectory { .. } => Code::KZ026,
        LoadError::HttpStatus { .. } | LoadError::IsRepository | LoadError::Remote(_) => {
            Code::KZ027
        }
        LoadError::Read { .. }
        | LoadError::NoDirectory
        | LoadError::AbsoluteRoot(_)
        | LoadError::EmptyRoot
        | LoadError::Ambiguous { .. } => Code::KZ000,
    }
}

fn fault_code(fault: &Fault) -> Code {
    match fault {
        Fault::Field(fault) => field_fault_code(fault),
        Fault::Patch(fault) => patch_fault_code(fault),
        Fault::JsonPatch(fault) => json_patch_fault_code(fault),
        Fault::Generator(fault) => generator_fault_code(fault),
        Fault::Replacement(fault) => replacement_fault_code(fault),
        Fault::Var(fault) => var_fault_code(fault),
        Fault::Resource(fault) => resource_fault_code(fault),
        Fault::Layer(fault) => layer_fault_code(fault),
        Fault::Composition(_) => Code::KZ071,
        Fault::Plugin(_) => Code::KZ070,
        Fault::Yaml(_) => Code::KZ010,
        Fault::NotAResource(_) => Code::KZ031,
        Fault::Clash(_) => Code::KZ030,
        Fault::Excess(_) => Code::KZ000,
        Fault::Within { fault, .. } => fault_code(fault),
    }
}

fn field_fault_code(fault: &FieldFault) -> Code {
    match fault {
        FieldFault::UnreadableText(_) => Code::KZ010,
        FieldFault::NoExpression(_) => Code::KZ064,
        FieldFault::WrongKind { .. }
        | FieldFault::EmptyText { .. }
        | FieldFault::BelowAScalar
        | FieldFault::EmptyName
        | FieldFault::NoCondition
        | FieldFault::Wildcard
        | FieldFault::NegativeIndex(_)
        | FieldFault::IndexOutOfRange { .. } => Code::KZ065,
    }
}

fn patch_fault_code(fault: &PatchFault) -> Code {
    match fault {
        PatchFault::NotOneTarget { several, .. } => {
            if *several {
                Code::KZ041
            } else {
                Code::KZ040
            }
        }
        PatchFault::NeitherTextNorPath
        | PatchFault::TextAndPath
        | PatchFault::JsonWithoutTarget(_)
        | PatchFault::WithoutTarget(_)
        | PatchFault::SeveralPatchesWithTarget(_)
        | PatchFault::TargetWithoutName
        | PatchFault::NeitherOperationsNorPath
        | PatchFault::OperationsAndPath
        | PatchFault::NeitherFilesNorContent => Code::KZ042,
        PatchFault::NeitherKind(_)
        | PatchFault::BothKinds(_)
        | PatchFault::NoOperations
        | PatchFault::EmptyFile(_)
        | PatchFault::Empty { .. }
        | PatchFault::EmptyStrategicMerges { .. } => Code::KZ043,
        PatchFault::DeletedBefore
        | PatchFault::UnknownStrategy(_)
        | PatchFault::BadItems
        | PatchFault::BadMergeWords
        | PatchFault::ListTooLong(_) => Code::KZ000,
    }
}

fn json_patch_fault_code(fault: &JsonPatchFault) -> Code {
    match fault {
        JsonPatchFault::Yaml(_) => Code::KZ010,
        JsonPatchFault::NotAList(_) | JsonPatchFault::NotUtf8(_) => Code::KZ043,
        JsonPatchFault::TestFailed(_) => Code::KZ045,
        JsonPatchFault::NotAMapping(_)
        | JsonPatchFault::UnknownOperation(_)
        | JsonPatchFault::WithoutPath { .. }
        | JsonPatchFault::WithoutFrom(_) => Code::KZ046,
        JsonPatchFault::NoSuchPlace { .. }
        | JsonPatchFault::NoIndex(_)
        | JsonPatchFault::NoIndexToAdd(_)
        | JsonPatchFault::InvalidIndex(_)
        | JsonPatchFault::NothingToRemove(_)
        | JsonPatchFault::NothingToCopy(_)
        | JsonPatchFault::InAScalar => Code::KZ044,
        JsonPatchFault::At { fault, .. } => json_patch_fault_code(fault),
        JsonPatchFault::Excess(_) => Code::KZ000,
    }
}

fn generator_fault_code(fault: &GeneratorFault) -> Code {
    match fault {
        GeneratorFault::NothingToMerge(_)
        | GeneratorFault::Exists { .. }
        | GeneratorFault::SeveralToMerge(_) => Code::KZ061,
        GeneratorFault::NoName
        | GeneratorFault::RepeatedKey(..)
        | GeneratorFault::NotUtf8(_)
        | GeneratorFault::BadLiteral(_)
        | GeneratorFault::LoneQuote(_)
        | GeneratorFault::NoKey(..)
        | GeneratorFault::NoPath(..)
        | GeneratorFault::SeveralEquals(_)
        | GeneratorFault::UnknownCloud(_) => Code::KZ062,
    }
}

fn replacement_fault_code(fault: &ReplacementFault) -> Code {
    match fault {
        ReplacementFault::NothingSelected(_) | ReplacementFault::SeveralSelected(_) => Code::KZ050,
        ReplacementFault::NoField(..)
        | ReplacementFault::NoTargetField { .. }
        | ReplacementFault::IndexOutOfBounds { .. }
        | ReplacementFault::CreateInMultiValueTarget
        | ReplacementFault::DelimiterWithoutText => Code::KZ051,
        ReplacementFault::TwoSources
        | ReplacementFault::NoSourceOrTarget
        | ReplacementFault::PathAndInline
        | ReplacementFault::NoSelect
        | ReplacementFault::NullReject
        | ReplacementFault::NoValueTarget
        | ReplacementFault::NegativePosition(_)
        | ReplacementFault::EmptyPath => Code::KZ052,
    }
}

fn var_fault_code(fault: &VarFault) -> Code {
    match fault {
        VarFault::Ambiguous(..)
        | VarFault::Repeated(_)
        | VarFault::NoResource(_)
        | VarFault::NoField(_)
        | VarFault::NotAText => Code::KZ053,
        VarFault::Unset(..) => Code::KZ054,
        VarFault::BadKey { .. }
        | VarFault::BadName(_)
        | VarFault::BadExpression(..)
        | VarFault::BrokenBySubstitution(..)
        | VarFault::Unprintable(..) => Code::KZ055,
    }
}

fn resource_fault_code(fault: &ResourceFault) -> Code {
    match fault {
        ResourceFault::NamespaceConflict(_) => Code::KZ032,
        ResourceFault::SeveralReferrals { .. } => Code::KZ063,
        ResourceFault::NoReplicas { .. } => Code::KZ060,
        ResourceFault::MissingField { .. } => Code::KZ031,
        ResourceFault::BadImageName(_) => Code::KZ064,
        ResourceFault::ReferenceWithoutName
        | ResourceFault::ListOfLists
        | ResourceFault::SubjectIsNoMapping
        | ResourceFault::SubjectKindIsNoText => Code::KZ065,
        ResourceFault::UnevenNames
        | ResourceFault::NullVersion(_)
        | ResourceFault::NullKind(_)
        | ResourceFault::BlankNamespace(_)
        | ResourceFault::TooManyNames { .. }
        | ResourceFault::LocalConfigTwice(_)
        | ResourceFault::LegacyOptionsOfFifo
        | ResourceFault::UnknownOrder
        | ResourceFault::ChangedByValidator(_) => Code::KZ000,
    }
}

fn layer_fault_code(fault: &LayerFault) -> Code {
    match fault {
        LayerFault::CompositionForComponent(_)
        | LayerFault::KustomizationForComponent(_)
        | LayerFault::Component(_) => Code::KZ024,
        LayerFault::NoKustomization(_) => Code::KZ022,
        LayerFault::SeveralKustomizations { .. } => Code::KZ025,
        LayerFault::CompositionInKustomization(_) => Code::KZ016,
        LayerFault::Unreadable(_) => Code::KZ010,
        LayerFault::DeploymentCycle(..) => Code::KZ023,
        LayerFault::NothingDeployed(..) => Code::KZ028,
        LayerFault::SeveralDeployed(..) => Code::KZ034,
        LayerFault::EqualNames { .. } => Code::KZ035,
        LayerFault::TooDeep(_)
        | LayerFault::TooMany(_)
        | LayerFault::TooMuchRecorded(_)
        | LayerFault::RepositorySettings(_)
        | LayerFault::NoneGenerated(..)
        | LayerFault::NoElement(..)
        | LayerFault::NoGenerators(_)
        | LayerFault::BadManifest(..)
        | LayerFault::Fragment(_)
        | LayerFault::FragmentWithoutUrl(_)
        | LayerFault::PatchOfObject(_)
        | LayerFault::SeveralParents(..)
        | LayerFault::TwoSchemas
        | LayerFault::UnknownSchemaVersion
        | LayerFault::BadSchema(_)
        | LayerFault::UnknownSpecStrategy(_)
        | LayerFault::Unprintable(_) => Code::KZ000,
    }
}
