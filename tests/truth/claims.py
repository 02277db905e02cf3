#!/usr/bin/env python3
"""Tries what `kzui check` says about the entries of a tree: what is said to do nothing is commented out, what is proposed is done,
and Kustomize builds the target again.

    claims.py --bin target/release/kzui --oracle 'kubectl kustomize' TREE… [--each 40] [--seed 1]

Each TREE is copied; nothing is written where it stands. Of each code so many findings of a tree are tried, each in up to three
of the targets that have it:

    KZ101 KZ102 KZ103 KZ110 KZ120 KZ216   without the entry the output is the same
    did you mean NAME                     with NAME instead the output is another one
    KZ113                                 the text stands at that field of the output
    KZ115                                 the output says $(NAME), or the hint says that no field does
    KZ223                                 the output has the placeholder

Exits with 1 when a claim is false. Needs PyYAML.
"""
import argparse
import collections
import json
import random
import re
import sys
import time

import trees

DEAD = ('KZ101', 'KZ102', 'KZ103', 'KZ110', 'KZ120', 'KZ216')
OTHERS = ('KZ113', 'KZ115', 'KZ223')
NAMED = re.compile(r'none (?:is )?named "([^"]+)"')
MEANT = re.compile(r'did you mean (?:kind |namespace )?"?([^"?\s]+)"?\?')


def block(lines, line):
    """The lines of the entry of a list that a line is in, or of the field that it begins."""
    start = line - 1
    if not re.match(r'\s*(- |-$|[\w$]+:)', lines[start]):
        return None
    is_field = re.match(r'[\w$]+:', lines[start])
    while not is_field and start > 0 and not re.match(r'\s*-( |$)', lines[start]):
        start -= 1
    indent = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines):
        text = lines[end]
        depth = len(text) - len(text.lstrip())
        if text.strip() and not text.lstrip().startswith('#'):
            belongs = depth > indent or is_field and depth == indent and re.match(r'\s*-( |$)', text)
            if not belongs:
                break
        end += 1
    return start, end


class Trial:
    """One finding of one target."""

    def __init__(self, tree, finding, target):
        self.tree, self.finding, self.target = tree, finding, target
        self.file = tree.root / finding['file']
        self.text = self.file.read_text(errors='surrogateescape')

    def build_with(self, text):
        self.file.write_text(text, errors='surrogateescape')
        try:
            return self.tree.build(self.target)
        finally:
            self.file.write_text(self.text, errors='surrogateescape')

    def entry(self):
        lines = self.text.split('\n')
        line = self.finding['line']
        return (lines, block(lines, line)) if 0 < line <= len(lines) else (lines, None)

    def without(self):
        """True when the output is the same without the entry; nothing when that cannot be tried."""
        lines, found = self.entry()
        if not found:
            return None
        start, end = found
        left = lines[:start] + lines[end:]
        before, after = self.tree.build(self.target), self.build_with('\n'.join(left))
        if before is None:
            return None
        if after is None:
            # A list that is empty then, or a component: Kustomize wants something there.
            return None
        about = re.search(r'leaves (\S+) (\S+) as it was', self.finding['message'])
        if before != after and about:
            # A patch of several objects: this one is meant.
            own = lambda text: [one for one in trees.documents(text) if one.get('kind') == about.group(1) and about.group(2) in trees.identity(one)[3]]
            return own(before) == own(after)
        return before == after

    def meant(self):
        """True when what was meant has an effect; nothing when the finding proposes nothing that can be put into the entry."""
        wrong, right = NAMED.search(self.finding['message']), MEANT.search(self.finding.get('hint') or '')
        lines, found = self.entry()
        if not (wrong and right and found):
            return None
        start, end = found
        part = '\n'.join(lines[start:end])
        if wrong.group(1) not in part:
            return None
        changed = lines[:start] + [part.replace(wrong.group(1), right.group(1))] + lines[end:]
        before, after = self.tree.build(self.target), self.build_with('\n'.join(changed))
        return None if before is None or after is None else before != after

    def stands(self):
        """KZ113, KZ115 and KZ223: whether the output says so."""
        code, message, hint = self.finding['code'], self.finding['message'], self.finding.get('hint') or ''
        text = self.tree.build(self.target)
        if text is None:
            return None
        if code == 'KZ115':
            names = message.split(':')[-1].split(',')
            left = [name.strip() for name in names if f'$({name.strip()})' in text]
            return not left if 'no field contains' in hint else bool(left)
        said = re.match(r'(\S+) of (\S+) (?:(\S+) )?still (?:contains|has the name) ([^:,\s]+)', message)
        if not said:
            return None
        field, kind, _, name = said.groups()
        kind = kind.split('.')[0]
        parts = [part for part in re.split(r'[/.]', re.sub(r'\[[^\]]*\]', '', field)) if part]
        return any(one.get('kind') == kind and name in ' '.join(reached(one, parts)) for one in trees.documents(text))


def reached(node, parts):
    """The texts at a path of keys, through all elements of lists."""
    if isinstance(node, list):
        return [text for item in node for text in reached(item, parts)]
    if not parts:
        return [node] if isinstance(node, str) else []
    return reached(node[parts[0]], parts[1:]) if isinstance(node, dict) and parts[0] in node else []


def tried(tree, finding, target):
    """What was tried, and whether it is so."""
    trial = Trial(tree, finding, target)
    found = []
    if finding['code'] in DEAD:
        found.append((finding['code'], trial.without()))
    if MEANT.search(finding.get('hint') or ''):
        found.append(('did you mean', trial.meant()))
    if finding['code'] in OTHERS:
        found.append((finding['code'], trial.stands()))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('trees', nargs='+', metavar='TREE')
    parser.add_argument('--bin', default='target/release/kzui')
    parser.add_argument('--oracle', default='kubectl kustomize')
    parser.add_argument('--flags', default='', help='more flags for kzui')
    parser.add_argument('--each', type=int, default=40, help='findings of a tree for each code')
    parser.add_argument('--codes', default='', help='only these codes, with commas between them')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--scratch', help='where the copies are made')
    options = parser.parse_args()
    totals, started = collections.defaultdict(collections.Counter), time.time()
    for source in options.trees:
        with trees.copies(options) as scratch:
            tree = trees.Tree(source, options, scratch)
            for finding in sample(tree, options):
                for target in finding['targets'][:3]:
                    for what, is_so in tried(tree, finding, target):
                        totals[what][is_so] += 1
                        if is_so is False:
                            print(f'{tree.name}/{target}  {what}  {finding["file"]}:{finding["line"]}\n    {finding["message"]}\n    {finding.get("hint")}', flush=True)
            print(f'{tree.name}: done after {time.time() - started:.0f} s', flush=True)
    print(f'\n{"":14} {"so":>6} {"not so":>7} {"not tried":>10}')
    for what, counts in sorted(totals.items()):
        print(f'{what:14} {counts[True]:6} {counts[False]:7} {counts[None]:10}')
    sys.exit(1 if any(counts[False] for counts in totals.values()) else 0)


def sample(tree, options):
    text = trees.output([tree.kzui, 'check', '--offline', '--format', 'json', '--notes', '--fail-on', 'never', *tree.flags, '.'], tree.root, any_status=True, seconds=900)
    by_code = collections.defaultdict(list)
    for finding in json.loads(text or '{"findings": []}')['findings']:
        is_wanted = finding['code'] in DEAD + OTHERS or MEANT.search(finding.get('hint') or '')
        if is_wanted and finding['file'] and (not options.codes or finding['code'] in options.codes.split(',')):
            by_code[finding['code']].append(finding)
    chance = random.Random(options.seed)
    return [one for code in sorted(by_code) for one in chance.sample(by_code[code], min(options.each, len(by_code[code])))]


if __name__ == '__main__':
    main()
