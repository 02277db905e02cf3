"""Changes the value that stands at a place of a file: a text gets another, a number another, a boolean the other."""
import re

INTEGER = re.compile(r'[-+]?\d+$')
FLOAT = re.compile(r'[-+]?\d+\.\d+$')
BOOLEANS = {'true': 'false', 'false': 'true', 'True': 'False', 'False': 'True', 'yes': 'no', 'no': 'yes', 'on': 'off', 'off': 'on'}


class Change:
    """What was put into a line, and how to know it again."""

    def __init__(self, line, before, after, mark, number):
        self.line, self.before, self.after = line, before, after
        self.mark, self.number = mark, number

    def shows_in(self, was, now):
        """True when a value of the output is what the change makes of it."""
        if not isinstance(now, str) or not isinstance(was, str):
            return False
        if self.mark and self.mark in now:
            return True
        if self.after in BOOLEANS:
            return BOOLEANS.get(was) == now
        return self.number is not None and now != was and self.after in now


def lines_of(data):
    return data.decode('utf-8', 'surrogateescape').split('\n')


def change(lines, line, column, number, value, part=False, at_front=False):
    """Changes the value at a line and column, counted from 1; `number` tells changes of one build apart. Nothing when no value
    stands there that can be changed. `value` is what the output
    has; of a `part` of it whose end is not in it, the beginning is changed; `at_front` changes the beginning in any case."""
    if not 1 <= line <= len(lines):
        return None
    text, ending = (lines[line - 1][:-1], '\r') if lines[line - 1].endswith('\r') else (lines[line - 1], '')
    start = max(column - 1, 0)
    while True:
        skipped = re.match(r'(\s+|- (?=\S)|[&!][^\s]+\s+)', text[start:])
        if not skipped or not skipped.group(0):
            break
        start += skipped.end()
    rest = text[start:]
    mark = f'kz{number}q'
    if rest[:1] in ('|', '>') and re.match(r'[|>][-+0-9]*\s*(#.*)?$', rest):
        below = line
        while below < len(lines) and not lines[below].strip():
            below += 1
        if below >= len(lines):
            return None
        return put(lines, below + 1, lines[below].rstrip('\r') + mark, '\r' if lines[below].endswith('\r') else '', mark, None)
    if column <= 1 and isinstance(value, str) and '\n' in value and text in value:
        return put(lines, line, text + mark, ending, mark, None)
    if rest[:1] in ('{', '['):
        if not re.match(r'(\{\s*\}|\[\s*\])', rest):
            return None
        inner = f'{{{mark}: x}}' if rest[0] == '{' else f'[{mark}]'
        close = rest.index('}' if rest[0] == '{' else ']')
        return put(lines, line, text[:start] + inner + rest[close + 1:], ending, mark, None)
    if rest[:1] in ('"', "'"):
        if at_front:
            return put(lines, line, text[:start + 1] + mark + rest[1:], ending, mark, None)
        quote, end = rest[0], 1
        while end < len(rest) and rest[end] != quote:
            end += 2 if quote == '"' and rest[end] == '\\' else 1
        return put(lines, line, text[:start + end] + mark + rest[end:], ending, mark, None)
    if not rest and value in ('null', ''):
        return put(lines, line, text.rstrip() + ' ' + mark, ending, mark, None)
    if rest[:1] in ('*', ''):
        return None
    token = plain(text, start)
    if not token:
        return None
    if at_front:
        return put(lines, line, text[:start] + mark + rest, ending, mark, None)
    if part and isinstance(value, str) and token not in value:
        # Only what it begins or ends with is in the value: a name whose tag is another's, a host with another's first part.
        first, last = shared(token, value), shared(token[::-1], value[::-1])
        if last > first:
            return put(lines, line, text[:start] + token + mark + rest[len(token):], ending, mark, None)
        return put(lines, line, text[:start] + mark + text[start:], ending, mark, None)
    after, tail = other(token, mark, number), rest[len(token):]
    is_text = mark in after
    return put(lines, line, text[:start] + after + tail, ending, mark if is_text else '', None if is_text else number, after)


def shared(one, other):
    """How many signs two texts begin with alike."""
    return next((index for index, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def put(lines, line, text, ending, mark, number, after=''):
    before = lines[line - 1]
    lines[line - 1] = text + ending
    return Change(line, before, after or mark, mark, number)


def plain(text, start):
    """The plain scalar that begins there: to a comment, or in brackets to what ends it."""
    rest = text[start:]
    depth, quote = 0, None
    for index, character in enumerate(text[:start]):
        if quote:
            quote = None if character == quote else quote
        elif character in '"\'' and (index == 0 or text[index - 1] in ' [{,:-'):
            quote = character
        elif character in '{[':
            depth += 1
        elif character in '}]':
            depth -= 1
    rest = re.split(r'\s+#', rest)[0]
    if depth > 0:
        rest = re.split(r'[,\]}]', rest)[0]
    if rest.rstrip().endswith(',') and re.match(r'\s*"', text):
        rest = rest.rstrip()[:-1]
    return rest.rstrip()


def other(token, mark, number):
    if token in BOOLEANS:
        return BOOLEANS[token]
    if token in ('null', '~'):
        return mark
    if INTEGER.match(token):
        digits = token.lstrip('+-')
        if len(digits) > 1 and digits[0] == '0':
            return token[:-1] + str((int(token[-1]) + 1) % 8)
        return str(int(token) + number)
    if FLOAT.match(token):
        whole, _, part = token.partition('.')
        return f'{int(whole) + number}.{part}'
    return token + mark
