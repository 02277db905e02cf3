"""Scalars that decide whether a reader and a printer agree with go-yaml's."""
from text import Block, Raw

PLAIN = '''0644 010 08 0o644 0o8 0x1F 0b11 0b12 +12 +.5 1. -0 -0.0 1e3 1E5 1e20 1e21 1e400 18446744073709551615
18446744073709551616 123456789.5 1234567.5 999999.5 0.000001 1e-5 0.00001234 1.0 3.0e2 1_000 1__0 0x_1 9007199254740993
-9223372036854775808 -9223372036854775809 yes no on off y N Yes true True TRUE ~ null Null nULL 2021-01-01 2020-1-1
2001-12-14t21:59:43.10-05:00 10:20 190:20:30.15 1:2 = <<x .5 -.5 . .. ... -a ?a :a a:b a#b 1a 1.2.3 v1 0 -1 00 0. 0.0 1e1
12e03 1.5E+10 1e+2 .1e1 0x 0b 0o 0xg -0x1F +0x1F -0b1 -0o7 0.1 100000 1000000 10000000.5 1e6 1e15 123456.7 12345678.9
_ _1 1_ 1_2 1_2.3 !!str !!str_1 *bad'''.replace('!!str !!str_1 *bad', '').split()
TAGGED = ['!!str 123', '!!int "5"', '!!float 1', '!!binary aGVsbG8=', '!!str', '!!str true', '!foo bar', '!!float "1.5"']
QUOTED = ['""', '"true"', '"null"', '"12"', '"1e3"', '"0x1"', '"2020-01-01"', '"a: b"', '"a #b"', '"# a"', "'it''s'", '"a\\tb"',
          '" a"', '"a "', '"a\\nb"', '"a\\nb\\n"', '"\\n"', '"\\na"', '"a \\nb"', '"a\\n b"', '"é ☃"', '"😀"', '"\\u0085x"',
          '"a\\u2028b"', '"---"', '"- a"', '"[a]"', '"{a"', '"*a"', '"&a"', '"!a"', '"|"', '">"', '"%a"', '"@a"', '"`a"', '"a:"',
          '":"', '"?"', '"? a"', '"-"', '"a,b"', '"\\ufeffa"', '"\\e[0m"', '"\\r\\n"', '"a\\r\\nb"', '"\\u200b"', '"\\x00"', '"~"',
          '"<<"', '"y"', '"n"', '"off"', '"1:2"', '"0o7"', '".inf"', '"1_0"', '"\\\\"', "'\"'", '"a\\\\nb"']
WORDS = ['alpha', 'beta', 'x', 'long-word', 'colon:', '#hash', '- dash', 'ümlaut', '"q"', "'", '{', 'key: value', '123', 'tab\there']


def text(rng, most=12):
    return ' '.join(rng.choice(WORDS[:9] + ['a', 'bb', 'ccc']) for _ in range(rng.randint(1, most)))


def double_quoted(rng):
    alphabet = 'abc xyz01:#-\'"\\{}[],&*!|>%@`~=<./é☃😀\u00a0'
    out = ''.join(rng.choice(alphabet) for _ in range(rng.choice([1, 3, 8, 30, 120])))
    out = out.replace('\\', '\\\\').replace('"', '\\"')
    if rng.random() < 0.4:
        out = out.replace(':', rng.choice(['\\n', '\\n\\n', '\\t', ' \\n', '\\n ']))
    return Raw(f'"{out}"')


def plain_digits(rng):
    out = ''.join(rng.choice('0123456789.eE+-_xobafn:T') for _ in range(rng.randint(1, 8)))
    if out[0] in '-:' and (len(out) == 1) or out.endswith(':') or out in ('-', '.', '---', '...'):
        return Raw('1' + out.rstrip(':'))
    return Raw(out)


def block(rng):
    header = rng.choice(['|', '|', '>', '|-', '>-', '|+', '>+'])
    count = rng.randint(1, 5)
    body = []
    for at in range(count):
        line = rng.choice(['', text(rng, 4), text(rng, 25), '  ' + text(rng, 3), '# not a comment', '- item', 'k: v', 'end '])
        if at == 0:
            line = line.lstrip() or 'first'
        body.append(line)
    if header.endswith('+'):
        body += [''] * rng.randint(0, 2)
    return Block('\n'.join([header] + body))


def nasty(rng):
    """Any scalar, with a bias for those that break things."""
    pick = rng.random()
    if pick < 0.3:
        return Raw(rng.choice(PLAIN))
    if pick < 0.36:
        return Raw(rng.choice(TAGGED))
    if pick < 0.56:
        return Raw(rng.choice(QUOTED))
    if pick < 0.66:
        return plain_digits(rng)
    if pick < 0.76:
        return double_quoted(rng)
    if pick < 0.88:
        return block(rng)
    return Raw('"' + text(rng, 40).replace('"', '') + '"') if rng.random() < 0.5 else text(rng, 40).replace('"', '')


KEYS = ['a', 'b', 'A', 'aB', 'ab', 'a-1', 'a.b', 'a/b', '_x', 'k: v', '#h', 'é', 'a b', 'z', 'config.yaml', 'app.properties']


def some_key(rng):
    return rng.choice(KEYS)


def tree(rng, depth=3):
    """Any value: for kinds without schema."""
    pick = rng.random()
    if depth == 0 or pick < 0.5:
        return nasty(rng)
    if pick < 0.75:
        return {some_key(rng): tree(rng, depth - 1) for _ in range(rng.randint(0, 4))}
    return [tree(rng, depth - 1) for _ in range(rng.randint(0, 3))]
