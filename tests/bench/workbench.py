#!/usr/bin/env python3
"""How fast the workbench answers: first frame, keys while a build runs, and a switched component, in a pseudo-terminal.

    workbench.py [--bin target/release/kzui] [--repeat 7] [--keys 40] [--toggles 300]

Prints milliseconds (minimum / median / worst) against what must hold: first frame on the demo within 50, a key at
1,000 resources while a build runs within 16; a toggle of one of 50 components: the new step list and the new diff on the
screen within 25 (65 at 3,000 resources), and beside it, without a bound, when the last byte came of what is tried and
derived behind it; a patch file that changes on disk within 33 and the 60 for which files must have been quiet; memory
below 80 MiB after 300 toggles, once nothing runs, and no more of it than after the first third; and wakeups while idle.

The bounds of builds are those of a machine on which kubectl (v5.5.0) builds the tree of 1,000 resources in 5.8 s of CPU
time, and kzui in 28 ms. With kubectl at hand both build that tree first, and these bounds are multiplied by the smaller
of the two ratios. On a busy machine only the CPU time beside a toggle means anything. The tree comes from the script named by KZUI_MAKE_TREE (or
../shared/bench/make_tree.py beside the checkout). Standard library only; Linux.
"""
import argparse
import fcntl
import os
import pty
import re
import resource
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAKE = os.environ.get('KZUI_MAKE_TREE', os.path.join(ROOT, '..', 'shared', 'bench', 'make_tree.py'))


class Session:
    """The workbench in a terminal of 120x36, without anything kept from a session before."""

    def __init__(self, binary, directory, columns=120, rows=36):
        self.state = tempfile.mkdtemp(prefix='kzui-state-')
        self.began = time.perf_counter()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM='xterm-256color', XDG_STATE_HOME=self.state)
            os.execv(binary, [binary, directory])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
        self.seen = b''
        self.pending = b''
        self.cells = {}

    def read(self, seconds):
        """Bytes that arrive within this time at the latest; empty for none."""
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        if not ready:
            return b''
        try:
            data = os.read(self.terminal, 1 << 16)
        except OSError:
            return b''
        if b'\x1b]11;?' in data:
            os.write(self.terminal, b'\x1b]11;rgb:0000/0000/0000\x1b\\')
        self.seen += data
        self.pending += data
        return data

    def screen(self):
        """The rows that the terminal shows. Only cells that changed arrive, so that their bytes alone are no words."""
        data = self.pending.decode('utf-8', 'replace')
        self.pending = b''
        row = column = 1
        for place, other, letter in re.findall(r'\x1b\[(\d+;\d+)H|(\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\))|(.)', data):
            if place:
                row, column = map(int, place.split(';'))
            elif letter:
                self.cells[row, column] = letter
                column += 1
        rows = {}
        for (row, column), letter in sorted(self.cells.items()):
            rows.setdefault(row, []).append(letter)
        return '\n'.join(''.join(letters) for letters in rows.values())

    def until(self, pattern, seconds=30):
        """Reads until a text that has appeared since the last call matches; milliseconds since the beginning."""
        end = time.perf_counter() + seconds
        while not re.search(pattern, plain(self.seen)):
            if time.perf_counter() > end:
                raise SystemExit(f'{pattern!r} did not appear in\n{plain(self.seen)[-3000:]}')
            self.read(0.5)
        return (time.perf_counter() - self.began) * 1000

    def settle(self, quiet=0.4):
        while self.read(quiet):
            pass
        self.seen = b''

    def key(self, keys, seconds=5):
        """Milliseconds from a key to the first bytes of its answer."""
        while self.read(0):
            pass
        began = time.perf_counter()
        os.write(self.terminal, keys)
        if not self.read(seconds):
            return seconds * 1000
        return (time.perf_counter() - began) * 1000

    def wakeups(self, seconds=2):
        """Voluntary context switches per second, of all threads, while nothing happens."""
        def count():
            total = 0
            for task in os.listdir(f'/proc/{self.pid}/task'):
                with open(f'/proc/{self.pid}/task/{task}/status') as status:
                    total += int(re.search(r'^voluntary_ctxt_switches:\s+(\d+)', status.read(), re.M)[1])
            return total
        before = count()
        time.sleep(seconds)
        return (count() - before) / seconds

    def cpu(self):
        """Milliseconds of CPU time of all threads so far."""
        total = 0
        for task in os.listdir(f'/proc/{self.pid}/task'):
            with open(f'/proc/{self.pid}/task/{task}/schedstat') as stat:
                total += int(stat.read().split()[0])
        return total / 1e6

    def memory(self):
        """MiB that it holds."""
        with open(f'/proc/{self.pid}/status') as status:
            return int(re.search(r'^VmRSS:\s+(\d+)', status.read(), re.M)[1]) / 1024

    def idle_memory(self):
        """MiB that it holds once a second has passed in which no thread worked."""
        used = None
        while used != self.cpu():
            used = self.cpu()
            self.settle(1)
        return self.memory()

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        os.close(self.terminal)
        os.waitpid(self.pid, 0)
        shutil.rmtree(self.state, ignore_errors=True)


def plain(data):
    text = data.decode('utf-8', 'replace')
    return re.sub(r'\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)', '', text)


def told(name, values, bound):
    worst = max(values)
    middle = statistics.median(values)
    verdict = 'ok' if middle <= bound else 'TOO SLOW'
    print(f'{name:58} {min(values):7.1f} {middle:7.1f} {worst:7.1f}   bound {bound:4.0f}  {verdict}')
    return middle <= bound


def noted(name, values):
    print(f'{name:58} {min(values):7.1f} {statistics.median(values):7.1f} {max(values):7.1f}')


def first_frame(binary, demo, repeat):
    frames, built = [], []
    for _ in range(repeat):
        session = Session(binary, demo)
        frames.append(session.until('Tree'))
        built.append(session.until(r'\d+ms|\d\.\ds'))
        session.settle(0.1)
        session.end()
    fine = told('first frame on the demo', frames, 50)
    return told('the demo built and shown', built, 100) and fine


def keys_while_building(binary, tree, count):
    """Keys right after an edit that builds everything again; every screen takes part."""
    session = Session(binary, tree)
    session.until(r'\d+ms|\d\.\ds')
    session.settle()
    fine = True
    for screen, keys in [(screen, b'jk') for screen in (b'0', b'ge', b'gs', b'gd', b'gr', b'gp', b'gc', b'2')]:
        session.key(screen)
        session.settle()
        still = [session.key(keys[turn % 2:turn % 2 + 1]) for turn in range(max(count // 2, 1))]
        fine = told(f'a key on screen {screen.decode()}, nothing running', still, 16) and fine
        times = []
        for turn in range(max(count // 4, 1)):
            os.write(session.terminal, b'R')
            time.sleep(0.02)
            for key in (keys[:1], keys[1:2]):
                times.append(session.key(key))
            session.settle(0.3)
        fine = told(f'a key on screen {screen.decode()}, a build running', times, 16) and fine
    print(f'{"wakeups per second while idle":58} {session.wakeups():7.1f}')
    session.end()
    return fine


# What the last line says of a toggle once its build is shown.
TOLD = r'output: .?\d|output unchanged'


def drawn(session, began, until):
    """Milliseconds until a text is there that says that the build is shown, and until the last bytes came: only cells that
    differ are drawn, so that all is shown once nothing more comes."""
    first, last = None, time.perf_counter()
    while session.read(0.5):
        last = time.perf_counter()
        # Bytes of one frame may come in pieces: the frame is whole once a moment passes without more.
        while session.read(0.002):
            last = time.perf_counter()
        if first is None and re.search(until, session.screen()):
            first = last
    if first is None:
        raise SystemExit(f'{until!r} did not appear in\n{session.screen()}')
    return (first - began) * 1000, (last - began) * 1000


def opened(binary, tree):
    session = Session(binary, tree)
    session.until(r'\d+ms|\d\.\ds')
    session.settle()
    session.key(b'5')
    session.settle()
    return session


def toggle(binary, tree, repeat, resources, bound, file_bound):
    """A component in the middle of the list, switched off and on; then a patch file that changes on disk."""
    session = opened(binary, tree)
    for _ in range(25):
        session.key(b'j')
    session.settle()
    shown, whole, keys, cpu = [], [], [], []
    for _ in range(repeat):
        session.seen = b''
        used, began = session.cpu(), time.perf_counter()
        keys.append(session.key(b' '))
        first, last = drawn(session, began, TOLD)
        shown.append(first)
        whole.append(last)
        cpu.append(session.cpu() - used)
        # The next key takes the message away.
        session.key(b'j' if len(keys) % 2 else b'k')
        session.settle(0.2)
    of = f'{resources:,} resources'
    fine = told(f'the key that toggles is answered, {of}', keys, 16)
    fine = told(f'a toggled component: new steps and diff, {of}', shown, bound) and fine
    noted('  the last byte of that, with what is tried behind it', whole)
    noted('  CPU time of all of that', cpu)
    patch = os.path.join(tree, 'patches', 'smp-5.yaml')
    with open(patch) as f:
        text = f.read()
    # The step of that file with its diff, in which every cell of the value is another each time.
    for keys in (b'gs', b'/smp-5\r'):
        session.key(keys)
        session.settle(0.2)
    shown, whole = [], []
    for turn in range(repeat):
        session.seen = b''
        word = 'qwertzuiop'[turn % 10] * 6
        began = time.perf_counter()
        with open(patch, 'w') as f:
            f.write(text.replace('value: "5"', f'value: "{word}"'))
        first, last = drawn(session, began, word)
        shown.append(first)
        whole.append(last)
    fine = told(f'a patch file that changed, {of}', shown, file_bound) and fine
    noted('  the last byte of that', whole)
    session.end()
    return fine


def long_use(binary, tree, count):
    """Memory after very many toggles, up and down the list."""
    session = opened(binary, tree)
    early = None
    for turn in range(count):
        session.key(b' ')
        session.settle(0.15)
        session.key(b'k' if turn // 40 % 2 else b'j')
        if turn == count // 3:
            early = session.idle_memory()
    held = session.idle_memory()
    session.end()
    fine = held <= 80 and (early is None or held <= early * 1.1)
    print(f'{f"MiB after {count // 3} and after {count} toggles":58} {early or 0:7.1f} {held:7.1f}   bound {80:4}  '
          f'{"ok" if fine else "TOO MUCH"}')
    return fine


def slowness(binary, target):
    """How many times slower than the machine of the bounds this one is, by the program that suffers less; 1 without
    kubectl."""
    if not shutil.which('kubectl'):
        return 1
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def ratio(command, there):
        before = used()
        subprocess.run([*command, target], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return (used() - before) / there
    own = statistics.median(ratio([binary, 'build'], 0.028) for _ in range(5))
    others = ratio(['kubectl', 'kustomize'], 5.8)
    print(f'{"kzui and kubectl take, of their time on the machine of the bounds":66} {own:7.1f} {others:7.1f}')
    return min(own, others)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default=os.path.join(ROOT, 'target', 'release', 'kzui'))
    parser.add_argument('--repeat', type=int, default=7)
    parser.add_argument('--keys', type=int, default=40)
    parser.add_argument('--toggles', type=int, default=300)
    arguments = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix='kzui-bench-')
    try:
        targets = {}
        for count in (1000, 3000):
            tree = os.path.join(scratch, f'tree-{count}')
            make = [sys.executable, MAKE, '-n', str(count), '-m', '50', tree]
            subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
            targets[count] = os.path.join(tree, 'overlay')
        target = targets[1000]
        factor = slowness(arguments.bin, target)
        print(f'{"milliseconds":58} {"min":>7} {"median":>7} {"worst":>7}')
        demo = os.path.join(ROOT, 'demo', 'components', 'overlays', 'dev')
        fine = first_frame(arguments.bin, demo, arguments.repeat)
        for count, bound, of_file in ((1000, 25, 33), (3000, 65, 100)):
            bounds = bound * factor, of_file * factor + 60
            fine = toggle(arguments.bin, targets[count], arguments.repeat, count, *bounds) and fine
        fine = long_use(arguments.bin, target, arguments.toggles) and fine
        fine = keys_while_building(arguments.bin, target, arguments.keys) and fine
    finally:
        shutil.rmtree(scratch)
    sys.exit(not fine)


if __name__ == '__main__':
    main()
