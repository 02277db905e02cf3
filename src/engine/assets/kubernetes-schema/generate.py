#!/usr/bin/env python3
"""Distils the OpenAPI facts of Kubernetes 1.21 that a build needs into `v1.21.2.txt`.

Usage: pip install kubernetes-validate==1.21.0 && python3 generate.py > v1.21.2.txt

One line per fact:
    #SHAPE              what may stand somewhere; the first of these is number 0
    =NAME NUMBER        a definition, of the shape with this number
    ~APIVERSION KIND    a type that the definition above describes
    .FIELD NUMBER       a property of the definition above

SHAPE: `s` string, `i` integer, `n` number, `b` boolean, `o` object, `?` anything, `@NAME` a definition,
`[NUMBER]` a list of an earlier shape, `{NUMBER}` a map of one. A list that strategic merge merges has
`+KEY,KEY` behind it, with no key for a list of scalars.
"""

import json
import pathlib
import sys

import kubernetes_validate

# APIs that are off by default; Kustomize's built-in document comes from a server that does not serve them.
NOT_SERVED = (
    "io.k8s.api.apiserverinternal.v1alpha1.",
    "io.k8s.api.node.v1alpha1.",
    "io.k8s.api.rbac.v1alpha1.",
    "io.k8s.api.scheduling.v1alpha1.",
    "io.k8s.api.storage.v1alpha1.",
)
NOT_SERVED_TYPES = {"io.k8s.api.core.v1.EphemeralContainers"}

TYPES = {"string": "s", "integer": "i", "number": "n", "boolean": "b", "object": "o"}


class Shapes:
    """All shapes, each once, the inner ones first."""

    def __init__(self):
        self.numbers = {}

    def number(self, text):
        return self.numbers.setdefault(text, len(self.numbers))


def shape(schema, shapes):
    """The number of a shape."""
    return shapes.number(shape_text(schema, shapes))


def shape_text(schema, shapes):
    if "$ref" in schema:
        # Extensions beside a reference are lost, as in Kustomize.
        return "@" + schema["$ref"].removeprefix("#/definitions/")
    kind = schema.get("type")
    if kind == "array":
        text = f"[{shape(schema.get('items', {}), shapes)}]"
        strategies = schema.get("x-kubernetes-patch-strategy", "").split(",")
        if "merge" in strategies:
            keys = schema.get("x-kubernetes-list-map-keys")
            if keys is None:
                key = schema.get("x-kubernetes-patch-merge-key")
                keys = [key] if key else []
            text += "+" + ",".join(keys)
        return text
    if isinstance(schema.get("additionalProperties"), dict):
        return f"{{{shape(schema['additionalProperties'], shapes)}}}"
    return TYPES.get(kind, "?")


def served(name):
    return not name.startswith(NOT_SERVED) and name not in NOT_SERVED_TYPES


def main():
    package = pathlib.Path(kubernetes_validate.__file__).parent
    path = package / "kubernetes-json-schema" / "v1.21.0-local" / "_definitions.json"
    definitions = json.loads(path.read_text())["definitions"]
    shapes, facts = Shapes(), []
    for name in sorted(filter(served, definitions)):
        definition = definitions[name]
        facts.append(f"={name} {shape(definition, shapes)}\n")
        for gvk in definition.get("x-kubernetes-group-version-kind", []):
            version = "/".join(filter(None, (gvk["group"], gvk["version"])))
            facts.append(f"~{version} {gvk['kind']}\n")
        for field, schema in sorted(definition.get("properties", {}).items()):
            facts.append(f".{field} {shape(schema, shapes)}\n")
    sys.stdout.writelines(f"#{text}\n" for text in shapes.numbers)
    sys.stdout.writelines(facts)


main()
