"""Copies of trees, builds of them by Kustomize and by kzui, and what a build's documents hold."""
import json
import os
import random
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import yaml

KUSTOMIZATION = ('kustomization.yaml', 'kustomization.yml', 'Kustomization')
Loader = getattr(yaml, 'CBaseLoader', yaml.BaseLoader)


class Tree:
    """A copy of a repository that may be changed, and the programs that build it."""

    def __init__(self, source, options, into):
        self.name = Path(source).name
        self.root = Path(into) / self.name
        shutil.copytree(source, self.root, symlinks=True, ignore=shutil.ignore_patterns('.git'))
        self.oracle = shlex.split(options.oracle)
        self.kzui = str(Path(options.bin).resolve())
        self.flags = shlex.split(options.flags)

    def targets(self):
        """Every directory with a kustomization file that is no Component, from the root."""
        found = []
        for directory, folders, files in os.walk(self.root):
            folders.sort()
            name = next((name for name in KUSTOMIZATION if name in files), None)
            if name is None:
                continue
            text = (Path(directory) / name).read_text(errors='replace')
            if 'kind: Component' not in text:
                found.append(os.path.relpath(directory, self.root))
        return found

    def build(self, target):
        """The output by Kustomize, as text; nothing when it fails."""
        return output(self.oracle + [str(self.root / target)], self.root)

    def ask(self, command, target, *rest):
        """What a command of kzui says as JSON; nothing when it says none."""
        flags = ['--show-secrets'] if command == 'why' else []
        text = output([self.kzui, command, '--json', '--offline', *flags, *self.flags, '--', str(self.root / target), *rest], self.root, any_status=True)
        try:
            return json.loads(text) if text else None
        except json.JSONDecodeError:
            return None

    def file(self, target, place):
        """The file of a place that a report names from the target; nothing when it is not in the copy."""
        path = Path(os.path.normpath(self.root / target / place['file']))
        return path if path.is_file() and self.root in path.parents else None


def output(command, directory, any_status=False, seconds=60):
    try:
        ended = subprocess.run(command, cwd=directory, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return ended.stdout.decode('utf-8', 'replace') if any_status or ended.returncode == 0 else None


def documents(text):
    """The documents of an output; every scalar as its text."""
    return [document for document in yaml.load_all(text, Loader=Loader) if isinstance(document, dict)]


def identity(document):
    meta = document.get('metadata') or {}
    return document.get('apiVersion', ''), document.get('kind', ''), meta.get('namespace', ''), meta.get('name', '')


def selector(document):
    """How kzui is asked for a resource."""
    version, kind, namespace, name = identity(document)
    group, _, number = version.rpartition('/')
    return '/'.join([group or '-', number, kind, namespace or '-', name])


def at(document, pointer):
    """The value at a JSON pointer; nothing when it is not there."""
    for part in pointer.split('/')[1:]:
        part = part.replace('~1', '/').replace('~0', '~')
        if isinstance(document, list) and part.isdigit() and int(part) < len(document):
            document = document[int(part)]
        elif isinstance(document, dict) and part in document:
            document = document[part]
        else:
            return None
    return document


def paired(before, after):
    """For each document of one build the number of the same one in another, through renames."""
    places = {}
    for number, document in enumerate(after):
        places.setdefault(identity(document), []).append(number)
    found, free = {}, set(range(len(after)))
    for number, document in enumerate(before):
        if places.get(identity(document)):
            found[number] = places[identity(document)].pop(0)
            free.discard(found[number])
    for like in (lambda one: identity(one)[:3], lambda one: identity(one)[:2], lambda one: identity(one)[1:], lambda one: identity(one)[3], lambda one: 0):
        for number, document in enumerate(before):
            if number not in found:
                twin = next((other for other in sorted(free) if like(after[other]) == like(document)), None)
                if twin is not None:
                    found[number] = twin
                    free.discard(twin)
    return found


def choose(tree, options):
    """Targets that build, so many that every kind of step stands in several, and the kinds of their steps."""
    targets = tree.targets()
    random.Random(options.seed).shuffle(targets)
    offered = []
    for target in targets[: options.look_at]:
        trace = tree.ask('trace', target)
        if trace and trace.get('ok') and not trace.get('waiting'):
            kinds = {step['name'] for step in trace['steps'] if step['changed'] or step['matched']}
            if getattr(options, 'kinds', ''):
                kinds &= set(options.kinds.split(','))
                if not kinds:
                    continue
            offered.append((target, kinds, len(trace['steps'])))
    seen, chosen = {}, []
    while offered and len(chosen) < options.targets:
        worth = lambda one: sum(1 / (1 + seen.get(kind, 0)) for kind in one[1]) / (1 + one[2] / 150)
        best = max(offered, key=worth)
        offered.remove(best)
        chosen.append(best[0])
        for kind in best[1]:
            seen[kind] = seen.get(kind, 0) + 1
    return chosen


def copies(options):
    """A scratch directory for copies of trees."""
    return tempfile.TemporaryDirectory(prefix='kzui-truth-', dir=options.scratch)
