#!/usr/bin/env python3
"""What many targets cost: all of a repository, one edit, one commit, and how that grows.

    repository.py [--bin target/release/kzui] [--repository DIR] [--sizes 1000,20000] [--keep DIR]

Repositories are made (a base, a component and 18 overlays for each application); --repository adds one of your own, of which a
clone is measured. Processor time counts, and not the clock: divided by two it is what two cores need, also on a machine that
does something else. Printed are the figure, its bound, and ratios that hold on any machine: all targets in one process to each
in a process of its own, one edit to all targets, and the growth from size to size. Standard library only; Linux.
"""
import argparse
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ratio import measure  # noqa: E402
from workbench import Session  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TICK = os.sysconf('SC_CLK_TCK')
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: example.com/web:1
"""
SERVICE = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector: {app: web}\n  ports:\n  - port: 80\n'
COMPONENT = """apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- patch: |-
    apiVersion: v1
    kind: Service
    metadata:
      name: web
    spec:
      type: LoadBalancer
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        file.write(text)


def git(folder, *words):
    subprocess.run(['git', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', *words], cwd=folder, check=True)


def make(top, number):
    """So many kustomizations in a repository, and a second commit that changes one file."""
    for group in range(number // 20):
        app = f'{top}/apps/g{group // 100:03}/app{group:05}'
        write(f'{app}/base/kustomization.yaml', 'resources:\n- deployment.yaml\n- service.yaml\n')
        write(f'{app}/base/deployment.yaml', DEPLOYMENT)
        write(f'{app}/base/service.yaml', SERVICE)
        write(f'{app}/tls/kustomization.yaml', COMPONENT)
        for overlay in range(18):
            write(f'{app}/overlays/o{overlay:02}/kustomization.yaml',
                  'resources:\n- ../../base\ncomponents:\n- ../../tls\n'
                  f'namePrefix: o{overlay}-\nreplicas:\n- name: web\n  count: {overlay + 2}\n')
    git(top, 'init', '-q')
    git(top, 'add', '-A')
    git(top, 'commit', '-q', '-m', 'First')
    write(f'{top}/apps/g000/app00000/base/deployment.yaml', DEPLOYMENT.replace('web:1', 'web:2'))
    git(top, 'commit', '-q', '-a', '-m', 'Second')


def used(command, cwd):
    """User + system seconds and peak MiB of one run, whatever its status."""
    with open(os.devnull, 'wb') as sink:
        child = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink)
        _, status, own = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise SystemExit(f'{command} ended with {child.returncode}')
    return own.ru_utime + own.ru_stime, own.ru_maxrss / 1024


class Board(Session):
    """The Board of a folder in a terminal."""

    def processor(self):
        """Seconds of processor time, children included."""
        with open(f'/proc/{self.pid}/stat') as stat:
            fields = stat.read().rsplit(')', 1)[1].split()
        return sum(int(fields[at]) for at in (11, 12, 13, 14)) / TICK

    def memory(self):
        """Peak MiB."""
        with open(f'/proc/{self.pid}/status') as status:
            return int(re.search(r'VmHWM:\s+(\d+)', status.read())[1]) / 1024

    def idle(self, quiet=1.5, seconds=600):
        """Reads until no processor time was used for a while; processor time so far."""
        end = time.perf_counter() + seconds
        last, since = self.processor(), time.perf_counter()
        while time.perf_counter() < end:
            self.read(0.2)
            now = self.processor()
            if now - last > 0.015:
                last, since = now, time.perf_counter()
            elif time.perf_counter() - since > quiet:
                return now
        raise SystemExit('the Board does not come to rest')


def told(name, figure, bound, unit):
    verdict = 'ok' if figure <= bound else 'TOO MUCH'
    print(f'{name:62} {figure:9.2f} {unit:4} bound {bound:7.2f}  {verdict}', flush=True)
    return figure <= bound


def kustomizations(top):
    listed = subprocess.run(['git', 'ls-files'], cwd=top, capture_output=True, text=True, check=True).stdout.split('\n')
    names = ('kustomization.yaml', 'kustomization.yml', 'Kustomization')
    return [os.path.dirname(path) or '.' for path in listed if os.path.basename(path) in names]


def board(binary, top, count, label):
    """First rows, everything built, one overlay edited: processor time of each, and the memory."""
    session = Board(binary, top)
    session.until(r'kustomizations')
    first = session.processor()
    everything = session.idle()
    memory = session.memory()
    overlays = [folder for folder in kustomizations(top) if 'overlay' in folder] or kustomizations(top)
    edited = os.path.join(top, random.Random(1).choice(overlays))
    path = next(os.path.join(edited, name) for name in os.listdir(edited) if name.lower().startswith('kustomization'))
    with open(path) as file:
        text = file.read()
    with open(path, 'a') as file:
        file.write('\ncommonAnnotations: {edited: "yes"}\n')
    edit = session.idle() - everything
    session.end()
    with open(path, 'w') as file:
        file.write(text)
    ok = [told(f'{label}: first rows, processor time', first, 0.3, 's'),
          told(f'{label}: Board, everything tried, on two cores', everything / 2, 1.5 * max(1, count / 1289), 's'),
          told(f'{label}: Board, memory', memory, 400 * max(1, count / 1289), 'MiB'),
          told(f'{label}: after an edit of one overlay', edit / 2, 0.1 * max(1, count / 1289), 's'),
          told(f'{label}: one edit to all targets', edit / everything, 0.1, '')]
    return all(ok), everything


def whole(binary, top, label):
    """All targets in one process, and some in a process each."""
    count = len(kustomizations(top))
    together, memory = used([binary, 'graph', '--states', '--offline'], top)
    sample = random.Random(2).sample(kustomizations(top), min(40, count))
    alone = [measure([binary, 'build', '--offline', os.path.join(top, folder)]) for folder in sample]
    alone = [one[0] for one in alone if one]
    ok = [told(f'{label}: {count} kustomizations built, on two cores', together / 2, 1.5 * max(1, count / 1289), 's'),
          told(f'{label}: memory', memory, 400 * max(1, count / 1289), 'MiB')]
    if alone:
        ratio = together / (sum(alone) / len(alone) * count)
        ok.append(told(f'{label}: together to each alone', ratio, 0.7, ''))
    commit, _ = used([binary, 'diff', 'HEAD~1', 'HEAD'], top)
    ok.append(told(f'{label}: diff HEAD~1 HEAD, on two cores', commit / 2, 1.0, 's'))
    return all(ok), together / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default=os.path.join(ROOT, 'target/release/kzui'))
    parser.add_argument('--repository')
    parser.add_argument('--sizes', default='1000,20000')
    parser.add_argument('--keep', help='a folder in which what is made stays for the next time')
    options = parser.parse_args()
    binary = os.path.abspath(options.bin)
    good, each = [], {}
    with tempfile.TemporaryDirectory() as scratch:
        os.environ['XDG_STATE_HOME'] = os.path.join(scratch, 'state')
        os.environ['XDG_CONFIG_HOME'] = os.path.join(scratch, 'config')
        place = options.keep or scratch
        if options.repository:
            top = os.path.join(scratch, 'clone')
            git(scratch, 'clone', '-q', '--shared', os.path.abspath(options.repository), top)
            name = os.path.basename(os.path.abspath(options.repository))
            good.append(whole(binary, top, name)[0])
            good.append(board(binary, top, len(kustomizations(top)), name)[0])
            shutil.rmtree(top)
        for size in [int(word) for word in options.sizes.split(',') if word]:
            top = os.path.join(place, f'made-{size}')
            if not os.path.isdir(top):
                make(top, size)
            ok, each[size] = whole(binary, top, f'made {size}')
            good += [ok, board(binary, top, size, f'made {size}')[0]]
    sizes = sorted(each)
    for small, large in zip(sizes, sizes[1:]):
        exponent = 1 + math.log(each[large] / each[small]) / math.log(large / small)
        good.append(told(f'growth from {small} to {large}: exponent', exponent, 1.15, ''))
    return 0 if all(good) else 1


if __name__ == '__main__':
    sys.exit(main())
