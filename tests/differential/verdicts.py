"""Runs both programs on a tree and says what the difference means."""
import collections
import difflib
import json
import os
import re
import shutil
import subprocess
import tempfile

import causes

SAME, BOTH_FAIL, EXPLAINED = 'same', 'both fail', 'explained'
DIFFERS, ONLY_OURS, ONLY_THEIRS, CRASH = 'differs', 'builds here only', 'builds there only', 'crash'
OTHER_CAUSE, OTHER_WARNINGS = 'fails for another reason', 'warns of other things'
FAULTS = {DIFFERS, ONLY_OURS, ONLY_THEIRS, CRASH, OTHER_CAUSE, OTHER_WARNINGS}
CRASHES = {101, 132, 134, 139}

class Verdict:
    def __init__(self, kind, ours, theirs, why=''):
        self.kind, self.ours, self.theirs, self.why = kind, ours, theirs, why

    def words(self):
        if self.kind == DIFFERS:
            return ''.join(difflib.unified_diff(self.theirs.out.splitlines(True), self.ours.out.splitlines(True), 'kustomize', 'kzui', n=2))
        return f'kustomize: exit {self.theirs.status} {self.theirs.err[-800:]}\nkzui: exit {self.ours.status} {self.ours.err[-800:]}'

    def changed_lines(self):
        """The lines that only one of the outputs has, without their places and hashes."""
        lines = self.words().splitlines()[2:]
        return {re.sub(r'[0-9a-z]{10}', 'H', line[0] + line[1:].strip()) for line in lines if line[:1] in '+-'}

    def signature(self, files):
        """Faults with the same fields and the same first difference count as one."""
        fields = set()
        for path, text in files.items():
            if isinstance(text, str) and 'ustomization' in path:
                fields |= set(re.findall(r'^([A-Za-z0-9]+):', text, re.M)) - {'resources', 'apiVersion', 'kind'}
        if self.kind == DIFFERS:
            changed = [re.sub(r'[0-9a-z]{10}', 'H', line) for line in self.words().splitlines()[2:] if line[:1] in '+-']
            detail = ' '.join(sorted({re.sub(r'[^A-Za-z:+-].*', '', line.replace(' ', '')) for line in changed})[:3])
        elif self.kind == OTHER_CAUSE:
            detail = re.sub(r'[0-9/"\'`].*', '', causes.innermost(self.theirs.err))[:60]
            return self.kind, '', detail
        else:
            detail = re.sub(r'[0-9/"\'`].*', '', (self.ours if self.kind == ONLY_THEIRS else self.theirs).innermost())
        return self.kind, ','.join(sorted(fields)), detail


class Answer:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def innermost(self):
        return causes.innermost(self.err)


class Link(str):
    """A symbolic link to this path."""


def write(files, place):
    for path, text in files.items():
        full = os.path.join(place, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        if isinstance(text, Link):
            os.symlink(text, full)
            continue
        with open(full, 'wb') as f:
            f.write(text if isinstance(text, bytes) else text.encode())


def call(command, place, timeout):
    environment = dict(os.environ, GOMAXPROCS='1', GOGC='400')
    place, flags = place if isinstance(place, tuple) else (place, [])
    try:
        p = subprocess.run(command + flags + [place], cwd=place if os.path.isdir(place) else os.path.dirname(place), stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        return Answer(-9, '', 'no answer in time')
    err = p.stderr.decode('utf-8', 'replace').replace(os.path.dirname(place), '')
    logged = re.search(r'"command failed" err="((?:[^"\\]|\\.)*)"', err)
    return Answer(p.returncode, p.stdout.decode('utf-8', 'replace'), json.loads('"' + logged[1] + '"') if logged else err)


def compare(files, target, options, thorough=True):
    root = os.path.realpath(tempfile.mkdtemp(prefix='diff-'))
    try:
        write(files, root)
        target, *flags = target.split(' ')
        place = (os.path.join(root, target), flags)
        ours = call(options.bin, place, options.timeout)
        if ours.status in CRASHES or ours.status < 0:
            return Verdict(CRASH, ours, Answer(0, '', ''))
        theirs = call(options.oracle, place, options.timeout)
        verdict = judge(ours, theirs)
        if verdict.kind in FAULTS:
            why = explained(ours, theirs, (lambda: call(options.oracle, place, options.timeout)) if thorough else lambda: theirs)
            if why:
                return Verdict(EXPLAINED, ours, theirs, why)
        return verdict
    finally:
        shutil.rmtree(root, ignore_errors=True)


def judge(ours, theirs):
    if ours.status and theirs.status:
        same = causes.same_cause(ours.err, theirs.err)
        return Verdict(BOTH_FAIL if same else OTHER_CAUSE, ours, theirs)
    if theirs.status:
        return Verdict(ONLY_OURS, ours, theirs)
    if ours.status:
        return Verdict(ONLY_THEIRS, ours, theirs)
    if ours.out != theirs.out:
        return Verdict(DIFFERS, ours, theirs)
    warns_same = causes.warnings(ours.err) == causes.warnings(theirs.err)
    return Verdict(SAME if warns_same else OTHER_WARNINGS, ours, theirs)


def explained(ours, theirs, again):
    """Why a difference is none of ours; None when it is. Whatever it excuses it excuses line by line."""
    if theirs.status == -9:
        return 'it did not answer'
    if 'cannot use both' in ours.err:
        return 'a path and a version of schemas are refused in every layer (D-E7)'
    if ours.status and 'config.kubernetes.io/function' in ours.err and 'external plugins disabled' in theirs.err:
        return 'what is wrong with a function is said before it is asked whether functions may run'
    if not ours.status and not theirs.status and without_unknown(ours, ours.out) == without_unknown(ours, theirs.out):
        return 'the hash of a name is said to be unknown (KZ125)'
    if ours.status and theirs.status and any(causes.same_cause(ours.err, again().err) for _ in range(12)):
        return 'Kustomize gives other reasons from run to run'
    runs = [theirs] + [again() for _ in range(3)]
    if len({(run.status, run.out) for run in runs}) > 1 and is_one_of(ours, runs):
        return 'Kustomize gives other answers from run to run'
    return None


def without_unknown(ours, text):
    """The output without the hashes of which kzui says that they may be others."""
    for name in re.findall(r'the hash in the name of \S+ (\S+) may be another', ours.err):
        text = re.sub(re.escape(name) + r'-[0-9a-z]{10}\b', name + '-H', text)
    return text


def is_one_of(ours, runs):
    """What all runs print alike stands here too, and nothing stands here that no run prints."""
    if any((run.status, run.out) == (ours.status, ours.out) for run in runs):
        return True
    built = [collections.Counter(run.out.splitlines()) for run in runs if not run.status]
    if ours.status or not built:
        return bool(ours.status) and any(run.status for run in runs)
    mine = collections.Counter(ours.out.splitlines())
    stable = built[0]
    for run in built[1:]:
        stable = stable & run
    every = built[0]
    for run in built[1:]:
        every = every | run
    return not stable - mine and not mine - every


def save(files, target, verdict, seed, options):
    """Writes a page as tests/cases has them."""
    os.makedirs(options.save, exist_ok=True)
    path = os.path.join(options.save, f'seed-{seed}.md')
    target, *flags = target.split(' ')
    words = f'like={options.like} target={target}' + (f' flags={",".join(flags)}' if flags else '')
    expect, blocks = words, []
    for name, text in sorted(files.items()):
        words = ''
        if isinstance(text, Link):
            blocks.append(f'```text link={name}\n{text}\n```\n')
            continue
        if isinstance(text, bytes):
            body, words = text.hex(' ') + '\n', ' as=hex'
        elif '\r\n' in text:
            body, words = text.replace('\r\n', '\n'), ' as=crlf'
        else:
            body = text
        if body and not body.endswith('\n'):
            body, words = body + '\n', words + ' newline=no'
        language = 'yaml' if 'ustomization' in name or name.endswith('.yaml') else 'text'
        blocks.append(f'```{language} file={name}{words}\n{body}```\n')
    if verdict.theirs.status:
        blocks.append(f'```text expect=error {expect}\n{verdict.theirs.innermost()}\n```\n')
    else:
        blocks.append(f'```yaml expect=output {expect}\n{verdict.theirs.out}```\n')
    with open(path, 'w') as f:
        f.write(f'# Found by the differential tester (seed {seed})\n\n{verdict.kind}\n\n' + '\n'.join(blocks))
    return path
