//! The test cases of the matrix C.6, with closures as functions; tests with real programs are in
//! `tests/it/functions.rs`.

mod engines;
mod gates;
mod matrix;
mod reuse;
mod starlark;
mod wire;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::super::{BuildCache, BuildOptions, Evaluation, Ports, evaluate};
use crate::load::MemoryFiles;
use crate::plugin::{Program, ProgramError, ProgramResult, Programs, STARLARK_PROGRAM};
use crate::yaml::print_documents;

type ProgramCall = dyn Fn(&Program) -> Result<ProgramResult, ProgramError> + Send + Sync;

struct FakePrograms {
    answer: Box<ProgramCall>,
    variables: Vec<(&'static str, &'static str)>,
    in_path: Vec<&'static str>,
    seen: Mutex<Vec<Program>>,
}

impl Programs for FakePrograms {
    fn run(&self, program: &Program, _: &dyn Fn() -> bool) -> Result<ProgramResult, ProgramError> {
        self.seen.lock().unwrap().push(program.clone());
        (self.answer)(program)
    }

    fn variable(&self, name: &str) -> Option<String> {
        let found = self.variables.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| (*value).to_owned())
    }

    fn locate(&self, name: &str) -> Option<PathBuf> {
        self.in_path.contains(&name).then(|| Path::new("/bin").join(name))
    }

    fn user(&self) -> Option<(u32, u32)> {
        Some((1000, 100))
    }
}

/// A tree in `/w`, the build options, and the fake that runs its functions.
struct Scene {
    files: MemoryFiles,
    options: BuildOptions,
    fake: Arc<FakePrograms>,
    memory: BuildCache,
    target: &'static str,
}

const TRANSFORMER: &str = "apiVersion: x/v1\nkind: Fn\nmetadata:\n  name: f\n  annotations:\n    \
                           config.kubernetes.io/function: 'exec: {path: ./f}'\n";
const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: b\n";

#[expect(clippy::unnecessary_wraps, reason = "what a port answers")]
fn output(text: impl Into<Vec<u8>>) -> Result<ProgramResult, ProgramError> {
    Ok(ProgramResult { status: Some(0), output: text.into(), ..ProgramResult::default() })
}

fn editing_program(
    edit: impl Fn(&str) -> String,
) -> impl Fn(&Program) -> Result<ProgramResult, ProgramError> {
    move |program| output(edit(std::str::from_utf8(&program.input).unwrap()))
}

fn list(items: &str) -> String {
    format!("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {items}\n")
}

/// A fake Starlark interpreter: changes the list of its input.
fn fake_starlark(
    edit: impl Fn(&mut serde_json::Value),
) -> impl Fn(&Program) -> Result<ProgramResult, ProgramError> {
    move |program| {
        assert_eq!(program.command, STARLARK_PROGRAM);
        let question: serde_json::Value = serde_json::from_slice(&program.input).unwrap();
        let mut list = question["resourceList"].clone();
        edit(&mut list);
        output(serde_json::json!({"resourceList": list, "printed": ""}).to_string())
    }
}

impl Scene {
    /// A scene with one `ConfigMap` and one transformer, and with these files in addition or
    /// instead, whose programs are run by `answer`.
    fn new(
        files: &[(&str, &str)],
        answer: impl Fn(&Program) -> Result<ProgramResult, ProgramError> + Send + Sync + 'static,
    ) -> Self {
        let usual = [
            ("f", "#!/bin/sh\n"),
            ("kustomization.yaml", "resources: [map.yaml]\ntransformers: [fn.yaml]\n"),
            ("map.yaml", CONFIG_MAP),
            ("fn.yaml", TRANSFORMER),
        ];
        let mut memory = MemoryFiles::default();
        for (path, text) in usual.iter().chain(files) {
            memory = memory.file(Path::new("/w").join(path), text);
        }
        let options = BuildOptions {
            enable_alpha_plugins: true,
            enable_exec: true,
            ..BuildOptions::default()
        };
        let fake = FakePrograms {
            answer: Box::new(answer),
            variables: Vec::new(),
            in_path: Vec::new(),
            seen: Mutex::default(),
        };
        Self {
            files: memory,
            options,
            fake: Arc::new(fake),
            memory: BuildCache::default(),
            target: ".",
        }
    }

    fn with_transformer(
        answer: impl Fn(&Program) -> Result<ProgramResult, ProgramError> + Send + Sync + 'static,
    ) -> Self {
        Self::new(&[], answer)
    }

    fn evaluate(&mut self) -> Evaluation {
        let ports = Ports { programs: self.fake.clone(), ..Ports::of_files(self.files.clone()) };
        evaluate(self.target, Path::new("/w"), &self.options, &ports, &mut self.memory)
    }

    fn build(&mut self) -> Result<String, String> {
        let evaluation = self.evaluate();
        match evaluation.outcome {
            Ok(resources) => Ok(print_documents(resources.iter().map(|r| &r.node)).unwrap()),
            Err(error) => Err(error.message.clone()),
        }
    }

    fn programs_run(&self) -> Vec<Program> {
        self.fake.seen.lock().unwrap().clone()
    }

    /// The input of a call, by its number.
    fn input(&self, call: usize) -> String {
        String::from_utf8(self.programs_run()[call].input.to_vec()).unwrap()
    }
}
