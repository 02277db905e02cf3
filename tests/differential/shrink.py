"""Makes a differing tree smaller while the difference stays: units of lines, the outermost first, in halves."""
import re
import time

import verdicts


class Budget:
    """Asks whether a smaller tree still differs in the same way, until the time is over."""

    def __init__(self, files, target, verdict, options):
        self.blank = blank(files)
        self.target, self.verdict, self.options = target, verdict, options
        self.end = time.monotonic() + options.shrink_seconds
        self.asked = {}

    @property
    def over(self):
        return time.monotonic() > self.end

    def holds(self, files):
        # A file without anything in it is another case than one with less in it.
        if self.over or blank(files) - self.blank:
            return False
        key = tuple(sorted(files.items()))
        if key not in self.asked:
            self.asked[key] = self.same(verdicts.compare(files, self.target, self.options, thorough=False))
        return self.asked[key]

    def same(self, verdict):
        if verdict.kind != self.verdict.kind:
            return False
        if verdict.kind == verdicts.ONLY_THEIRS:
            return verdict.ours.innermost()[:25] == self.verdict.ours.innermost()[:25]
        if verdict.kind == verdicts.OTHER_CAUSE:
            return verdict.theirs.innermost()[:25] == self.verdict.theirs.innermost()[:25]
        if verdict.kind == verdicts.OTHER_WARNINGS:
            return True
        if verdict.kind == verdicts.ONLY_OURS:
            return verdict.theirs.innermost()[:25] == self.verdict.theirs.innermost()[:25]
        return bool(verdict.changed_lines() & self.verdict.changed_lines())


def blank(files):
    return {path for path, text in files.items() if isinstance(text, str) and not text.strip()}


def shrink(files, target, verdict, options):
    budget = Budget(files, target, verdict, options)
    before = None
    while files != before and not budget.over:
        before = files
        files = fewer(files, documents, budget)
        for depth in range(12):
            files = fewer(files, lambda f: blocks(f, depth), budget)
        files = without_files(files, budget)
    return files


def fewer(files, units_of, budget):
    """Delta debugging over the units of one kind."""
    units = units_of(files)
    size = max(len(units) // 2, 1)
    while units and not budget.over:
        at, found = 0, False
        while at < len(units):
            smaller = without(files, units[at:at + size])
            if smaller != files and budget.holds(smaller):
                # Places move when lines go: units are found anew, and the search goes on where it was.
                files, found = smaller, True
                units = units_of(files)
            else:
                at += size
        if size == 1 and not found:
            break
        size = max(size // 2, 1)
        if size == 1 and found and len(units) == 1:
            break
    return files


def without(files, units):
    gone = {}
    for path, start, end in units:
        gone.setdefault(path, set()).update(range(start, end))
    out = dict(files)
    for path, lines in gone.items():
        out[path] = '\n'.join(row for at, row in enumerate(files[path].split('\n')) if at not in lines)
    return out


def texts(files):
    """The kustomization files first, those of the target before the others."""
    return sorted((p for p, t in files.items() if isinstance(t, str)), key=lambda p: ('ustomization' not in p, not p.startswith('top'), p))


def documents(files):
    units = []
    for path in texts(files):
        rows = files[path].split('\n')
        cuts = [at for at, row in enumerate(rows) if row == '---' and at]
        if cuts and 'ustomization' not in path:
            edges = [0] + [cut + 1 for cut in cuts] + [len(rows)]
            units += [(path, start, end) for start, end in zip(edges, edges[1:])]
    return units


def blocks(files, depth):
    """Lines of one nesting depth with what belongs to them."""
    units = []
    for path in texts(files):
        rows = files[path].split('\n')
        levels = nesting(rows)
        at = 0
        while at < len(rows):
            if levels[at] != depth:
                at += 1
                continue
            end = at + 1
            while end < len(rows) and (levels[end] is None or levels[end] > depth):
                end += 1
            needed = end == at + 1 and re.match(r'\s*(- )?(apiVersion|kind|metadata|name):', rows[at])
            if not needed:
                units.append((path, at, end))
            at = end
    return units


def nesting(rows):
    """How deep each line is; a list's dashes are below their key even when they stand in its column."""
    levels, stack = [], []
    for row in rows:
        body = row.lstrip()
        if not body or row == '---':
            levels.append(None if not body else -1)
            if body:
                stack = []
            continue
        column = (len(row) - len(body)) * 2 + body.startswith('- ')
        while stack and stack[-1] >= column:
            stack.pop()
        levels.append(len(stack))
        stack.append(column)
    return levels


def without_files(files, budget):
    for path in sorted(files):
        name = path.rsplit('/', 1)[-1] if 'ustomization' not in path else path.split('/')[0]
        others = {k: v for k, v in files.items() if k != path and (k.split('/')[0] != path.split('/')[0] or 'ustomization' not in path)}
        if path.startswith(budget.target + '/') and 'ustomization' in path:
            continue
        if not any(re.search(re.escape(name) + r'\b', t) for t in others.values() if isinstance(t, str)):
            files = {k: v for k, v in files.items() if k != path}
    return files
