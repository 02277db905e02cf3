#!/usr/bin/env python3
"""Distils the fields that any version of Kubernetes has into `fields.txt`: a field outside of it is a mistake.

Usage: pip install kubernetes-validate==1.37.0
       pip download --no-deps kubernetes-validate==1.21.0   # and unpack it into OLDER
       python3 generate_fields.py OLDER > fields.txt

The definitions are those of Kubernetes 1.21 and later, with the fields of all versions from 1.18 on. Versions
1.22 to 1.24 are in neither package. The format is that of `generate.py`, without merge keys and with one more
shape: `q` is a string or a number. Where versions refer to different definitions, the newest counts; a field whose
shape differs otherwise has the shape `?`.
"""

import json
import pathlib
import re
import sys

import kubernetes_validate

TYPES = {"string": "s", "integer": "i", "number": "n", "boolean": "b", "object": "o"}
FIRST_FIELDS, FIRST_DEFINITIONS = (1, 18), (1, 21)
# Types of requests and answers, which no manifest has.
NO_MANIFESTS = {"DeleteOptions", "WatchEvent"}


def documents(package):
    """The definitions of each version in a package."""
    for path in pathlib.Path(package).glob("**/*-local/_definitions.json"):
        version = tuple(map(int, re.search(r"v(\d+)\.(\d+)", path.parent.name).groups()))
        if version >= FIRST_FIELDS:
            document = json.loads(path.read_text())
            yield version, document.get("definitions") or document["$defs"]


def shape(schema, names):
    """The shape of a schema as a nested value; collects the names of definitions."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        names.add(name)
        return "@" + name
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    if kind == "array":
        return ("[", shape(schema.get("items", {}), names), "]")
    if isinstance(schema.get("additionalProperties"), dict):
        return ("{", shape(schema["additionalProperties"], names), "}")
    if schema.get("format") == "int-or-string" or "oneOf" in schema:
        return "q"
    return "o" if "properties" in schema else TYPES.get(kind, "?")


def definition_shape(name, schema):
    """The shape of a definition; a quantity is a string in older documents."""
    return "q" if name.endswith(".resource.Quantity") else shape(schema, set())


def union(older, newer):
    """The shape that accepts what either shape accepts."""
    are_references = str(older).startswith("@") and str(newer).startswith("@")
    return newer if older in (None, newer) or are_references else "?"


def collect(all_documents):
    """The definitions by name: shape, types, fields with their shapes."""
    known = {name for version, found in all_documents if version >= FIRST_DEFINITIONS for name in found}
    collected = {}
    for version, found in sorted(all_documents, key=lambda it: it[0]):
        for name in known & found.keys():
            definition = found[name]
            own = collected.setdefault(name, {"shape": None, "types": set(), "fields": {}})
            own["shape"] = union(own["shape"], definition_shape(name, definition))
            for gvk in definition.get("x-kubernetes-group-version-kind", []):
                api_version = "/".join(filter(None, (gvk["group"], gvk["version"])))
                if version >= FIRST_DEFINITIONS and gvk["kind"] not in NO_MANIFESTS:
                    own["types"].add((api_version, gvk["kind"]))
            for field, schema in definition.get("properties", {}).items():
                own["fields"][field] = union(own["fields"].get(field), shape(schema, set()))
    return collected


def references(value):
    """The names of definitions in a shape."""
    if isinstance(value, tuple):
        return references(value[1])
    return {value[1:]} if value.startswith("@") else set()


def reachable(collected):
    """The names of the definitions that a type needs; lists are no manifests."""
    wanted, found = [name for name, own in collected.items() if own["types"] and not name.endswith("List")], set()
    while wanted:
        name = wanted.pop()
        if name in found or name not in collected:
            continue
        found.add(name)
        own = collected[name]
        for value in [own["shape"], *own["fields"].values()]:
            wanted.extend(references(value))
    return found


def main():
    package = pathlib.Path(kubernetes_validate.__file__).parent
    collected = collect([*documents(sys.argv[1]), *documents(package)])
    numbers = {}

    def number(value):
        text = f"{value[0]}{number(value[1])}{value[2]}" if isinstance(value, tuple) else value
        return numbers.setdefault(text, len(numbers))

    facts = []
    for name in sorted(reachable(collected)):
        own = collected[name]
        facts.append(f"={name} {number(own['shape'])}\n")
        facts.extend(f"~{version} {kind}\n" for version, kind in sorted(own["types"]))
        facts.extend(f".{field} {number(own['fields'][field])}\n" for field in sorted(own["fields"]))
    sys.stdout.writelines(f"#{text}\n" for text in numbers)
    sys.stdout.writelines(facts)


main()
