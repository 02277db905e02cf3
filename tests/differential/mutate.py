"""Trees of pages and corpora, each changed in a few places."""
import functools
import os
import random
import re

import verdicts

MOST_BYTES = 60_000
# Pages on what Kustomize does not have, or what no release has.
OURS = ('composition', 'deployed', 'diagnostics')
OUR_SCHEMAS = re.compile(r'^openapi:.*?(\b(mode|extraPaths|fromResources):|path: *(\[|\n *-))', re.M | re.S)
WORDS = ['', 'null', '~', '{}', '[]', '""', '"y"', 'yes', '1', '1.5', '0x10', '1_000', '0o17', 'true', '"*"', '*', '2020-01-01', '|-\n  text', 'a b', "''", '!!str 5', '"\\u2028"', '-', '.', '..', 'a.b', '$(X)', '<<']
FIELDS = ['namePrefix: x-', 'nameSuffix: -x', 'namespace: other', 'commonLabels: {app: x}', 'labels: [{pairs: {l: v}, includeSelectors: true, includeTemplates: true}]', 'commonAnnotations: {a: "1"}',
          'buildMetadata: [originAnnotations, transformerAnnotations, managedByLabel]', 'sortOptions: {order: legacy}', 'images: [{name: nginx, newTag: v2}]', 'configMapGenerator: [{name: made, literals: [a=b]}]',
          'generatorOptions: {disableNameSuffixHash: true}', 'replicas: [{name: web, count: 3}]', 'patches: [{target: {kind: Deployment}, patch: "[{op: add, path: /metadata/annotations, value: {p: q}}]"}]',
          'patches: [{target: {}, patch: "{apiVersion: v1, kind: A, metadata: {name: a, labels: {sm: v}}}"}]', 'openapi: {version: v1.21.2}', 'resources: []']


@functools.cache
def starts(places):
    """All trees below these folders, by the file or folder that they come from."""
    found = []
    for place in places:
        for folder, folders, names in os.walk(place):
            folders.sort()
            for name in sorted(names):
                if name.endswith('.md') and os.path.basename(folder) not in OURS:
                    found.append(os.path.join(folder, name))
                elif name.lower() in ('kustomization.yaml', 'kustomization.yml', 'kustomization') and '/input' in folder:
                    found.append(folder)
    return found


def of_page(path):
    """The files of a page and the targets that it builds."""
    text = open(path, encoding='utf-8').read()
    files, targets = {}, []
    for words, body in re.findall(r'^```[^ \n]* ([^\n]*)\n(.*?)^```$', text, re.M | re.S):
        said = dict(part.partition('=')[::2] for part in words.split())
        if 'file' in said and 'as' not in said:
            files[said['file']] = body[:-1] if said.get('newline') == 'no' else body
        elif 'expect' in said and 'flags' not in said:
            targets.append(said.get('target', '.'))
    return files, targets


def of_folder(path):
    """The tree around a kustomization of a corpus: from its case's folder down."""
    root = path[:path.rindex('/input') + len('/input')]
    files, size = {}, 0
    for folder, _, names in os.walk(root):
        for name in names:
            full = os.path.join(folder, name)
            if os.path.islink(full):
                continue
            body = open(full, 'rb').read()
            size += len(body)
            if size > MOST_BYTES:
                return {}, []
            try:
                files[os.path.relpath(full, root)] = body.decode()
            except UnicodeDecodeError:
                files[os.path.relpath(full, root)] = body
    return files, [os.path.relpath(path, root)]


class Mutation:
    """One tree with one to three changes."""

    def __init__(self, seed, places):
        rng = random.Random(seed)
        files, targets = {}, []
        while not targets or not files:
            start = rng.choice(starts(tuple(places)))
            files, targets = of_page(start) if start.endswith('.md') else of_folder(start)
            if any('http' in str(text) or 'github.com' in str(text) or OUR_SCHEMAS.search(str(text)) for text in files.values()):
                files = {}
        self.files, self.target, self.start = files, rng.choice(targets), start
        for _ in range(rng.choice([1, 1, 2, 3])):
            self.change(rng)

    def change(self, rng):
        names = [name for name, text in self.files.items() if isinstance(text, str) and not isinstance(text, verdicts.Link) and text.strip()]
        if not names:
            return
        name = rng.choice(names)
        lines = self.files[name].splitlines(True)
        at = rng.randrange(len(lines))
        line = lines[at]
        entry = re.match(r'^(\s*(?:- )?)([^:\s]+):(\s+)(.+)$', line.rstrip('\n'))
        what = rng.randrange(11)
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(at, line)
        elif what == 2 and entry:
            lines[at] = f'{entry[1]}{entry[2]}: {rng.choice(WORDS)}\n'
        elif what == 3 and entry:
            lines[at] = f'{entry[1]}{rng.choice(["a", "name", entry[2].upper(), entry[2] + "s", chr(34) + entry[2] + chr(34)])}: {entry[4]}\n'
        elif what == 4:
            lines[at] = ('  ' + line) if rng.random() < 0.5 else line.replace('  ', '', 1)
        elif what == 5:
            other = self.files[rng.choice(names)].splitlines(True)
            lines.insert(at, rng.choice(other))
        elif what == 6 and 'ustomization' in name:
            lines.append(rng.choice(FIELDS) + '\n')
        elif what == 7:
            lines = [text.replace('\n', '\r\n') for text in lines] if rng.random() < 0.5 else ['\ufeff', *lines]
        elif what == 8 and entry:
            lines[at] = f'{entry[1]}{entry[2]}: "{entry[4].strip(chr(34))}"\n'
        elif what == 9:
            lines.insert(at, rng.choice(['---\n', '# comment\n', '\n', '- x\n', '<<: {a: b}\n']))
        else:
            top = os.path.join(self.target, 'kustomization.yaml') if self.target != '.' else 'kustomization.yaml'
            if isinstance(self.files.get(top), str):
                self.files[top] = self.files[top].rstrip('\n') + '\n' + rng.choice(FIELDS) + '\n'
                return
        self.files[name] = ''.join(lines)
