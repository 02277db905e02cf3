"""YAML text with the styles people use: values in, lines out."""
import json
import re


class Raw(str):
    """A scalar exactly as it shall stand in the file."""


class Block(str):
    """A block scalar: its header in the first line, then its lines, without indentation."""


SIMPLE = re.compile(r'^[A-Za-z][A-Za-z0-9_./-]*$')
COMMENTS = ['# a comment', '#', '', '  # further in', '# {"a": b}', "# it's"]
NOTES = [' # note', '  #', ' # a: b', '\t# tab', ' ']
MERGED = '{"type":"array","x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"name","items":{"type":"object"}}'
WORDS = {'y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'}


def scalar(value):
    if isinstance(value, Raw):
        return str(value)
    if value is None:
        return 'null'
    if value is True or value is False:
        return 'true' if value else 'false'
    if isinstance(value, (int, float)):
        return str(value)
    if SIMPLE.match(value) and value.lower() not in WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)


def key(name):
    name = str(name)
    if (SIMPLE.match(name) or name.startswith('$')) and name.lower() not in WORDS and ' ' not in name:
        return name
    return json.dumps(name, ensure_ascii=False)


def flow(value):
    if isinstance(value, dict):
        return '{' + ', '.join(f'{key(k)}: {flow(v)}' for k, v in value.items()) + '}'
    if isinstance(value, list):
        return '[' + ', '.join(flow(v) for v in value) + ']'
    return scalar(value)


def can_flow(value):
    if isinstance(value, dict):
        return all(can_flow(v) for v in value.values())
    if isinstance(value, list):
        return all(can_flow(v) for v in value)
    if isinstance(value, Block):
        return False
    return not isinstance(value, Raw) or value[:1] in '"\'' or not re.search(r'[,\[\]{}]|^$|[?:-]$|^[!?:]', value)


def small(value):
    return len(str(value)) < 60


def lines(value, rng, indented=False):
    """The lines of a block node at column 0."""
    if isinstance(value, dict) and value:
        out = []
        for name, inner in merged(value, rng):
            if rng.random() < rng.spice * 0.15:
                out.append(rng.choice(COMMENTS))
            if name == '<<':
                out.append(f'<<: {inner}')
            elif rng.random() < rng.spice * 0.05:
                out += ['? ' + key(name)] + entry(':', inner, rng, 2, indented)
            else:
                rows = entry(key(name) + ':', inner, rng, 0 if isinstance(inner, list) and not indented else 2, indented)
                # A comment may hold a schema.
                rows[0] += ' # ' + MERGED if rows[0] == 'items:' and rng.random() < 0.05 else ''
                out += rows
        return out
    if isinstance(value, list) and value:
        out = []
        for inner in value:
            if rng.random() < rng.spice * 0.1:
                out.append(rng.choice(COMMENTS))
            body = inner
            if isinstance(body, (dict, list)) and body and not (can_flow(body) and small(body) and rng.random() < 0.3):
                inner_lines = lines(body, rng, indented)
                out += ['- ' + inner_lines[0]] + ['  ' + line if line else '' for line in inner_lines[1:]]
            else:
                out += entry('-', body, rng, 2, indented)
        return out
    return [flow(value)]


def merged(mapping, rng):
    """The entries of a mapping; sometimes some of them under a merge key."""
    entries = list(mapping.items())
    if len(entries) < 2 or not can_flow(mapping) or rng.random() > rng.spice * 0.1:
        return entries
    at = rng.randrange(1, len(entries))
    return [('<<', flow(dict(entries[:at])))] + entries[at:] if rng.random() < 0.7 else entries[at:] + [('<<', flow(dict(entries[:at])))]


def entry(head, inner, rng, indent, indented):
    note = rng.choice(NOTES) if rng.random() < rng.spice * 0.15 else ''
    if head.endswith('-') and '\t' in note:
        note = ' # note'
    if isinstance(inner, Block):
        header, *rest = str(inner).split('\n')
        return [f'{head} {header}{note}'] + [' ' * 2 + line if line else '' for line in rest]
    if isinstance(inner, (dict, list)) and inner:
        if can_flow(inner) and small(inner) and rng.random() < 0.25:
            text = flow(inner)
            if rng.random() < rng.spice * 0.3:
                text = text.replace(', ', ',\n' + ' ' * rng.choice([2, 4]), 1) if '"' not in text and "'" not in text else text
            return (f'{head} {anchored(inner, rng)}{text}{note}').split('\n')
        name = anchored(inner, rng)
        if name.startswith('*'):
            return [f'{head} {name}'.rstrip()]
        tag = rng.choice(['', '!!map ' if isinstance(inner, dict) else '!!seq ']) if rng.random() < rng.spice * 0.05 else ''
        start = f'{head} {name}{tag}'.rstrip()
        return [start + note] + [' ' * indent + line if line else '' for line in lines(inner, rng, indented)]
    if isinstance(inner, (dict, list)):
        return [f'{head} {flow(inner)}{note}']
    name = '' if isinstance(inner, Raw) and inner[:1] in '!&*' else anchored(inner, rng)
    text = name if name.startswith('*') else name + scalar(inner)
    return [f'{head} {text}'.rstrip() + note]


def anchored(value, rng):
    """An anchor for a value, or an alias for one that was there before; mostly neither."""
    known = rng.anchors
    if known is None:
        return ''
    written = repr(value)
    if written in known and rng.random() < 0.6 and isinstance(value, (str, bool, int)):
        return '*' + known[written]
    if rng.random() < 0.1 and len(known) < 4 and written not in known and isinstance(value, (str, bool, int)):
        known[written] = f'x{len(known)}'
        return f'&{known[written]} '
    return ''


def inline(value, rng, header='|-'):
    """A document as a block scalar. Its first line says how far it is indented, so that it cannot be further in."""
    return inline_text(document(value, rng), header)


def inline_text(text, header):
    rows = text.rstrip('\n').split('\n')
    return Block('\n'.join([header, rows[0].lstrip()] + rows[1:]))


def document(value, rng):
    """A document; sometimes JSON, sometimes with indented lists, sometimes with comments."""
    rng.spice = 1 if rng.random() < 0.15 else 0
    rng.anchors = {} if rng.random() < 0.05 else None
    if rng.random() < 0.03 and plain(value):
        return json.dumps(value, indent=rng.choice([None, 2])) + '\n'
    out = lines(value, rng, rng.random() < 0.3)
    if rng.random() < 0.1 and len(out) > 2:
        out.insert(rng.randrange(1, 2), '# a comment')
    return '\n'.join(out) + '\n'


def plain(value):
    if isinstance(value, dict):
        return all(plain(v) for v in value.values())
    if isinstance(value, list):
        return all(plain(v) for v in value)
    return not isinstance(value, (Raw, Block))
