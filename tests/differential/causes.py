"""Whether two programs failed for the same reason, and warned of the same things."""
import re

# A crash has no reason, nor has a program that ends itself while it prints one.
DUMP = re.compile(r'goroutine \d+|panic: |runtime error|^[IWEF]\d{4} .* log\.go:\d+\]', re.M)
# A character that is shown by its number.
NUMBERED = re.compile(r'\\u\{?([0-9a-fA-F]{4})\}?')
# What stands between the reasons of a chain, or around an object that is printed whole.
BETWEEN = re.compile(r"""--- possible referral|\n--- |, matches \[|node contents:|\[?\{\\*"|kunstruct not equal|: |err='|err=|'\n|`\n?""")
# Parts of a chain that say where, not why.
WHERE = re.compile(r'^(accumulat|recursed|must build at directory|.* is not directory|.*expected file|trouble configuring|merging from generator|error$|.*updating name reference|considering field|visit traversal|loading|invalid Kustomization$)')
# Words of kzui in the place of Kustomize's: theirs, and what stands here instead.
OTHER_WORDS = [
    (r'wrong node kind', r'wrong node kind'),
    (r'cannot unmarshal', r'cannot unmarshal'),
    (r'yaml: (unmarshal errors|line \d+)', r'yaml: |already defined|mapping'),
    (r'already registered id', r'already registered id'),
    (r'does not exist; cannot merge or replace', r'does not exist; cannot merge or replace'),
    (r'unsupported map key', r'unsupported map key'),
    # Kustomize prints the address of what it found.
    (r'is expected to be either a string or a map', r'is expected to be either a string or a map'),
    # A null key: what is said of it depends on what was done to the mapping before.
    (r'unsupported type: map\[interface \{\}\]interface', r'mapping key "(~|null|)" already defined'),
    # The newest releases also say which behavior it was.
    (r'exists; behavior must be merge or replace', r'behavior must be merge or replace'),
]


def flat(text):
    text = NUMBERED.sub(lambda found: chr(int(found[1], 16)), text)
    return re.sub(r'[\s|"\'`\\]+', ' ', text).strip()


def reasons(text):
    """The parts of a chain of reasons that say why, the innermost first."""
    # kubectl closes a message of several lines with a bracket.
    lines = [line for line in text.strip().splitlines() if not re.match(r'#|[IWE]\d{4} |\s*>$', line)]
    parts = [flat(part) for part in BETWEEN.split('\n'.join(lines))]
    return [part for part in reversed(parts) if len(re.findall(r'[A-Za-z]{3,}', part)) > 1 and not WHERE.match(part)]


def innermost(text):
    found = reasons(text)
    return found[0] if found else ''


def same_cause(ours, theirs):
    """Both failed: for the same reason? The words of one part of Kustomize's chain stand in what kzui says."""
    if DUMP.search(theirs):
        return True
    said = flat(ours)
    mine = set(re.findall(r'[A-Za-z]{3,}', said))
    for reason in reasons(theirs):
        words = re.findall(r'[A-Za-z]{3,}', reason)
        if reason in said or len(words) > 3 and sum(word in mine for word in words) >= 0.75 * len(words):
            return True
    return any(re.search(there, theirs) and re.search(here, ours) for there, here in OTHER_WORDS)


# What a log writes before a line: Go's own, and that of kubectl.
LOGGED = re.compile(r'^(?:[IWEF]\d{4} \S+ +\d+ \S+\] |\d{4}/\d\d/\d\d \d\d:\d\d:\d\d )')
UNUSED_VARS = 'well-defined vars that were never replaced: '


def warnings(text):
    """Every line on standard error without the prefix of a log, and without repetitions."""
    return sorted({comparable(LOGGED.sub('', line).strip()) for line in text.splitlines()} - {''})


def comparable(line):
    """Kustomize lists unused vars in the random order of a Go map."""
    if line.startswith(UNUSED_VARS):
        return UNUSED_VARS + ','.join(sorted(line[len(UNUSED_VARS):].split(',')))
    return line
