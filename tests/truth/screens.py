#!/usr/bin/env python3
"""Whether the screens of the workbench show what differs: rules that hold for every screen, on real trees.

    screens.py [--bin target/release/kzui] [--size 120x36] [--rows 12] [--show] TREE[:TARGET]…

Opens the workbench in a pseudo-terminal, walks the repository, and each named target of it (a folder below the tree), with
their places, panes, questions and lists, and checks each screen:

    alike    two rows of one list, below the same row, have the same text
    diff     a removed and an added line of a diff read the same
    cut      a text is cut beside free cells of its line, beside a strip that no row of its list uses, or above free lines
    jump     a border, or a column of a row, moves while only the selection of the list moved
    numbers  the numbers of a column end at different cells

A line of the report: tree, keys, rule, text. Nothing is written: no question is answered with yes, and drafts are kept in a
temporary folder. Exit status 1 if there is a report. Needs the Python package pyte; Linux.
"""
import argparse
import collections
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time

import pyte

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAMES = {'ctrl-d': '\x04', 'tab': '\t', 'enter': '\r', 'esc': '\x1b', 'space': ' '}
# Panes with the text of files: equal lines are no fault, and the columns are those of the file. The title of a resource
# may be cut after its name.
TEXTS = re.compile(r'Preview|Diff|Effect|Edit|File|First and last|Invocation|Review|Result|The selected|Why|(?!Resources).* after step|.*  final|.*[+]\d+ −\d+|[A-Z]\w+ \S+$')
# Signs before the name of a row, or before the mark of a row that has others below it.
SIGNS = re.compile(r'^[ ✓✗△○◐·☑☐●▶│└├⋯~+−≈↓↑=*#…]*')
# Free cells beside a cut text that a reader sees as free: those between columns, and the last of a pane, do not count.
FREE = 4
# The border of a frame.
TOP, SIDE = {'┌': '┐', '╔': '╗'}, {'┌': '│', '╔': '║'}


class Session:
    """The workbench in a terminal, without anything kept from a session before."""

    def __init__(self, binary, directory, columns, rows):
        self.state = tempfile.mkdtemp(prefix='kzui-screens-')
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.keys = []
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            home = {name: self.state for name in ('HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME')}
            os.environ.update(TERM='xterm-256color', COLUMNS=str(columns), LINES=str(rows), **home)
            os.execv(binary, [binary, directory])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def settle(self, quiet, most):
        """Reads until nothing came for `quiet` seconds."""
        end = time.monotonic() + most
        while time.monotonic() < end and select.select([self.terminal], [], [], quiet)[0]:
            try:
                data = os.read(self.terminal, 1 << 16)
            except OSError as error:
                raise SystemExit(f'kzui ended after {" ".join(self.keys)}') from error
            if b'\x1b]11;?' in data:
                os.write(self.terminal, b'\x1b]11;rgb:0000/0000/0000\x1b\\')
            # pyte takes the answers that kzui asks of the terminal for text.
            self.stream.feed(re.sub(rb'\x1b\[[<>=?][0-9;]*[a-z]', b'', data))

    def press(self, keys, quiet=0.25):
        """Sends keys, named or single letters, and waits for the screen."""
        for key in keys.split():
            os.write(self.terminal, NAMES.get(key, key).encode())
            self.settle(0.04, 1)
        self.keys.append(keys)
        self.settle(quiet, 5)

    def lines(self):
        return [line.ljust(self.screen.columns) for line in self.screen.display]

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        os.close(self.terminal)
        os.waitpid(self.pid, 0)
        shutil.rmtree(self.state, ignore_errors=True)


class Pane:
    """A pane on a screen: its title, its area without the frame, and its lines."""

    def __init__(self, title, area, lines, focused):
        self.title, self.area, self.focused = title, area, focused
        top, left, bottom, right = area
        self.lines = [line[left:right] for line in lines[top:bottom]]
        self.is_text = bool(TEXTS.match(title))

    @property
    def name(self):
        return self.title.split('  ')[0].split(' ')[0]

    def free_lines(self):
        """Empty lines at the end."""
        used = max((at for at, line in enumerate(self.lines) if line.strip()), default=-1)
        return len(self.lines) - 1 - used


def panes(lines):
    """The panes of a screen whose frames are whole; those of small screens have only a title."""
    found = []
    for y, line in enumerate(lines):
        for x, letter in enumerate(line):
            right = line.find(TOP[letter], x) if letter in TOP else -1
            if right < 0:
                continue
            side = SIDE[letter]
            end = next((at for at in range(y + 1, len(lines)) if lines[at][x] != side or lines[at][right] != side), len(lines))
            if end < len(lines) and lines[end][x] in '└╚' and lines[end][right] in '┘╝':
                title = line[x + 1:right].strip(' ═─▶')
                found.append(Pane(title, (y + 1, x + 1, end, right), lines, letter == '╔'))
    heads = [at for at, line in enumerate(lines) if re.match(r'──? ?[▶─]? ?\S', line) and '┐' not in line]
    if not found:
        for number, top in enumerate(heads):
            end = heads[number + 1] if number + 1 < len(heads) else len(lines) - 2
            title = lines[top].strip(' ═─▶')
            found.append(Pane(title, (top + 1, 0, end, len(lines[top])), lines, '▶' in lines[top][:4]))
    return found


def indentation(line):
    return SIGNS.match(line).end()


def rows_of(pane):
    """The rows of a list, each with its indentation and with the lines in which it continues: those without a sign, except
    for the rows of a tree."""
    rows = []
    for line in pane.lines:
        indent = indentation(line)
        if not line.strip() or indent >= len(line.rstrip()):
            continue
        if pane.name != 'Tree' and rows and not line[:indent].strip() and indent > rows[-1][0]:
            rows[-1] = (rows[-1][0], f'{rows[-1][1]} {line.strip()}')
        else:
            rows.append((indent, line))
    return rows


def alike(pane):
    """Rows with the same text below the same row."""
    below = []
    for indent, line in rows_of(pane):
        while below and below[-1][0] > indent:
            below.pop()
        if below and below[-1][0] == indent:
            if line in below[-1][1]:
                yield line
            below[-1][1].add(line)
        else:
            below.append((indent, {line}))


def changed_pairs(pane):
    """The blocks of removed and added lines of a diff, each line with those in which it continues."""
    block, last = [], None
    for line in [*pane.lines, '']:
        match = re.match(r'^[ ▶]*(?:\d+ +)?([−+]) (\s*\S.*)$', line)
        if match:
            # A place where the line is written is no part of it.
            text = re.sub(r'  +\S+:\d+$', '', match[2].rstrip()).rstrip()
            block.append((match[1], text))
            last = match[1]
        elif last and re.match(r'^ {4,}\S', line) and '⋯' not in line:
            block[-1] = (last, block[-1][1] + re.sub(r'  +\S+:\d+$', '', line.rstrip()).strip())
        else:
            removed = [text for sign, text in block if sign == '−']
            added = [text for sign, text in block if sign == '+']
            yield from zip(removed, added)
            block, last = [], None


def is_cut(line):
    """True if a text of the line is cut; a list that ends in `, …` is not, and neither is `building…`."""
    return '…' in re.sub(r'\w… (?:[\d(]|checking|building)|, …$|^ ☑ .* …$|^ *…/|^ *(?:building|checking|reading)[^…]*…$', '', line.replace(' … ', '   '))


def cuts(pane):
    """Cut texts with free cells beside them or free lines below."""
    width = len(pane.lines[0]) if pane.lines else 0
    free_lines = pane.free_lines()
    for line in pane.lines:
        text = line.rstrip()
        if not is_cut(text):
            continue
        # An empty column at the right leaves its gap.
        if text.endswith('…') and width - len(text) >= FREE + 2:
            # The last line of a wrapped text, whose pane is full, ends at a word.
            if free_lines or line is not pane.lines[-1]:
                yield 'free cells at its right', text
        elif free_lines > 1 and not pane.is_text:
            yield f'{free_lines} free lines below', text
        # A number is at the right of its column.
        elif match := re.search(r'…( {5,})(?=\D)\S', text):
            start = match.start(1)
            others = [other for other in pane.lines if other is not line]
            if not any(other[start:start + FREE].strip() for other in others):
                yield 'free cells before the next column', text


class Strips:
    """For each list, the cells at its right that no row used on any screen, and a cut text of it."""

    def __init__(self):
        self.lists = {}

    def add(self, pane, keys):
        if pane.is_text or not pane.lines:
            return
        used = max(len(line.rstrip()) for line in pane.lines)
        cut = next((line.rstrip() for line in pane.lines if is_cut(line.rstrip())), None)
        before = self.lists.get((pane.name, pane.area), (0, None, None))
        self.lists[pane.name, pane.area] = max(used, before[0]), before[1] or cut, before[2] or (cut and keys)

    def found(self):
        for (name, (_, left, _, right)), (used, cut, keys) in self.lists.items():
            if cut and right - left - used >= FREE + 2:
                yield f'{name}: a strip of {right - left - used} free cells: {cut}', keys


def numbers(pane):
    """Columns of numbers, each in at least three rows, that end at different cells."""
    columns = []
    for line in pane.lines:
        for match in re.finditer(r'(?<=  )\d[\d,.]*(?:ms|s|%)?(?=  |\s*$)', line):
            if indentation(line) >= match.start():
                continue
            column = next((it for it in columns if it[-1][0] < match.end() and match.start() < it[-1][1]), None)
            if column is None:
                columns.append(column := [])
            column.append((match.start(), match.end(), line))
    for column in columns:
        if len(column) >= 3 and len({end for _, end, _ in column}) > 1:
            yield ' / '.join(dict.fromkeys(line.strip() for _, _, line in column[:3]))


def squeezed(line):
    return re.sub(r'\s+', ' ', line).strip()


def jumps(before, after):
    """Borders that moved, and rows of the focused list whose columns moved, after the selection moved."""
    frames = [sorted(pane.area for pane in screen) for screen in (before, after)]
    if frames[0] != frames[1]:
        yield 'borders', f'{sorted(set(frames[0]) - set(frames[1]))} became {sorted(set(frames[1]) - set(frames[0]))}'
        return
    for one, other in zip(before, after):
        if one.is_text or not one.focused or one.name != other.name:
            continue
        # Only rows that are there once are certainly the same.
        count = collections.Counter(squeezed(line) for line in [*one.lines, *other.lines])
        drawn = {squeezed(line): line for line in one.lines if count[squeezed(line)] == 2}
        for line in other.lines:
            same = drawn.get(squeezed(line))
            if same is not None and same != line and same.strip():
                yield 'columns', f'{same.rstrip()!r} became {line.rstrip()!r}'
                break


class Check:
    """The walk through one tree, and its reports."""

    def __init__(self, arguments, tree, target):
        self.arguments, self.tree = arguments, tree
        self.columns, self.rows = map(int, arguments.size.split('x'))
        self.target, self.count, self.screens, self.told, self.strips = target, 0, 0, set(), Strips()
        directory = os.path.join(tree, target) if target else tree
        self.session = Session(arguments.bin, directory, self.columns, self.rows)
        # The targets are built behind the first frame.
        self.session.settle(2.5, 300)

    def report(self, rule, text, keys=None):
        key = (rule, squeezed(text))
        if key in self.told:
            return
        self.told.add(key)
        self.count += 1
        name = os.path.basename(self.tree.rstrip('/')) + (f':{self.target}' if self.target else '')
        print(f'{name}\t{keys or self.pressed()}\t{rule}\t{text.strip()}', flush=True)

    def pressed(self):
        return ' '.join(self.session.keys[-8:])

    def look(self):
        """Checks the screen as it is; returns its panes."""
        lines = self.session.lines()
        self.screens += 1
        if self.arguments.show:
            print('\n'.join([f'=== {self.pressed()}', *lines]), flush=True)
        shown = panes(lines)
        for pane in shown:
            self.strips.add(pane, self.pressed())
            if not pane.is_text:
                for line in alike(pane):
                    self.report('alike', f'{pane.name}: {line}')
                for line in numbers(pane):
                    self.report('numbers', f'{pane.name}: {line}')
            for removed, added in changed_pairs(pane):
                if removed == added:
                    self.report('diff', f'{pane.name}: {removed}')
            for why, line in cuts(pane):
                self.report('cut', f'{pane.name}: {why}: {line}')
        edges = [lines[0], *lines[-2:]]
        for line in edges:
            if re.search(r'… {5,}', line):
                self.report('cut', f'edge of the screen: {line}')
        return shown

    def go(self, keys):
        self.session.press(keys)
        return self.look()

    def down(self, key='j', rows=None):
        """Moves the selection through a list."""
        before = self.look()
        for _ in range(rows or self.arguments.rows):
            after = self.go(key)
            found = list(jumps(before, after))
            if found:
                # What moves back with the selection, moved by it, and not by a result that came.
                self.session.press('k')
                back = panes(self.session.lines())
                self.session.press(key)
                if [(pane.area, pane.lines) for pane in back if pane.focused] == [
                        (pane.area, pane.lines) for pane in before if pane.focused]:
                    for what, text in found:
                        self.report('jump', f'{what}: {text}')
            before = after

    def page(self):
        """Goes through a list by half pages: rows out of sight may use the cells that others leave."""
        before = None
        while True:
            self.go('ctrl-d')
            after = re.findall(r'\d+ of \d+', ' '.join(self.session.lines()[2:-2]))
            if after == before:
                break
            before = after
        self.go('g g')

    def repository(self):
        self.go('0')
        self.down()
        self.page()
        self.go('tab')
        self.down(rows=4)
        for keys in ('0 g t', 'g t', 'g t'):
            self.go(keys)
            self.down()
            self.go('tab')
            self.down(rows=6)
            self.go('esc')

    def open_target(self):
        self.go('1')
        self.go('g e')
        self.down(rows=self.arguments.rows * 2)
        for keys in ('g s', 'g d', 'g r', 'g p', 'g c'):
            self.go(keys)
            self.down()
            self.go('tab')
            self.down(rows=6)
            self.go('tab')
            self.down(rows=3)
        self.go('1')
        self.go('g c')
        # A component of the list is switched, and the draft is looked at from all places.
        self.go('space')
        self.down(rows=2)
        self.go('g e')
        self.go('2')
        self.down(rows=2)
        self.go('tab')
        self.go(': w enter')
        self.go('esc')
        self.go('0')
        self.down(rows=4)

    def overlays(self):
        self.go('1')
        self.go('g r')
        self.go('j j j w')
        self.down(rows=4)
        self.go('esc')
        for keys in (':', '?'):
            self.go(keys)
            self.go('esc')
        self.go('x')
        self.down(rows=2)
        self.go('esc')

    def run(self):
        try:
            if self.target:
                self.open_target()
                self.overlays()
            else:
                self.repository()
            for text, keys in self.strips.found():
                self.report('cut', text, keys)
        finally:
            self.session.end()
        return self.count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('trees', nargs='+', metavar='TREE[:TARGET]')
    parser.add_argument('--bin', default=os.path.join(ROOT, 'target', 'release', 'kzui'))
    parser.add_argument('--size', default='120x36', help='columns and rows of the terminal')
    parser.add_argument('--rows', type=int, default=12, help='rows of each list through which the selection moves')
    parser.add_argument('--show', action='store_true', help='print each screen')
    arguments = parser.parse_args()
    count = screens = 0
    for tree in arguments.trees:
        path, _, target = tree.partition(':')
        check = Check(arguments, os.path.abspath(path), target)
        count += check.run()
        screens += check.screens
    print(f'{screens} screens at {arguments.size}: {count or "no"} reports')
    sys.exit(count > 0)


if __name__ == '__main__':
    main()
