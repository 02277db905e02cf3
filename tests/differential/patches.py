"""Patches for a known resource: strategic ones that overlap it, JSON 6902 ones whose paths exist."""
import copy

from resources import bare, pod_spec, some, template
from scalars import nasty, tree
from text import Raw, plain

WORKLOADS = {'Deployment', 'StatefulSet', 'DaemonSet', 'Job'}


def directive(rng, value, depth=0):
    """Sprinkles directives, nulls and missing keys over a patch."""
    if isinstance(value, dict):
        for name in list(value):
            if name in ('apiVersion', 'kind', 'metadata') and depth == 0:
                continue
            if rng.random() < 0.04:
                value[name] = rng.choice([None, Raw('~'), Raw('')])
            else:
                value[name] = directive(rng, value[name], depth + 1)
        if depth > 1 and rng.random() < 0.05:
            value['$patch'] = rng.choice(['delete', 'replace', 'merge'])
        if depth > 2 and rng.random() < 0.03 and 'name' in value:
            del value['name']
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        value[:] = [directive(rng, item, depth + 1) for item in value]
        if rng.random() < 0.12:
            item = rng.choice([inner for inner in value if isinstance(inner, dict)] or [{}])
            item['$patch'] = rng.choice(['delete', 'delete', 'replace', 'merge'])
        if rng.random() < 0.04:
            value.insert(rng.randrange(len(value) + 1), {'$patch': rng.choice(['replace', 'delete', 'merge'])})
    return value


def vary(rng, value, depth=0):
    """A partial, changed copy: what a patch of this value looks like."""
    if isinstance(value, dict):
        out = {}
        for name, inner in value.items():
            if name in ('name', 'containerPort', 'port', 'mountPath') or rng.random() < 0.6:
                out[name] = vary(rng, inner, depth + 1)
        if rng.random() < 0.2:
            added = rng.choice(['added', 'k', 'image', 'z'])
            if not isinstance(value.get(added), (dict, list)):
                out[added] = nasty(rng)
        return out
    if isinstance(value, list):
        kept = [vary(rng, item, depth + 1) for item in value if rng.random() < 0.7]
        if rng.random() < 0.3:
            rng.shuffle(kept)
        return kept
    return value if rng.random() < 0.5 or depth < 2 else nasty(rng) if rng.random() < 0.4 else rng.choice(['new', 5, Raw('"5"'), True])


def strategic(rng, known):
    """A strategic merge patch of a known resource, as a document."""
    body = known['body']
    patch = {'apiVersion': body['apiVersion'], 'kind': body['kind'], 'metadata': {'name': bare(known['name'])}}
    if known['namespace'] and rng.random() < 0.95:
        patch['metadata']['namespace'] = bare(known['namespace'])
    if rng.random() < 0.15:
        patch['metadata'][rng.choice(['labels', 'annotations'])] = rng.choice([{'p': 'v'}, {'app': None}, {'n': Raw('"1"')}, None])
    if rng.random() < 0.04:
        what = rng.choice(['delete', 'delete', 'replace', 'merge'])
        known['gone'] = known.get('gone') or what == 'delete'
        return {'$patch': what, **patch}
    known['touched'] = True
    rest = {k: copy.deepcopy(v) for k, v in body.items() if k not in ('apiVersion', 'kind', 'metadata')}
    patch.update(vary(rng, rest))
    spec = patch.get('spec')
    if body['kind'] in WORKLOADS and isinstance(spec, dict) and rng.random() < 0.6:
        fresh = {'spec': pod_spec(rng, distinct=rng.random() < 0.9)} if rng.random() < 0.7 else template(rng)
        spec['template'] = fresh if rng.random() < 0.5 else vary(rng, fresh)
    if body['kind'] == 'ConfigMap' and rng.random() < 0.6:
        patch['data'] = {'k': nasty(rng), 'p': 'patched'}
    return directive(rng, patch)


def pointers(value, at=''):
    yield at, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from pointers(inner, at + '/' + str(name).replace('~', '~0').replace('/', '~1'))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from pointers(inner, f'{at}/{place}')


def anywhere(rng):
    """Operations that fit any resource."""
    return [{'op': 'add', 'path': rng.choice(['/metadata/labels', '/metadata/annotations', '/added']), 'value': rng.choice([{'a': 'b'}, {'n': Raw('"1"')}, {}])}]


def operations(rng, known, exact=True):
    """A JSON 6902 patch whose paths mostly exist."""
    if not exact and rng.random() < 0.95:
        return anywhere(rng)
    body = {k: v for k, v in known['body'].items() if k not in ('apiVersion', 'kind')}
    places = [(at, value) for at, value in pointers(body) if at.count('/') > 1 and at not in ('/metadata/name', '/metadata/namespace')]
    out = []
    for _ in range(rng.randint(1, 3)):
        at, value = rng.choice(places) if places else ('/metadata/labels', {})
        pick = rng.random()
        known['touched'] = True
        new = tree(rng, 1) if rng.random() < 0.6 else rng.choice(['x', 1, True, None, Raw('yes'), Raw('0644'), Raw('2020-01-01')])
        if isinstance(value, list) and pick < 0.5:
            if value and isinstance(value[0], dict) and rng.random() < 0.9:
                new = vary(rng, rng.choice(value), 2)
            out.append({'op': 'add', 'path': at + rng.choice(['/-', '/0', f'/{len(value)}'] + (['/-1'] if value else [])), 'value': new})
            # What stands behind it has another place now.
            break
        elif pick < 0.45:
            # A field that others look into stays what it is, mostly.
            if isinstance(value, (dict, list)) and rng.random() < 0.9:
                new = vary(rng, value, 2)
            out.append({'op': 'replace', 'path': at, 'value': new})
            break
        elif pick < 0.55:
            out.append({'op': 'remove', 'path': at})
            break
        elif pick < 0.62:
            out.append({'op': 'copy', 'from': at, 'path': '/metadata/' + rng.choice(['copied', 'labels'] if isinstance(value, dict) else ['copied'])})
        elif pick < 0.66:
            out.append({'op': 'move', 'from': at, 'path': '/moved'})
            break
        elif pick < 0.7 and plain(value):
            out.append({'op': 'test', 'path': at, 'value': copy.deepcopy(value)})
            break
        elif pick < 0.8 and isinstance(value, dict):
            out.append({'op': 'add', 'path': at + '/' + rng.choice(['new', 'a~1b', 'k']), 'value': new})
        elif pick < 0.84:
            out.append({'op': 'replace', 'path': '/metadata/name', 'value': rng.choice(['renamed', 'web'])})
        else:
            out.append({'op': 'add', 'path': rng.choice(['/added', '/metadata/labels', '/metadata/annotations'] + ['/spec/added'] * isinstance(body.get('spec'), dict)),
                        'value': rng.choice([{'a': 'b'}, {'n': Raw('"1"')}, {}]) if rng.random() < 0.97 else new})
    return out


def target(rng, known):
    """A selector that mostly selects the known resource."""
    kind, name = known['body']['kind'], bare(known['name'])
    pick = rng.random()
    if pick < 0.5:
        return {'kind': kind, 'name': name}
    if pick < 0.6:
        return {'kind': kind}
    if pick < 0.7:
        return {'kind': rng.choice([kind, '.*', f'{kind}|Pod']), 'name': rng.choice([name[:1] + '.*', f'{name}|zz', name + '$'])}
    if pick < 0.8:
        return {'kind': kind, 'labelSelector': rng.choice(['app=web', 'app in (web, api)', '!tier', 'app', 'app!=web', 'tier notin (front)', 'app==api,tier'])}
    if pick < 0.86:
        return {'kind': kind, 'annotationSelector': rng.choice(['note', '!note', 'z=b'])}
    if pick < 0.93:
        return {'kind': kind, 'namespace': rng.choice(['default', 'blue', '_non_namespaceable_', '.*e.*'])}
    if pick < 0.94:
        return rng.choice([{'version': 'v1', 'kind': kind}, {'group': '.*', 'kind': kind}, {'group': 'apps|batch', 'kind': kind}, {'name': name}])
    version = known['body']['apiVersion']
    group, _, number = version.rpartition('/')
    return {**({'group': group} if group else {}), 'version': number, 'kind': kind, 'name': name}


def some_targets(rng, resources):
    return [target(rng, rng.choice(resources)) for _ in some(rng, 1, 2, lambda: 0)]
