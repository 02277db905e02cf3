"""Makes a differing tree smaller while the difference stays."""
import re
import time

import verdicts


class Budget:
    def __init__(self, target, verdict, options):
        self.target, self.verdict, self.options = target, verdict, options
        self.end = time.monotonic() + options.shrink_seconds

    @property
    def left(self):
        return max(self.end - time.monotonic(), 0)

    def holds(self, files):
        if self.left <= 0:
            return False
        verdict = verdicts.compare(files, self.target, self.options)
        if verdict.kind != self.verdict.kind:
            return False
        if verdict.kind == verdicts.ONLY_THEIRS:
            return verdict.ours.innermost()[:25] == self.verdict.ours.innermost()[:25]
        if verdict.kind == verdicts.ONLY_OURS:
            return verdict.theirs.innermost()[:25] == self.verdict.theirs.innermost()[:25]
        return True


def shrink(files, target, verdict, options):
    budget = Budget(target, verdict, options)
    before = None
    while files != before and budget.left > 0:
        before = files
        files = without_entries(files, budget)
        files = without_documents(files, budget)
        files = without_lines(files, budget)
        files = without_files(files, budget)
    return files


def without_files(files, budget):
    for path in sorted(files):
        smaller = {k: v for k, v in files.items() if k != path}
        mentioned = any(path.rsplit('/', 1)[-1] in t for p, t in smaller.items() if isinstance(t, str))
        if 'ustomization' in path:
            mentioned = any(path.split('/')[0] in t for t in smaller.values() if isinstance(t, str)) or path.startswith(budget.target)
        if not mentioned:
            files = smaller
    return files


def blocks(text, top):
    """Ranges of lines that belong together: a line and what is indented below it, the largest first."""
    rows = text.split('\n')
    found = []
    for at, row in enumerate(rows):
        if not row.strip():
            continue
        depth = len(row) - len(row.lstrip())
        if top and depth > 0 and not row.startswith('- '):
            continue
        end = at + 1
        while end < len(rows):
            inner = rows[end]
            inner_depth = len(inner) - len(inner.lstrip())
            dash = inner.lstrip().startswith('- ') and inner_depth == depth and not row.lstrip().startswith('- ') and row.rstrip().endswith(':')
            if inner.strip() and inner_depth <= depth and not dash:
                break
            end += 1
        found.append((at, end))
    return sorted(found, key=lambda pair: pair[0] - pair[1])


def remove(files, path, at, end):
    rows = files[path].split('\n')
    return {**files, path: '\n'.join(rows[:at] + rows[end:])}


def without_entries(files, budget):
    """Whole fields and entries of kustomization files, the outermost layer first."""
    for path in sorted((p for p in files if 'ustomization' in p), key=lambda p: not p.startswith(budget.target)):
        files = without_blocks(files, path, budget, True)
    return files


def without_documents(files, budget):
    for path in [p for p, t in files.items() if isinstance(t, str) and '\n---\n' in t]:
        pieces = files[path].split('\n---\n')
        at = 0
        while at < len(pieces) and len(pieces) > 1:
            rest = pieces[:at] + pieces[at + 1:]
            smaller = {**files, path: '\n---\n'.join(rest)}
            if budget.holds(smaller):
                files, pieces = smaller, rest
            else:
                at += 1
    return files


def without_lines(files, budget):
    for path in sorted(p for p, t in files.items() if isinstance(t, str)):
        files = without_blocks(files, path, budget, False)
    return files


def without_blocks(files, path, budget, top):
    again = True
    while again and budget.left > 0:
        again = False
        skip = 0
        while True:
            candidates = blocks(files[path], top)
            if skip >= len(candidates) or budget.left <= 0:
                break
            at, end = candidates[skip]
            smaller = remove(files, path, at, end)
            row = files[path].split('\n')[at]
            if re.match(r'\s*(apiVersion|kind|metadata|name):', row) and end - at == 1 or not budget.holds(smaller):
                skip += 1
            else:
                files, again = smaller, True
    return files
