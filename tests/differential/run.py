#!/usr/bin/env python3
"""Builds random trees with kzui and with kubectl kustomize and tells the differences.

    run.py --bin target/release/kzui [--like v5.6.0 --oracle PATH] [--count 20000] [--seed 1] [--mutate DIR…] [--one SEED]
           [--save DIR] [--jobs N] [--size 1.0] [--helm PATH]

The oracle is any released program: a kubectl or a kustomize; kzui builds like it. Without --like its version is asked.
Bytes, success, the reason of a failure and the warnings are compared. Each tree has its own seed (--seed plus its number), so
that `--one SEED` shows it again. With --mutate the trees are those of pages (tests/cases) and corpora, each changed in a few
places. A difference is shrunk while it stays the same kind of difference, and saved as a page for tests/cases. Differences
that are explained (Kustomize itself is not deterministic, or does not answer) are counted apart. Standard library only.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import verdicts
from mutate import Mutation
from shrink import shrink
from trees import Tree


def judge(seed, options):
    tree = Mutation(seed, options.mutate) if options.mutate else Tree(seed, options.size, options.like, options.helm)
    return verdicts.compare(tree.files, tree.target, options), tree


def look(seed, options):
    """One tree; what came of it, shrunk when it is a fault."""
    verdict, tree = judge(seed, options)
    if verdict.kind not in verdicts.FAULTS:
        return seed, verdict, None
    files = shrink(tree.files, tree.target, verdict, options)
    final = verdicts.compare(files, tree.target, options)
    return (seed, final, (files, tree.target)) if final.kind in verdicts.FAULTS else (seed, verdict, (tree.files, tree.target))


def report(seed, final, tree, options, known):
    files, target = tree
    signature = final.signature(files)
    fresh = signature not in known
    known[signature] += 1
    if not fresh:
        return
    path = verdicts.save(files, target, final, seed, options)
    print(f'\n=== seed {seed}: {final.kind} -> {path}', flush=True)
    for name, text in sorted(files.items()):
        print(f'--- {name}')
        print(text if isinstance(text, str) else repr(text))
    print(final.words(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default='target/release/kzui', help='the program; with arguments: used as it is')
    parser.add_argument('--oracle', default='kubectl kustomize', help='how Kustomize is run')
    parser.add_argument('--like', help='the release that kzui builds like; without it, that of the oracle')
    parser.add_argument('--mutate', nargs='+', metavar='DIR', help='change these pages and corpora instead of making trees')
    parser.add_argument('--count', type=int, default=2000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--one', type=int, help='only this tree, kept on disk')
    parser.add_argument('--size', type=float, default=1.0, help='more or fewer features per tree')
    parser.add_argument('--helm', help='a helm: some trees have charts then')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--save', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), 'found'))
    parser.add_argument('--most', type=int, default=25, help='stop after this many different faults')
    parser.add_argument('--shrink-seconds', type=float, default=40)
    parser.add_argument('--timeout', type=float, default=30)
    options = parser.parse_args()
    options.bin = shlex.split(options.bin)
    if len(options.bin) == 1:
        options.bin.append('build')
    if os.sep in options.bin[0]:
        options.bin[0] = os.path.abspath(options.bin[0])
    options.oracle = shlex.split(options.oracle)
    if len(options.oracle) == 1:
        options.oracle.append('build' if 'kustomize' in os.path.basename(options.oracle[0]) else 'kustomize')
    options.like = options.like or version_of(options.oracle[0])
    options.bin += ['--like', options.like]
    if options.one is not None:
        verdict, tree = judge(options.one, options)
        place = tempfile.mkdtemp(prefix='tree-')
        verdicts.write(tree.files, place)
        print(f'{verdict.kind}: {place}/{tree.target}\n{verdict.words()}')
        return verdict.kind in verdicts.FAULTS
    return run(options)


def version_of(program):
    """The release of Kustomize that a kubectl embeds, or that a kustomize is."""
    for arguments in (['version', '--client', '-o', 'json'], ['version']):
        said = subprocess.run([program, *arguments], capture_output=True, text=True).stdout
        found = re.search(r'"kustomizeVersion": "(v[0-9.]+)|^(v[0-9.]+)', said)
        if found:
            return found[1] or found[2]
    sys.exit(f'{program} does not say its version: give --like')


def run(options):
    tally, known, start, done = collections.Counter(), collections.Counter(), time.time(), 0
    faults = []
    seeds = iter(range(options.seed, options.seed + options.count))
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = set()
        while True:
            while len(waiting) < options.jobs * 4 and len(known) < options.most:
                seed = next(seeds, None)
                if seed is None:
                    break
                waiting.add(pool.submit(look, seed, options))
            if not waiting:
                break
            ready, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ready:
                seed, verdict, tree = future.result()
                done += 1
                tally[verdict.kind] += 1
                if tree:
                    faults.append(seed)
                    report(seed, verdict, tree, options, known)
                if done % 500 == 0:
                    print(f'{done} trees, {time.time() - start:.0f} s: {dict(tally)}', file=sys.stderr, flush=True)
    print(f'\n{done} trees in {time.time() - start:.0f} s:', ', '.join(f'{v} {k}' for k, v in tally.most_common()))
    print(f'{len(faults)} unexplained, {len(known)} different after shrinking')
    return bool(faults)


if __name__ == '__main__':
    if not shutil.which('kubectl') and '--oracle' not in sys.argv:
        sys.exit('kubectl is not here: nothing to compare with')
    sys.exit(int(main()))
