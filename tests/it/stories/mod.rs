//! The user stories of the Composition and Catalog proposals (KEP-2299, KEP-2906), as written if
//! possible: the images of `example.co` do not exist, so that a fake docker does their described
//! work.

mod catalog;
mod composition;

use std::os::unix::fs::PermissionsExt;

use crate::support::{Answer, Tree, program_with_bin};

/// An image with `java` in its name generates a Deployment from `spec.version`; every other image
/// adds its name and tag to the Deployment's annotation `ran`.
const FAKE_DOCKER: &str = r#"#!/bin/sh
echo "$@" >>'LOG'
[ "$1" = run ] || exit 0
for image; do :; done
word=${image##*/}
word=${word%%@*}
case $image in
*java*)
  version=$(tee 'LOG.java' | sed -n 's/^.*version: \(v[a-z0-9.-]*\).*$/\1/p' | tail -n 1)
  cat <<END
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: my-app
    annotations:
      image: team/my-app:$version
      ran: $word
END
  ;;
*) sed "s/ran: java.*/& $word/" ;;
esac
"#;

/// A tree, a home, and the fake docker.
pub(crate) struct Stage {
    pub(crate) tree: Tree,
    home: Tree,
}

impl Stage {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let stage = Self { tree: Tree::new(files), home: Tree::new(&[]) };
        let log = stage.home.path("log").display().to_string();
        stage.home.write("bin/docker", &FAKE_DOCKER.replace("LOG", &log));
        let mode = std::fs::Permissions::from_mode(0o755);
        fs_err::set_permissions(stage.home.path("bin/docker"), mode).unwrap();
        stage
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        let mut command = program_with_bin(&self.home.root());
        let output = command.args(arguments).current_dir(self.tree.root()).output();
        Answer::of(&output.expect("the program starts"))
    }

    /// The calls of the fake docker that run an image, in order, from the network option on: the
    /// arguments before it contain a name.
    pub(crate) fn image_runs(&self) -> Vec<String> {
        let log = fs_err::read_to_string(self.home.path("log")).unwrap_or_default();
        let runs = log.lines().filter(|line| line.starts_with("run "));
        runs.filter_map(|line| Some(line.split_once("--network ")?.1.to_owned())).collect()
    }

    /// The images that ran, in order.
    pub(crate) fn images(&self) -> Vec<String> {
        let runs = self.image_runs();
        runs.iter().filter_map(|run| Some(run.rsplit_once(' ')?.1.to_owned())).collect()
    }
}

impl Stage {
    /// The functionConfig of the last run of the image with `java` in its name.
    pub(crate) fn java_config(&self) -> String {
        let read = fs_err::read_to_string(self.home.path("log.java")).unwrap();
        read.split_once("functionConfig:\n").expect("a ResourceList").1.to_owned()
    }
}

/// The result of the functions of a story: the version of the application, and the functions that
/// ran.
pub(crate) fn deployment(version: &str, ran: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  annotations:\n    image: team/my-app:{version}\n    ran: {ran}\n  name: my-app\n"
    )
}
