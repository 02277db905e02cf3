#!/usr/bin/env python3
"""Holds `kzui diff` against Kustomize on real commits of real repositories.

    commits.py --bin target/release/kzui --oracle 'kubectl kustomize' --repository DIR [--repository DIR …]
               [--commits 40] [--untouched 5] [--sample N] [--take-back 12] [--seed 1] [--scratch DIR] [--log FILE]

The commits are drawn by chance from those that change a file at or below a folder with a kustomization, the newest 3,000 of them, and the repositories take turns.
With --log, what came of each commit is added to a file, and a commit that stands there already is not done again.

For each commit, both sides are checked out into a scratch folder. Every target that kzui tells as different, every one that
the changed files lead to, and some that they do not, is built with the oracle on both sides, and:

- a target that kzui tells as the same must have equal outputs; one that it tells as different, different ones;
- the diff of each resource, applied to the oracle's text of the first side, must give that of the second, byte for byte;
- each difference must name an edit;
- the edits of a difference are taken back in the checkout of the second side, which the oracle builds again: the field must be
  as it was. At most --take-back causes of each commit are tried, drawn by chance.

Needs PyYAML. Exit code 1 when anything is not so.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
# What the oracle says of a target that needs what is not here, or a program that may not run: that is no difference.
ELSEWHERE = ("failed to run 'git", "proxyconnect", "not allowed", "enable-helm", "enable-exec", "enable-alpha-plugins",
             "is not fetched")
# Nothing is fetched: git knows no transport, and nobody listens at the proxy.
NO_NETWORK = {**os.environ, "GIT_ALLOW_PROTOCOL": "none", "NO_PROXY": "", "no_proxy": "", **{
    name: "http://127.0.0.1:1" for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
}}


def run(command, cwd, timeout=120, env=None):
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, timeout=timeout, env=env)
    except subprocess.TimeoutExpired:
        return 124, b"", b"timeout"
    return done.returncode, done.stdout, done.stderr


def git(folder, *words):
    code, out, err = run(["git", "-c", "advice.detachedHead=false", *words], folder, 600)
    if code:
        raise SystemExit(f"git {' '.join(words)}: {err.decode()}")
    return out.decode(errors="replace")


class Build:
    """The documents of one output, by what they are."""

    def __init__(self, text):
        self.texts = [part for part in re.split(r"(?m)^---\n", text) if part.strip()]
        self.nodes = [None] * len(self.texts)

    def node(self, at):
        if self.nodes[at] is None:
            self.nodes[at] = yaml.load(self.texts[at], LOADER) or {}
        return self.nodes[at]

    def find(self, kind, name, namespace=None, elsewhere=True):
        """Numbers of the documents of a kind and a name; the namespace decides where there are several, and else does not matter."""
        found = []
        for at, text in enumerate(self.texts):
            if f"kind: {kind}\n" not in text + "\n" or name not in text:
                continue
            node = self.node(at)
            meta = node.get("metadata") or {}
            if node.get("kind") == kind and str(meta.get("name")) == name:
                found.append((at, meta.get("namespace") or ""))
        exact = [at for at, place in found if place == (namespace or "")]
        return exact or ([at for at, _ in found] if elsewhere else [])


def patched(text, diff):
    """A text with a unified diff applied; None when it does not fit."""
    old = text.splitlines(keepends=True)
    out, at = [], 0
    for hunk in re.split(r"(?m)^(?=@@ )", diff):
        head = re.match(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n", hunk)
        if not head:
            continue
        start = int(head[1]) - (0 if head[2] == "0" else 1)
        out += old[at:start]
        at = start
        for line in hunk[head.end():].splitlines(keepends=True):
            if line.startswith("\\"):
                continue
            sign, rest = line[:1], line[1:]
            if sign in "- ":
                if at >= len(old) or old[at] != rest:
                    return None
                at += 1
            if sign in "+ ":
                out.append(rest)
    return "".join(out + old[at:])


MISSING = object()


def segments(path):
    at, found = 0, []
    while at < len(path):
        if path[at] == ".":
            at += 1
            continue
        if path[at] != "[":
            word = re.match(r"[^.\[]+", path[at:])[0]
            found.append(("key", word))
            at += len(word)
            continue
        text = path[at + 1:]
        key = re.match(r"([^\]\"=\[]+)=", text)
        rest = text[key.end():] if key else text
        if rest.startswith('"'):
            value, used = json.JSONDecoder(strict=False).raw_decode(re.sub(r"\\u\{([0-9a-f]+)\}", lambda m: "\\u%04x" % int(m[1], 16), rest).replace("\\'", "'"))
        else:
            value = re.match(r"[^\]]*", rest)[0]
            used = len(value)
        quoted = rest.startswith('"')
        at += 1 + (key.end() if key else 0) + used + 1
        if key:
            found.append(("element", key[1], value))
        elif quoted:
            found.append(("text", value))
        elif value.isdigit():
            found.append(("index", int(value)))
        else:
            found.append(("element", "name", value))
    return found


def field(node, path):
    for step in segments(path) if isinstance(path, str) else path:
        if step[0] == "text" and isinstance(node, list):
            node = next((item for item in node if str(item) == step[1]), MISSING)
        elif step[0] in ("key", "text"):
            if not isinstance(node, dict):
                return MISSING
            node = next((value for key, value in node.items() if str(key) == step[1]), MISSING)
        elif step[0] == "index":
            node = node[step[1]] if isinstance(node, list) and step[1] < len(node) else MISSING
        else:
            if isinstance(node, dict):
                # A key that is no word is written in brackets too.
                node = next((value for key, value in node.items() if str(key) == step[2]), MISSING)
                continue
            if not isinstance(node, list):
                return MISSING
            said = [item for item in node if isinstance(item, dict) and str(item.get(step[1])) == step[2]]
            node = said[0] if said else MISSING
        if node is MISSING:
            return MISSING
    return node


def fields(node, path):
    """The values of a field, the elements of lists without names taken at any index: others may have come before them."""
    steps = segments(path)
    nodes = [node]
    for at, step in enumerate(steps):
        nodes = ([item for node in nodes if isinstance(node, list) for item in node] if step[0] == "index"
                 else [found for node in nodes for found in [field(node, steps[at:at + 1])] if found is not MISSING])
    return nodes


class Commit:
    def __init__(self, options, repository, commit, folders, rng, faults):
        self.options, self.repository, self.commit, self.rng = options, os.path.basename(repository), commit, rng
        self.old, self.new = folders
        self.parent = git(repository, "rev-parse", f"{commit}^").strip()
        self.faults, self.counts = faults, collections.Counter()
        self.built = {}

    def fault(self, kind, text):
        self.faults.append(f"{kind}: {self.repository} {self.commit[:10]} {text}")

    def oracle(self, folder, target, by_kzui=False):
        command = [self.options.bin, "build", "--offline"] if by_kzui else shlex.split(self.options.oracle)
        code, out, err = run(command + [target], folder, env=NO_NETWORK)
        err = err.decode(errors="replace")
        if code == 0:
            return Build(out.decode())
        return ("elsewhere", err) if any(words in err for words in ELSEWHERE) else err[-300:]

    def build_all(self, targets):
        jobs = [(side, target) for target in targets for side in (self.old, self.new)]
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for job, result in zip(jobs, pool.map(lambda job: self.one(*job), jobs)):
                self.built[job] = result

    def one(self, side, target):
        if not any(os.path.exists(os.path.join(side, target, name)) for name in NAMES):
            return None
        return self.oracle(side, target, target in self.alone)

    def check(self):
        for folder, commit in ((self.old, self.parent), (self.new, self.commit)):
            git(folder, "checkout", "-q", "-f", commit)
        code, out, err = run(
            [self.options.bin, "diff", self.parent, self.commit, "--format", "json", "--bases", "--show-secrets", "--offline"], self.new, 600)
        if code == 2:
            return self.fault("diff fails", err.decode(errors="replace")[:300])
        report = json.loads(out)
        told = {target["target"]: target for target in report["targets"]}
        everything = {
            os.path.dirname(path) or "." for side in (self.old, self.new)
            for path in git(side, "ls-files", "-z").split("\0") if os.path.basename(path) in NAMES
        }
        changed = git(self.new, "diff", "--name-only", "--no-renames", self.parent, self.commit).splitlines()
        near = set(told)
        for path in changed:
            above = os.path.dirname(path)
            while above and above not in everything:
                above = os.path.dirname(above)
            near.add(above or ".")
        # Files that stand side by side mostly reach the same targets.
        asked = sorted({os.path.dirname(path): path for path in changed}.values())
        if len(asked) > self.options.where:
            self.counts["files not asked about"] += len(asked) - self.options.where
            asked = self.rng.sample(asked, self.options.where)
        for path in asked:
            for side in (self.old, self.new):
                if os.path.exists(os.path.join(side, path)):
                    code, out, _ = run([self.options.bin, "where", path, "--json"], side)
                    answers = json.loads(out)["files"] if code == 0 else []
                    near |= {target["target"] for answer in answers for target in answer["targets"]}
        near &= everything
        far = sorted(everything - near)
        near = sorted(near)
        if len(near) > self.options.most:
            kept = [target for target in near if target in told]
            self.rng.shuffle(kept)
            others = [target for target in near if target not in told]
            self.rng.shuffle(others)
            self.counts["targets left out"] += len(near) - self.options.most
            near = (kept + others)[: self.options.most]
        far = self.rng.sample(far, min(self.options.untouched, len(far)))
        self.alone = set(far[self.options.sample:] if self.options.sample is not None else [])
        self.build_all(near + far)
        for target in near + far:
            self.target(target, told.get(target), target in near)
        self.reasons(report, told, set(near))

    def target(self, target, told, is_near):
        before, after = self.built[(self.old, target)], self.built[(self.new, target)]
        if any(isinstance(side, tuple) for side in (before, after)):
            self.counts["targets that need what is elsewhere"] += 1
            return
        by = ", built by kzui" if target in self.alone else ""
        self.counts["targets reached" if is_near else f"targets not reached{by}"] += 1
        state = told["state"] if told else "same"
        is_component = state in ("added", "removed", "same") and (before is None or after is None)
        if before is None or after is None:
            expected = "added" if before is None else "removed"
            if before is None and after is None or state in (expected, "same"):
                # A Component is no target, and a folder that comes or goes is told as such.
                return
            return self.fault("state", f"{target} is {state}, and it was {expected}")
        fails = (isinstance(before, str), isinstance(after, str))
        if fails == (True, True):
            if state not in ("same", "failsOtherwise"):
                self.fault("state", f"{target} is {state}, and both sides fail: {after}")
            return
        if any(fails):
            expected = "failsNow" if fails[1] else "buildsNow"
            if state != expected and not self.is_component(target):
                self.fault("state", f"{target} is {state}, and Kustomize says {expected}: {before if fails[0] else after}")
            return
        if self.is_component(target):
            return
        del is_component
        self.texts(target, before, after, told)

    def is_component(self, target):
        for side in (self.old, self.new):
            for name in NAMES:
                path = os.path.join(side, target, name)
                if os.path.exists(path) and "kind: Component" in open(path, errors="replace").read():
                    return True
        return False

    def texts(self, target, before, after, told):
        """What is told of each resource makes the first output the second."""
        rest, left = list(range(len(before.texts))), list(range(len(after.texts)))
        for resource in told["resources"] if told else []:
            kind, name, namespace = resource["kind"], resource["name"], resource["namespace"]
            old_name = (resource.get("was") or f"{kind}/{name}").split("/", 1)[1]
            self.counts["resources"] += 1
            here = [at for at in after.find(kind, name, namespace) if at in left]
            there = [at for at in before.find(kind, old_name, namespace) if at in rest]
            pairs = {
                "added": [(None, b) for b in here if after.texts[b] == patched("", resource["diff"])],
                "removed": [(a, None) for a in there if patched(before.texts[a], resource["diff"]) == ""],
                "changed": [(a, b) for a in there for b in here
                            if patched(before.texts[a], resource["diff"]) == after.texts[b]],
            }[resource["change"]]
            if not pairs:
                self.fault("text", f"{target} {kind}/{name} ({resource['change']}): the diff does not make one output the other")
                continue
            if pairs[0][0] is not None:
                rest.remove(pairs[0][0])
            if pairs[0][1] is not None:
                left.remove(pairs[0][1])
        one = collections.Counter(before.texts[at] for at in rest)
        other = collections.Counter(after.texts[at] for at in left)
        if one == other:
            return
        # The order of keys is no difference.
        loose = lambda texts: sorted(json.dumps(yaml.load(text, LOADER), sort_keys=True, default=str) for text in texts.elements())
        if loose(one) != loose(other):
            self.fault("untold", f"{target}: {list((one - other))[:1]!r:.300} became {list((other - one))[:1]!r:.300}")

    def reasons(self, report, told, near):
        causes = collections.defaultdict(list)
        for target in report["targets"]:
            if target["state"] != "differs":
                continue
            for resource in target["resources"]:
                for change in resource["fields"]:
                    self.counts["differences"] += 1
                    if not change["edits"]:
                        self.counts["without an edit"] += 1
                        self.fault("reason", f"{target['target']} {resource['kind']}/{resource['name']} {change['path']} names no edit")
                    else:
                        self.counts["differences tried by kzui" if change["tried"] else "differences not tried by kzui"] += 1
                        causes[(tuple(change["edits"]), target["target"])].append((resource, change))
        keys = [key for key in causes if key[1] in near and not self.is_component(key[1])]
        self.rng.shuffle(keys)
        for edits, target in keys[: self.options.take_back]:
            before, after = self.built.get((self.old, target)), self.built.get((self.new, target))
            if not isinstance(before, Build) or not isinstance(after, Build):
                continue
            self.take_back([report["edits"][edit] for edit in edits], target, (before, after), causes[(edits, target)])

    def take_back(self, edits, target, sides, wanted):
        by_file = collections.defaultdict(list)
        for edit in edits:
            by_file[edit["file"]].append(edit)
        try:
            for name, of_file in by_file.items():
                path = os.path.join(self.new, name)
                source = os.path.join(self.old, name)
                if not os.path.exists(source):
                    os.remove(path)
                    continue
                if not os.path.exists(path):
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(source, "rb") as old, open(path, "wb") as new:
                        new.write(old.read())
                    continue
                with open(path, newline="", errors="surrogateescape") as file:
                    lines = re.findall(r"[^\n]*\n|[^\n]+", file.read())
                with open(source, newline="", errors="surrogateescape") as file:
                    old = re.findall(r"[^\n]*\n|[^\n]+", file.read())
                for edit in sorted(of_file, key=lambda edit: (-edit["line"], -edit["oldLine"])):
                    at, was = edit["line"] - 1, edit["oldLine"] - 1
                    lines[at:at + len(edit["new"])] = old[was:was + len(edit["old"])]
                with open(path, "w", newline="", errors="surrogateescape") as file:
                    file.write("".join(lines))
            built = self.oracle(self.new, target)
        finally:
            for name in by_file:
                run(["git", "checkout", "-q", "--", name], self.new)
                if name not in self.tracked():
                    try:
                        os.remove(os.path.join(self.new, name))
                    except OSError:
                        pass
        places = ", ".join(f"{edit['file']}:{edit['line']}" for edit in edits)
        for resource, change in wanted:
            self.counts["taken back"] += 1
            if not isinstance(built, Build):
                self.counts["not gone when taken back"] += 1
                kind = "taken back" if change["tried"] else "guessed"
                self.fault(kind, f"{target}: without {places} it does not build: {built}")
                continue
            if not self.is_gone(sides, built, resource, change):
                self.counts["not gone when taken back"] += 1
                kind = "taken back" if change["tried"] else "guessed"
                self.fault(kind, f"{target} {resource['kind']}/{resource['name']} {change['path']} is still there without {places}")

    def tracked(self):
        if not hasattr(self, "_tracked"):
            self._tracked = set(git(self.new, "ls-files", "-z").split("\0"))
        return self._tracked

    @staticmethod
    def is_gone(sides, built, resource, change):
        before, after = sides
        kind, name, namespace = resource["kind"], resource["name"], resource["namespace"]
        if resource["change"] == "added":
            return bool(before.find(kind, name, namespace, False)) or not built.find(kind, name, namespace, False)
        old_name = (resource.get("was") or f"{kind}/{name}").split("/", 1)[1]
        old, new = before.find(kind, old_name, namespace), built.find(kind, old_name, namespace)
        if not new:
            return False
        if not change["path"]:
            return True
        values = [field(before.node(at), change["path"]) for at in old]
        if any(field(built.node(at), change["path"]) in values or
               field(built.node(at), change["path"]) is MISSING and MISSING in values for at in new):
            return True
        if change["change"] == "reordered":
            # Elements that other edits changed may still have the places that they had.
            names = lambda items: [str(item.get("name", item) if isinstance(item, dict) else item) for item in items]
            lists = [names(value) for value in values if isinstance(value, list)]
            found = [names(value) for at in new for value in [field(built.node(at), change["path"])] if isinstance(value, list)]
            common = lambda one, other: [name for name in one if name in other]
            return any(common(one, other) == common(other, one) for one in lists for other in found)
        if all(step[0] != "index" for step in segments(change["path"])):
            return False
        # An added element has its index of the second side, the others that of the first.
        is_added = change["change"] == "added"
        meant = [field(after.node(at), change["path"])
                 for at in after.find(kind, name, namespace)] if is_added else values
        count = lambda build, found: sum(value in meant for at in found for value in fields(build.node(at), change["path"]))
        now, then = count(built, new), count(after, after.find(kind, name, namespace))
        return now < then if is_added else now > then


def commits_of(repository, count, rng):
    """Commits by chance, each with a parent, that change something at or below a folder that has a kustomization today."""
    listed = git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    folders = {os.path.dirname(path) for path in listed if os.path.basename(path) in NAMES} - {""}
    below = lambda folder: any(above in folders for above in parents(folder))
    folders = sorted(folder for folder in folders if not below(folder))
    listed = git(repository, "rev-list", "--no-merges", "--min-parents=1", "-n", "3000", "HEAD", "--", *folders).split()
    ages = {commit: age for age, commit in enumerate(listed)}
    # In the order of time, one checkout is close to the next.
    return sorted(rng.sample(listed, min(count, len(listed))), key=lambda commit: ages[commit])


def parents(folder):
    while "/" in folder:
        folder = os.path.dirname(folder)
        yield folder


def past(log):
    """What a log says of each commit that was done before."""
    if not log or not os.path.exists(log):
        return {}
    with open(log) as file:
        rows = [json.loads(line) for line in file]
    return {f"{row['repository']} {row['commit']}": row for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--oracle", default="kubectl kustomize")
    parser.add_argument("--repository", action="append", required=True)
    parser.add_argument("--commits", type=int, default=40, help="in all, the same number of each repository")
    parser.add_argument("--untouched", type=int, default=5, help="targets of each commit that it does not reach")
    parser.add_argument("--sample", type=int, help="of these, how many the oracle builds; kzui builds the others, which is quicker")
    parser.add_argument("--take-back", type=int, default=12, help="causes of each commit that are taken back")
    parser.add_argument("--most", type=int, default=60, help="targets of each commit that are built")
    parser.add_argument("--where", type=int, default=12, help="changed files of each commit of which `kzui where` is asked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scratch")
    parser.add_argument("--only", help="one commit")
    parser.add_argument("--log", help="a file that remembers what came of each commit")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    faults, counts, done = [], collections.Counter(), 0
    known = past(options.log)
    for row in known.values():
        counts.update(row["counts"])
        faults += row["faults"]
        done += 1
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        lists = []
        for repository in map(os.path.abspath, options.repository):
            name = os.path.basename(repository)
            folders = [os.path.join(scratch, f"{name}-{side}") for side in ("old", "new")]
            for folder in folders:
                git(scratch, "clone", "-q", "--shared", "--no-checkout", repository, folder)
            each = -(-options.commits // len(options.repository))
            own = random.Random(f"{options.seed} {name}")
            commits = [options.only] if options.only else commits_of(repository, each, own)
            lists.append((repository, folders, iter(commits)))
        while lists:
            for entry in list(lists):
                repository, folders, commits = entry
                commit = next(commits, None)
                if commit is None:
                    lists.remove(entry)
                    continue
                name = os.path.basename(repository)
                if f"{name} {commit}" in known:
                    continue
                rng = random.Random(f"{options.seed} {commit}")
                one = Commit(options, repository, commit, folders, rng, [])
                started = time.monotonic()
                try:
                    one.check()
                except (UnicodeDecodeError, yaml.YAMLError, KeyError, OSError) as error:
                    one.fault("script", repr(error)[:300])
                counts.update(one.counts)
                faults += one.faults
                done += 1
                print(f"{done} {name} {commit[:10]} {time.monotonic() - started:.0f} s {dict(one.counts)} {len(one.faults)} faults", flush=True)
                for fault in one.faults[:6]:
                    print("   ", fault, flush=True)
                if options.log:
                    with open(options.log, "a") as log:
                        row = {"repository": name, "commit": commit, "counts": one.counts, "faults": one.faults}
                        log.write(json.dumps(row) + "\n")
    print(json.dumps({"commits": done, **counts, "faults": len(faults),
                      **collections.Counter(f"fault: {fault.split(':')[0]}" for fault in faults)}, indent=1))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
