#!/usr/bin/env python3
"""Builds every target of checked-out repositories with kzui and with released programs and tells the differences.

    public.py --bin target/release/kzui --oracle PATH [--oracle PATH…] [--every N] [--save FILE] REPOSITORY…

A target is a folder with a kustomization that is no component. Those whose files name something to be fetched, and those that
need a program (helm, plugins) or this machine's answer, fail in both and count as such: the reasons are compared. Prints a line
for each difference and a table at the end; exit 1 when there is one. --every 5: only every fifth target.
"""
import argparse
import collections
import os
import re
import shlex
import sys

import causes
import run
import verdicts

NAMES = ('kustomization.yaml', 'kustomization.yml', 'Kustomization')
REMOTE = re.compile(r'^\s*- *[\'"]?(https?://|git::|ssh://|git@|github\.com/|[\w.-]+/[\w./-]+\?ref=)', re.M)


def targets(repository):
    """Folders with a kustomization, and whether they or what they list lead outside."""
    found = []
    for folder, folders, names in os.walk(repository):
        folders[:] = sorted(name for name in folders if name != '.git')
        name = next((name for name in NAMES if name in names), None)
        if name:
            text = open(os.path.join(folder, name), encoding='utf-8', errors='replace').read()
            if not re.search(r'^kind:\s*["\']?Component', text, re.M):
                found.append(folder)
    return found


def leads_outside(folder, seen):
    """A target that fetches, itself or by what it lists."""
    folder = os.path.realpath(folder)
    if folder in seen:
        return False
    seen.add(folder)
    name = next((name for name in NAMES if os.path.isfile(os.path.join(folder, name))), None)
    if not name:
        return False
    text = open(os.path.join(folder, name), encoding='utf-8', errors='replace').read()
    if REMOTE.search(text) or re.search(r'^(helmCharts|helmChartInflationGenerator):', text, re.M):
        return True
    entries = re.findall(r'^\s*- *[\'"]?([^\s\'"#:{]+)[\'"]?\s*(?:#.*)?$', text, re.M)
    return any(leads_outside(os.path.join(folder, entry), seen) for entry in entries if os.path.isdir(os.path.join(folder, entry)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default='target/release/kzui')
    parser.add_argument('--oracle', action='append', required=True)
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--timeout', type=float, default=60)
    parser.add_argument('--save', help='append the differences to this file')
    parser.add_argument('repositories', nargs='+')
    options = parser.parse_args()
    places = [place for repository in options.repositories for place in targets(os.path.abspath(repository))]
    places = [place for place in places if not leads_outside(place, set())][::options.every]
    print(f'{len(places)} targets that need nothing from outside', flush=True)
    faults = 0
    for oracle in options.oracle:
        like = run.version_of(oracle)
        ours = shlex.split(os.path.abspath(options.bin)) + ['build', '--like', like]
        theirs = [oracle, 'kustomize' if 'kubectl' in os.path.basename(oracle) else 'build']
        tally = collections.Counter()
        for place in places:
            verdict = verdicts.judge(verdicts.call(ours, place, options.timeout), verdicts.call(theirs, place, options.timeout))
            if verdict.kind in verdicts.FAULTS:
                why = verdicts.explained(verdict.ours, verdict.theirs, lambda: verdicts.call(theirs, place, options.timeout))
                verdict.kind = verdicts.EXPLAINED if why else verdict.kind
            tally[verdict.kind] += 1
            if verdict.kind in verdicts.FAULTS:
                faults += 1
                text = f'{like} {verdict.kind}: {place}\n{verdict.words()[:1500]}\n'
                print(text, flush=True)
                if options.save:
                    with open(options.save, 'a', encoding='utf-8') as file:
                        file.write(text)
        print(f'{like}:', ', '.join(f'{count} {kind}' for kind, count in tally.most_common()), flush=True)
    sys.exit(bool(faults))


if __name__ == '__main__':
    main()
