#!/usr/bin/env python3
"""Proves who kzui says wrote a field: the value at the line that it names is changed, Kustomize builds the tree again, and the
field must have changed.

    blame.py --bin target/release/kzui --oracle 'kubectl kustomize' TREE… [--targets 12] [--sample 20] [--seed 1] [--kinds PrefixTransformer]

Each TREE is copied; nothing is written where it stands. Of a tree so many targets are taken that every kind of step is
in several of them; of a target so many places for each kind of step. With --kinds only fields that steps of these kinds wrote, in targets that
have such steps. A value that is made of several places (a name with its
prefix, an image with its tag, a replacement with its source) is right when each of them changes it. Exits with 1 when less
than the law is right: 99.5% of all fields, 99% of those that a step wrote, 97% of every kind of step with enough of them. Needs
PyYAML.
"""
import argparse
import base64
import binascii
import collections
import json
import random
import sys
import time

import change
import trees

ALL, WRITTEN, KIND = 0.995, 0.99, 0.97
ENOUGH = 30
LOADING = ('load', 'merge')
# Steps whose values have parts and sources: those are asked for field by field.
SIMPLE = ('load', 'PatchTransformer', 'PatchStrategicMergeTransformer', 'PatchJson6902Transformer', 'NamespaceTransformer', 'LabelTransformer', 'AnnotationsTransformer')
# What an element of a list is called.
KEYS = ('name', 'key', 'mountPath', 'containerPort', 'port', 'devicePath', 'topologyKey', 'ip', 'type', 'uid')
CONSTANT = ('/apiVersion', '/kind', '/type', '/immutable', '/data')


class Field:
    """A field of the output and where kzui says it is written."""

    def __init__(self, document, pointer, writer, was):
        self.document, self.pointer, self.was = document, pointer, was
        self.kind = writer['step']['name'] if writer.get('step') else '(none)'
        self.writer = writer
        self.verdicts = {}

    def places(self, parts):
        """Every place that its value is made of, by what it is."""
        found = [('line', self.writer.get('at'))] + [('also', place) for place in self.writer.get('also', [])]
        for source in self.writer.get('sources', []):
            found += [('source', writer.get('at')) for writer in source['writers'][:1]]
        return found + [('part', writer.get('at')) for writer in parts]


class Probe:
    def __init__(self, field, role, file, line, column):
        self.field, self.role, self.file, self.line, self.column = field, role, file, line, column
        # Of a part the end may be another's: `nginx:1` of `nginx:1`, whose tag an entry writes again.
        self.at_front = False

    def key(self):
        return self.file, self.line, self.column, self.at_front


def shows(made, was, now):
    """True when the change is in the value, also as a Secret keeps it."""
    if made.shows_in(was, now):
        return True
    if made.mark and isinstance(now, str):
        try:
            return made.mark.encode() in base64.b64decode(now, validate=True)
        except (binascii.Error, ValueError):
            return False
    return made.mark != '' and isinstance(now, (dict, list)) and made.mark in json.dumps(now)


class Target:
    """One target of a tree, with what was asked about it."""

    def __init__(self, tree, name, text):
        self.tree, self.name = tree, name
        self.before = trees.documents(text)
        self.skipped = collections.Counter()

    def fields(self, options, chance):
        """The fields to prove: a sample for each kind of step, with different places."""
        numbers = list(range(len(self.before)))
        chance.shuffle(numbers)
        by_kind = collections.defaultdict(dict)
        for number in numbers[: options.resources]:
            answer = self.tree.ask('why', self.name, trees.selector(self.before[number]))
            if not answer:
                self.skipped['resource that could not be asked for'] += 1
                continue
            for told in answer['fields']:
                was = trees.at(self.before[number], told['pointer'])
                if was is None or not told['writers']:
                    self.skipped['field that the output has not' if was is None else 'field without a writer'] += 1
                    continue
                field = Field(number, told['pointer'], told['writers'][0], was)
                if is_constant(field):
                    self.skipped['constant of a generator'] += 1
                    continue
                place = json.dumps(field.writer.get('at')) + str(field.kind not in LOADING and told['pointer'].split('/')[-1])
                # Of kinds that are asked for, one place is proved with each resource: the parts of its value are others.
                by_kind[field.kind].setdefault((place, number if options.kinds else 0), field)
        chosen = []
        for kind in sorted(by_kind):
            if options.kinds and kind not in options.kinds.split(','):
                continue
            offered = list(by_kind[kind].values())
            chosen += chance.sample(offered, min(options.sample, len(offered)))
        return chosen

    def parts(self, field):
        """The other writers whose text is a part of the value."""
        if field.kind in SIMPLE:
            return []
        asked = self.tree.ask('why', self.name, trees.selector(self.before[field.document]), field.pointer)
        if not asked or not asked['fields']:
            return []
        writers = asked['fields'][0]['writers']
        field.writer = writers[0]
        return [writer for writer in writers[1:] if writer['standing'] == 'part']

    def probes(self, fields):
        found = []
        for field in fields:
            for role, place in field.places(self.parts(field)):
                file = self.tree.file(self.name, place) if place else None
                if file is None or not place.get('line'):
                    field.verdicts[(role, json.dumps(place))] = 'no place'
                    continue
                found.append(Probe(field, role, file, place['line'], place.get('column') or 1))
        return found

    def prove(self, probes):
        """Builds with the values of all places changed; those that do not show alone once more, each for itself."""
        waiting = []
        for start in range(0, len(probes), 14):
            waiting.append(probes[start:start + 14])
        while waiting:
            batch = waiting.pop()
            verdicts = self.build_with(batch)
            if verdicts is None and len(batch) > 1:
                waiting += [batch[: len(batch) // 2], batch[len(batch) // 2:]]
                continue
            for probe, verdict in zip(batch, verdicts or ['unbuildable']):
                if verdict != 'carries' and len(batch) > 1:
                    waiting.append([probe])
                elif verdict == 'same' and probe.role == 'part' and not probe.at_front:
                    probe.at_front = True
                    waiting.append([probe])
                else:
                    probe.field.verdicts[(probe.role, f'{probe.file.relative_to(self.tree.root)}:{probe.line}:{probe.column}')] = verdict

    def build_with(self, batch):
        kept, made, taken = {}, [], {}
        for number, probe in enumerate(batch, 2):
            if probe.file not in kept:
                kept[probe.file] = probe.file.read_bytes()
            if probe.key() in taken:
                made.append(taken[probe.key()])
                continue
            lines = change.lines_of(probe.file.read_bytes())
            done = change.change(lines, probe.line, probe.column, number, probe.field.was, probe.role == 'part', probe.at_front)
            if done:
                probe.file.write_bytes('\n'.join(lines).encode('utf-8', 'surrogateescape'))
            taken[probe.key()] = done
            made.append(done)
        try:
            text = self.tree.build(self.name)
        finally:
            for file, data in kept.items():
                file.write_bytes(data)
        if text is None:
            return None
        after = trees.documents(text)
        twins = trees.paired(self.before, after)
        return [self.judge(probe.field, done, after, twins) for probe, done in zip(batch, made)]

    def judge(self, field, done, after, twins):
        if done is None:
            return 'nothing to change there'
        twin = twins.get(field.document)
        now = trees.at(after[twin], field.pointer) if twin is not None else None
        if shows(done, field.was, now):
            return 'carries'
        if now == field.was and twin is not None and field.pointer.split('/')[-1] in KEYS:
            # A patch that names the element makes it anew: the list tells.
            around = field.pointer.rsplit('/', 2)[0]
            now, was = trees.at(after[twin], around), trees.at(self.before[field.document], around)
            return 'same' if now == was or not isinstance(was, list) else 'changes'
        return 'same' if now == field.was else 'changes'


def is_constant(field):
    is_text = isinstance(field.was, str) and field.pointer not in ('/apiVersion', '/kind', '/immutable') and field.was != 'Opaque'
    return 'Generator' in field.kind and field.pointer in CONSTANT and not is_text


RIGHT = ('carries', 'changes')
UNKNOWN = ('unbuildable',)


def verdict_of(field):
    """Right, wrong, or unknown because no build with another value works."""
    judged = [verdict for verdict in field.verdicts.values() if verdict not in UNKNOWN]
    if not judged:
        return 'unknown'
    return 'right' if all(verdict in RIGHT for verdict in judged) else 'wrong'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('trees', nargs='+', metavar='TREE')
    parser.add_argument('--bin', default='target/release/kzui')
    parser.add_argument('--oracle', default='kubectl kustomize')
    parser.add_argument('--flags', default='', help='more flags for kzui, such as --like kubectl-1.36')
    parser.add_argument('--targets', type=int, default=12, help='targets of a tree')
    parser.add_argument('--only', default='', help='these targets, with commas between them')
    parser.add_argument('--kinds', default='', help='only fields that these kinds of steps wrote, with commas between them')
    parser.add_argument('--look-at', type=int, default=120, help='targets of a tree to choose from')
    parser.add_argument('--resources', type=int, default=40, help='resources of a target')
    parser.add_argument('--sample', type=int, default=20, help='places of a target for each kind of step')
    parser.add_argument('--slow', type=float, default=3, help='leave out targets that Kustomize builds for longer, in seconds')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--scratch', help='where the copies are made')
    parser.add_argument('--misses', help='write what was wrong into this file, a JSON document a line')
    options = parser.parse_args()
    totals, started = collections.defaultdict(collections.Counter), time.time()
    skipped, misses = collections.Counter(), []
    for source in options.trees:
        with trees.copies(options) as scratch:
            tree = trees.Tree(source, options, scratch)
            for name in options.only.split(',') if options.only else trees.choose(tree, options):
                began = time.time()
                text = tree.build(name)
                if not text or time.time() - began > options.slow:
                    continue
                target = Target(tree, name, text)
                fields = target.fields(options, random.Random(f'{options.seed} {name}'))
                target.prove(target.probes(fields))
                skipped += target.skipped
                counts = collections.Counter()
                for field in fields:
                    verdict = verdict_of(field)
                    counts[verdict] += 1
                    totals[field.kind][verdict] += 1
                    totals[field.kind]['exactly'] += all(one == 'carries' for one in field.verdicts.values())
                    if verdict == 'wrong':
                        misses.append(miss(tree, target, field))
                        tell(misses[-1])
                print(f'{tree.name}/{name}: {counts["right"]} right, {counts["wrong"]} wrong, {counts["unknown"]} unknown', flush=True)
    if options.misses:
        with open(options.misses, 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(one) + '\n' for one in misses)
    print(f'\n{time.time() - started:.0f} s; left out: ' + (', '.join(f'{count} × {why}' for why, count in skipped.most_common()) or 'nothing'))
    sys.exit(0 if holds(totals) else 1)


def tell(one):
    print(f'  {one["resource"]}{one["pointer"]} = {one["value"]!r:.100}\n    {one["kind"]} {one["step"]}')
    for role, place, verdict in one['places']:
        print(f'      {role:6} {verdict:24} {place}')


def miss(tree, target, field):
    step = field.writer.get('step') or {}
    places = [(role, place, verdict) for (role, place), verdict in field.verdicts.items()]
    return {
        'target': f'{tree.name}/{target.name}', 'resource': trees.selector(target.before[field.document]), 'pointer': field.pointer,
        'value': field.was, 'kind': field.kind, 'step': f'{step.get("number")} {step.get("argument", "")}', 'places': places,
    }


def holds(totals):
    """Prints the figures; true when they are within the law."""
    rows, fine = [], True
    for name, kinds, law in [('all fields', list(totals), ALL), ('fields that a step wrote', [kind for kind in totals if kind not in LOADING], WRITTEN)]:
        rows.append((name, sum((totals[kind] for kind in kinds), collections.Counter()), law))
    rows += [(kind, totals[kind], KIND) for kind in sorted(totals)]
    print(f'{"":42} {"judged":>7} {"right":>8} {"exactly":>8} {"wrong":>6} {"unknown":>8}')
    for name, counts, law in rows:
        judged = counts['right'] + counts['wrong']
        share = counts['right'] / judged if judged else 1
        below = judged >= ENOUGH and share < law
        fine = fine and not below
        print(f'{name:42} {judged:7} {share:8.2%} {counts["exactly"] / max(judged, 1):8.2%} {counts["wrong"]:6} {counts["unknown"]:8}{"  below " + format(law, ".1%") if below else ""}')
    return fine


if __name__ == '__main__':
    main()
