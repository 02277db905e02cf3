"""Runs both programs on a tree and says what the difference means."""
import difflib
import json
import os
import re
import shutil
import subprocess
import tempfile

SAME, BOTH_FAIL, EXPLAINED = 'same', 'both fail', 'explained'
DIFFERS, ONLY_OURS, ONLY_THEIRS, CRASH = 'differs', 'builds here only', 'builds there only', 'crash'
FAULTS = {DIFFERS, ONLY_OURS, ONLY_THEIRS, CRASH}
CRASHES = {101, 132, 134, 139}

# What Kustomize v5.5.0 refuses, or does otherwise, and its master does not: section 12 of the build reference.
NEWER = [
    (re.compile(r'illegally qualifies as both an SM and JSON patch'), 'empty patch files are no error any more'),
    (re.compile(r'runtime error|panic:|goroutine \d+'), 'it crashed'),
    (re.compile(r'number of previous names'), 'it crashed'),
    (re.compile(r'must specify a target for JSON patch'), 'a patch without any document does nothing any more'),
    (re.compile(r'in replacement target: wrong node kind: expected \w+ but got ScalarNode'), 'data inside a scalar is written to now'),
]


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
        else:
            detail = re.sub(r'[0-9/"\'`].*', '', (self.ours if self.kind == ONLY_THEIRS else self.theirs).innermost())
        return self.kind, ','.join(sorted(fields)), detail


class Answer:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def innermost(self):
        text = [line for line in self.err.strip().splitlines() if not line.startswith('#')]
        return text[-1].split(': ')[-1] if text else ''


def write(files, place):
    for path, text in files.items():
        full = os.path.join(place, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, 'wb') as f:
            f.write(text if isinstance(text, bytes) else text.encode())


def call(command, place, timeout):
    environment = dict(os.environ, GOMAXPROCS='1', GOGC='400')
    try:
        p = subprocess.run(command + [place], cwd=place, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        return Answer(-9, '', 'no answer in time')
    err = p.stderr.decode('utf-8', 'replace').replace(os.path.dirname(place), '')
    logged = re.search(r'"command failed" err="((?:[^"\\]|\\.)*)"', err)
    return Answer(p.returncode, p.stdout.decode('utf-8', 'replace'), json.loads('"' + logged[1] + '"') if logged else err)


def compare(files, target, options, thorough=True):
    root = os.path.realpath(tempfile.mkdtemp(prefix='diff-'))
    try:
        write(files, root)
        place = os.path.join(root, target)
        ours = call(options.bin, place, options.timeout)
        if ours.status in CRASHES or ours.status < 0:
            return Verdict(CRASH, ours, Answer(0, '', ''))
        theirs = call(options.oracle, place, options.timeout)
        verdict = judge(ours, theirs)
        if verdict.kind in FAULTS:
            why = explained(files, ours, theirs, (lambda: call(options.oracle, place, options.timeout)) if thorough else lambda: theirs)
            if why:
                return Verdict(EXPLAINED, ours, theirs, why)
        return verdict
    finally:
        shutil.rmtree(root, ignore_errors=True)


def judge(ours, theirs):
    if ours.status and theirs.status:
        return Verdict(BOTH_FAIL, ours, theirs)
    if theirs.status:
        return Verdict(ONLY_OURS, ours, theirs)
    if ours.status:
        return Verdict(ONLY_THEIRS, ours, theirs)
    return Verdict(SAME if ours.out == theirs.out else DIFFERS, ours, theirs)


def explained(files, ours, theirs, again):
    """Why a difference is none of ours; None when it is."""
    if theirs.status == -9:
        return 'it did not answer'
    if theirs.status and not ours.status:
        for pattern, why in NEWER:
            if pattern.search(theirs.err):
                return why
    texts = '\n'.join(t for t in files.values() if isinstance(t, str))
    if 'volumeClaimTemplates' in texts and 'includeTemplates' in texts:
        return 'volumeClaimTemplates get an option of their own'
    if 'image/reference' in ours.err and not theirs.status:
        return 'images of volumes are looked at now'
    if 'images' in texts and only_empties_volumes(ours, theirs):
        return 'images of volumes are looked at now'
    if 'ValidatingAdmissionPolicy' in texts:
        return 'it is cluster-scoped now'
    if 'legacySortOptions' in texts and only_orders_namespaces(ours, theirs):
        return 'Namespaces of two groups have no order there'
    outputs = [again() for _ in range(2)]
    if any((o.status, o.out) != (theirs.status, theirs.out) for o in outputs):
        return 'Kustomize gives other answers from run to run'
    return None


def only_empties_volumes(ours, theirs):
    """Both built, and wherever they differ, `volumes: null` there is `volumes: []` here."""
    if ours.status or theirs.status:
        return False
    lines, others = ours.out.splitlines(), theirs.out.splitlines()
    pairs = [pair for pair in zip(lines, others) if pair[0] != pair[1]]
    return len(lines) == len(others) and bool(pairs) and all(
        there.strip() == 'volumes: null' and here == there.replace('null', '[]') for here, there in pairs)


def only_orders_namespaces(ours, theirs):
    """Both built the same, in another order, of more than twelve with Namespaces of the core group and of another: Kustomize
    compares those two otherwise than what stands between them, so that its order comes from how Go sorts."""
    documents = [sorted(answer.out.removesuffix('\n').split('\n---\n')) for answer in (ours, theirs)]
    groups = {re.search(r'^apiVersion: (v1$)?', text, re.M)[1] for text in documents[0] if re.search(r'^kind: Namespace$', text, re.M)}
    return documents[0] == documents[1] and len(documents[0]) > 12 and len(groups) > 1


def save(files, target, verdict, seed, options):
    """Writes a page as tests/cases has them."""
    os.makedirs(options.save, exist_ok=True)
    path = os.path.join(options.save, f'seed-{seed}.md')
    blocks = []
    for name, text in sorted(files.items()):
        words = ''
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
        blocks.append(f'```text expect=error target={target}\n{verdict.theirs.innermost()}\n```\n')
    else:
        blocks.append(f'```yaml expect=output target={target}\n{verdict.theirs.out}```\n')
    with open(path, 'w') as f:
        f.write(f'# Found by the differential tester (seed {seed})\n\n{verdict.kind}\n\n' + '\n'.join(blocks))
    return path
