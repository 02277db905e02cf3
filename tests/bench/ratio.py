#!/usr/bin/env python3
"""CPU time, peak memory and growth of `kzui build` against `kubectl kustomize`, in the same run.

    ratio.py [--bin target/release/kzui] [--repeat 5] [--only REGEX] [--sizes 1000,3000,10000] [--slow]
    ratio.py --callgrind [--keep] [--bin target/release/kzui] [--only REGEX]

For every tree: user + system time of both (the median of the repetitions, the oracle once for slow trees), their ratio,
and the ratio of peak memory. Then the growth exponent of kzui between the sizes. `--callgrind` counts instructions of
kzui on the fixed trees, which does not depend on the load of the machine, beside those kept in instructions.tsv: more
than a twentieth above them fails, and `--keep` keeps the new ones. The made trees come from the script named by
KZUI_MAKE_TREE (or ../shared/bench/make_tree.py beside the checkout). Standard library only.
"""
import argparse
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAKE = os.environ.get('KZUI_MAKE_TREE', os.path.join(ROOT, '..', 'shared', 'bench', 'make_tree.py'))
CORPUS = os.environ.get('KZUI_CONFORMANCE', os.path.join(ROOT, '..', 'shared', 'conformance'))


def measure(command):
    """User + system seconds and peak memory in MiB of one run, from what the kernel counted for it."""
    with open(os.devnull, 'wb') as sink:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        return None
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def best(command, repeat):
    runs = []
    for _ in range(repeat):
        run = measure(command)
        if run is None:
            return None
        runs.append(run)
        if run[0] > 10:
            break
    return statistics.median(r[0] for r in runs), max(r[1] for r in runs)


def make(place, number, components=0, features=None):
    out = os.path.join(place, f'n{number}-m{components}-{features or "all"}')
    if not os.path.isdir(out):
        extra = ['--features', features] if features else []
        subprocess.run([sys.executable, MAKE, out, '-n', str(number), '-m', str(components)] + extra, check=True)
    return os.path.join(out, 'overlay')


def fixed(place):
    empty = os.path.join(place, 'empty')
    os.makedirs(empty, exist_ok=True)
    with open(os.path.join(empty, 'kustomization.yaml'), 'w') as f:
        f.write('resources: []\n')
    yield 'empty', empty
    for name, overlays in (('components', ('dev', 'enterprise')), ('shop', ('production',))):
        for overlay in overlays:
            yield f'{name}/{overlay}', os.path.join(ROOT, 'demo', name, 'overlays', overlay)


def largest_real(count=3):
    """The targets of the corpus whose outputs are the longest."""
    import json
    found = []
    for top, _, files in os.walk(os.path.join(CORPUS, 'realworld')):
        if 'meta.json' in files and 'expected.yaml' in files:
            with open(os.path.join(top, 'meta.json')) as f:
                case = json.load(f)
            if not case.get('needs') and not case.get('flags') and 'dir' in case:
                found.append((os.path.getsize(os.path.join(top, 'expected.yaml')), top, case['dir']))
    for size, top, directory in sorted(found, reverse=True)[:count]:
        yield f'real {os.path.basename(top)} ({size // 1024} KiB)', os.path.join(top, 'tree', directory)


def instructions(command):
    with tempfile.NamedTemporaryFile() as out:
        run = subprocess.run(['valgrind', '--tool=callgrind', f'--callgrind-out-file={out.name}'] + command,
                             capture_output=True, text=True, env={**os.environ, 'RAYON_NUM_THREADS': '1'})
    found = re.search(r'Collected\s*:\s*(\d+)', run.stderr)
    return int(found[1]) if found else None


KEPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'instructions.tsv')


def kept():
    """The instructions of each tree when they were last kept."""
    if not os.path.exists(KEPT):
        return {}
    with open(KEPT) as f:
        rows = [line.rstrip('\n').split('\t') for line in f if line.strip() and not line.startswith('#')]
    return {name: int(count) for name, count in rows}


def compare(build, trees, options):
    """Counts instructions and says how they stand to the kept ones; false when one tree takes clearly more."""
    before, fine = kept(), True
    now = dict(before)
    for name, target in trees:
        if not re.search(options.only, name):
            continue
        count = instructions(build + [target])
        if count is None:
            print(f'{name:42} could not be counted')
            fine = False
            continue
        now[name] = count
        change = count / before[name] - 1 if name in before else None
        fine = fine and (change is None or change <= 0.05)
        print(f'{name:42} {count:>15,} instructions' + ('' if change is None else f' {change:+8.1%}'), flush=True)
    if options.keep:
        with open(KEPT, 'w') as f:
            f.write('# Instructions of `kzui build`, one tree a line: ratio.py --callgrind --keep\n')
            f.writelines(f'{name}\t{count}\n' for name, count in now.items())
    return fine or options.keep


def row(name, ours, theirs):
    if ours is None:
        print(f'{name:42} kzui failed', flush=True)
        return
    line = f'{name:42} {ours[0] * 1000:9.1f} ms {ours[1]:7.1f} MiB'
    if theirs:
        line += f' {theirs[0] * 1000:10.1f} ms {theirs[1]:7.1f} MiB   1/{theirs[0] / max(ours[0], 1e-4):<7.1f} memory {ours[1] / theirs[1]:.2f}'
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default=os.path.join(ROOT, 'target', 'release', 'kzui'))
    parser.add_argument('--oracle', default='kubectl kustomize')
    parser.add_argument('--repeat', type=int, default=5)
    parser.add_argument('--only', default='')
    parser.add_argument('--sizes', default='1000,2000,4000,10000')
    parser.add_argument('--slow', action='store_true', help='run the oracle on the large trees too: minutes each')
    parser.add_argument('--callgrind', action='store_true')
    parser.add_argument('--keep', action='store_true', help='keep the instructions that are counted')
    options = parser.parse_args()
    build = [os.path.abspath(options.bin), 'build']
    oracle = options.oracle.split() if shutil.which(options.oracle.split()[0]) else None
    place = tempfile.mkdtemp(prefix='ratio-')
    try:
        run(options, build, oracle, place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def run(options, build, oracle, place):
    trees = list(fixed(place)) + list(largest_real())
    made = os.path.exists(MAKE)
    if options.callgrind:
        if not shutil.which('valgrind'):
            sys.exit('valgrind is not here: no instructions counted')
        made_trees = [('n=100 m=10', make(place, 100, 10)), ('n=1000 m=0', make(place, 1000))] if made else []
        if not compare(build, trees + made_trees, options):
            sys.exit(1)
        return
    print(f'{"tree":42} {"kzui":>12} {"":11} {"kustomize":>13}')
    if made:
        for number, components in ((100, 0), (100, 10), (1000, 0), (1000, 10), (1000, 50)) + (((1000, 200), (3000, 0)) if options.slow else ()):
            trees.append((f'n={number} m={components}', make(place, number, components)))
    for name, target in trees:
        if re.search(options.only, name):
            row(name, best(build + [target], options.repeat), best(oracle + [target], min(options.repeat, 3)) if oracle else None)
    if not made or not re.search(options.only, 'growth'):
        return
    print('\ngrowth of kzui')
    before = None
    for number in map(int, options.sizes.split(',')):
        now = best(build + [make(place, number)], options.repeat)
        row(f'n={number}', now, None)
        if before and now:
            print(f'{"":42} exponent {math.log(now[0] / before[1]) / math.log(number / before[0]):.2f}', flush=True)
        before = (number, now[0]) if now else None


if __name__ == '__main__':
    main()
