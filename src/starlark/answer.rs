//! Input and output of the interpreter: one JSON object each. `engine/plugin/script.rs` is the
//! counterpart in kzui.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::evaluate::{EvaluatedScript, ScriptFailure};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ScriptInput {
    /// The name of the script, for its error messages.
    pub(crate) name: String,
    pub(crate) script: String,
    pub(crate) resource_list: serde_json::Value,
}

impl ScriptInput {
    pub(crate) fn parse(bytes: &[u8]) -> io::Result<Self> {
        let mut json = serde_json::Deserializer::from_slice(bytes);
        // kzui limits the nesting; the stack is large enough for that limit.
        json.disable_recursion_limit();
        Ok(Self::deserialize(&mut json)?)
    }
}

/// The list after the script ended, or the reason why it is missing.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScriptOutcome {
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_list: Option<Box<RawValue>>,
    /// The output of `print`.
    printed: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl ScriptOutcome {
    pub(crate) fn to_json(&self) -> io::Result<Vec<u8>> {
        Ok(serde_json::to_vec(self)?)
    }
}

impl From<Result<EvaluatedScript, ScriptFailure>> for ScriptOutcome {
    fn from(result: Result<EvaluatedScript, ScriptFailure>) -> Self {
        let listed = result.map_err(|ScriptFailure(text)| text).and_then(|it| {
            let list = RawValue::from_string(it.json).map_err(|error| error.to_string())?;
            Ok((list, it.printed))
        });
        match listed {
            Ok((list, printed)) => Self { resource_list: Some(list), printed, error: None },
            Err(error) => Self { error: Some(error), ..Self::default() },
        }
    }
}
