#!/usr/bin/env python3
"""Holds that `kzui why`, the tool `why`, hover and lens name the same writers of a field.

Samples fields of the outputs of all targets of public trees. For each field, the documents of `kzui why --json` and of the
tool must be equal. At the line of each writer, hover must show the field with the same status: the final value, a part
of it, or overridden by the final writer. The lens of an entry that wrote the field must count a resource. What hover
leaves out by its limits (assets/book/editors.md) is counted, and is no disagreement.

    python3 tests/clients/same_writers.py --bin target/release/kzui --fields 500 TREE…
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys

from protocol import AgentServer, LanguageServer

MASK = re.compile(r"<secret [0-9a-f]+>")


def command(binary, tree, *arguments):
    run = subprocess.run([binary, *arguments], cwd=tree, capture_output=True, text=True, timeout=120)
    return run.stdout, run.stderr


def fields_of(binary, tree, target, count, rng):
    """Some fields of the output, at most one of each step, field and resource first."""
    out, _ = command(binary, tree, "blame", target, "--json")
    try:
        document = json.loads(out)
    except ValueError:
        return []
    found = []
    lines = document["lines"]
    blocks = [[]]
    for line in lines:
        if line["text"] == "---":
            blocks.append([])
        else:
            blocks[-1].append(line)
    for block in blocks:
        values = [value for line in block for value in line["values"]]
        texts = {value["path"]: line["text"] for line in block for value in line["values"]}
        kind = texts.get("kind", "").removeprefix("kind: ")
        name = texts.get("metadata.name", "").strip().removeprefix("name: ").strip("\"'")
        namespace = texts.get("metadata.namespace", "").strip().removeprefix("namespace: ").strip("\"'")
        apiversion = texts.get("apiVersion", "").removeprefix("apiVersion: ")
        if not kind or not name:
            continue
        # With its namespace and group, as several may have the same kind and name.
        group = apiversion.rpartition("/")[0]
        resource = f"{kind}.{group}/{name}" if group else f"{kind}/{name}"
        resource = f"{namespace}/{kind}/{name}" if namespace else resource
        for value in values:
            step = value["step"] or {}
            found.append((step.get("name"), resource, value["pointer"]))
    # Fields of rare steps first, so that not only loaded values are asked about.
    rng.shuffle(found)
    by_step = collections.defaultdict(list)
    for step, resource, pointer in found:
        by_step[step].append((resource, pointer))
    chosen = []
    while len(chosen) < count and any(by_step.values()):
        for step in list(by_step):
            if by_step[step] and len(chosen) < count:
                chosen.append(by_step[step].pop())
    return chosen


def effects(hover):
    """The parts of a hover: resource, path, status line, list of targets."""
    text = hover["contents"]["value"] if hover else ""
    found = []
    for part in text.split("\n\n"):
        lines = [line.rstrip() for line in part.split("\n")]
        match = re.match(r"\*\*(.*?)\*\* (`+)\s?(.*?)\s?\2$", lines[0])
        if match and len(lines) > 1:
            resource = re.sub(r"\\(.)", r"\1", match[1])
            found.append((resource, match[3], re.sub(r"\\(.)", r"\1", lines[1]), lines[-1]))
    return found, re.search(r"^and \d+ more$|^\d+ fields? of this file are above the limit$", text, re.MULTILINE) is not None


def is_shown(shown, path):
    """True for a path in a hover, which may be shortened."""
    return shown == path or shown.endswith("…") and path.startswith(shown[:-1])


class Comparison:
    def __init__(self, binary, tree):
        self.binary, self.tree = binary, tree
        self.problems, self.counts = [], collections.Counter()

    def problem(self, kind, field, text):
        self.counts[kind] += 1
        self.problems.append((kind, " ".join(field), text))

    def path(self, target, file):
        return os.path.realpath(os.path.join(self.tree, target, file))

    def in_tree(self, path):
        return path.startswith(os.path.realpath(self.tree) + os.sep) and os.path.isfile(path)

    def documents(self, agents, target, resource, pointer):
        out, err = command(self.binary, self.tree, "why", target, resource, pointer, "--json")
        done, text, document = agents.call("why", target=target, resource=resource, field=pointer, format="json")
        if not out:
            if done:
                self.problem("answers", (target, resource, pointer), "only the tool answers: " + err[:200])
            self.counts["no answer of why"] += 1
            return None
        own = json.loads(out)
        self.add_places(own, target, resource, pointer)
        # The mark of a masked value has a salt of its process.
        if json.loads(MASK.sub("<secret>", out)) != json.loads(MASK.sub("<secret>", text if done else "null")):
            self.problem("answers", (target, resource, pointer), f"{out[:300]}\n      {text[:300]}")
        return own

    def add_places(self, document, target, resource, pointer):
        """Adds the files relative to the tree; the document has them relative to the folder that is built."""
        out, _ = command(self.binary, self.tree, "why", target, resource, pointer, "--porcelain")
        lines = [line.split("\t") for line in out.splitlines()]
        own = [line[0] for line in lines if len(line) == 3 and not line[2].startswith(("source, ", "not written"))]
        writers = [writer for field in document["fields"] for writer in field["writers"]]
        for writer, place in zip(writers, own):
            if at := writer.get("at"):
                name, line, _ = place.split(":", 2)
                writer["place"] = os.path.join(os.path.realpath(self.tree), name)
                if int(line) != at["line"]:
                    self.problem("answers", (target, resource, pointer), f"{place} is {at} in the document")

    def compare(self, server, answers):
        """Hover and lens, for fields whose documents are open."""
        for (target, resource, pointer), document, title in answers:
            field = (target, resource, pointer)
            for named in document["fields"]:
                self.counts["fields"] += 1
                for number, writer in enumerate(named["writers"]):
                    self.writer(server, field, document["resource"], named, title, number, writer)

    def writer(self, server, field, resource, named, title, number, writer):
        target = field[0]
        at = writer.get("at")
        if writer["value"] is None or not at:
            self.counts["writers without a value or a line"] += 1
            return
        path = writer["place"]
        if not self.in_tree(path):
            self.counts["writers outside of the tree"] += 1
            return
        self.counts["writers"] += 1
        hover = server.at("hover", path, at["line"])
        found, is_cut = effects(hover)
        own = [it for it in found if it[0] == resource and (is_shown(it[1], title) or number > 0)]
        own = [it for it in own if is_shown(it[1], title) or it[1].split(".")[-1] == title.split(".")[-1]]
        statuses = [status for _, _, status, _ in own]
        final = named["writers"][0]
        expected = {"wins": "final value", "part": "part of the final value", "overruled": "overridden"}[writer["standing"]]
        if number and final.get("place") == path and final["at"]["line"] == at["line"]:
            # The same line is written again, and hover shows it once.
            expected = "final value"
        if not any(status.startswith(expected) for status in statuses):
            if is_cut:
                self.counts["beyond the limit of hover"] += 1
                return
            text = f"{at['file']}:{at['line']} is `{writer['standing']}` of {title}; hover: {found or hover}"
            self.problem(f"hover {writer['standing']}", field, text[:700])
            return
        if expected == "overridden" and final.get("at"):
            by = f"{os.path.relpath(final['place'], os.path.realpath(self.tree))}:{final['at']['line']}"
            if not any(f"by {by}" in status for status in statuses):
                if is_cut:
                    self.counts["beyond the limit of hover"] += 1
                    return
                self.problem("hover overridden by", field, f"{by} expected: {statuses}")
        self.lens(server, field, writer)

    def lens(self, server, field, writer):
        step = writer["step"] or {}
        at = step.get("at")
        # The folder of a deployment object is not in the document.
        if not at or step.get("field") in (None, "") or "#" in field[0]:
            return
        path = self.path(field[0], at["file"])
        if not self.in_tree(path) or not os.path.basename(path).lower().startswith("kustomization"):
            return
        lenses = self.lenses.setdefault(path, server.about("codeLens", path) or []) if path in self.open else None
        if lenses is None:
            return
        # A lens is at the first line of an entry, or of a field without entries.
        lines = [it["range"]["start"]["line"] + 1 for it in lenses]
        first = max((line for line in lines if line <= at["line"]), default=0)
        titles = [it["command"]["title"] for it, line in zip(lenses, lines) if line == first]
        self.counts["lenses"] += 1
        if not any(re.match(r"(at least )?\d+ (to \d+ )?resources? in", title) for title in titles):
            if writer.get("equal"):
                return
            self.problem("lens", field, f"{at['file']}:{at['line']} {step['name']} wrote it; lens: {titles}")


def tree_result(binary, tree, count, seed):
    rng = random.Random(seed)
    own = Comparison(binary, tree)
    agents = AgentServer(binary, tree)
    listed = agents.request("resources/list", {})["result"]["resources"]
    targets = [it["uri"].removeprefix("kzui://target/") for it in listed]
    rng.shuffle(targets)
    # At most six targets of a tree: their fields, until there are enough.
    chosen = []
    for target in targets:
        if len(chosen) >= count:
            break
        each = -(-count // min(6, len(targets)))
        chosen += [(target, *field) for field in fields_of(binary, tree, target, min(each, count - len(chosen)), rng)]
    answers, paths = [], set()
    for target, resource, pointer in chosen:
        document = own.documents(agents, target, resource, pointer)
        if document is None:
            continue
        done, text, _ = agents.call("why", target=target, resource=resource, field=pointer)
        title = text.split(" of ")[0] if done else ""
        answers.append(((target, resource, pointer), document, title))
        for named in document["fields"]:
            for writer in named["writers"]:
                if "place" in writer and own.in_tree(writer["place"]):
                    paths.add(writer["place"])
                at = (writer["step"] or {}).get("at")
                if at and own.in_tree(own.path(target, at["file"])):
                    paths.add(own.path(target, at["file"]))
    paths = sorted(paths)[:250]
    own.open, own.lenses = set(paths), {}
    server = LanguageServer(binary, tree)
    server.open(paths)
    own.compare(server, answers)
    server.request("shutdown", None)
    server.notify("exit", None)
    agents.end()
    return own


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--fields", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="disagreements that are printed")
    parser.add_argument("trees", nargs="+")
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.bin)
    each = -(-arguments.fields // len(arguments.trees))
    counts, problems = collections.Counter(), []
    for tree in arguments.trees:
        own = tree_result(binary, os.path.abspath(tree), each, arguments.seed)
        counts += own.counts
        problems += [(os.path.basename(tree), *problem) for problem in own.problems]
        print(f"{os.path.basename(tree)}: {own.counts['fields']} fields, {len(own.problems)} disagreements", flush=True)
    for tree, kind, field, text in problems[: arguments.show]:
        print(f"\n  {kind}: {tree} {field}\n      {text}")
    print()
    for kind, count in sorted(counts.items()):
        print(f"{kind}: {count}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
