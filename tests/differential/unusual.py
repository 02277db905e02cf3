"""Spellings and fields that people seldom use: validators, names in other cases, paths that go around, operations as JSON."""
import json

from scalars import KEYS
from text import Raw, plain

CASES = [str.upper, str.lower, lambda name: name[:1].upper() + name[1:]]


def few(tree, k, directory, write):
    """What hardly any kustomization file has."""
    rng = tree.rng
    if rng.random() < 0.02:
        k['metadata'] = rng.choice([{'name': 'layer'}, {'name': 'layer', 'namespace': 'blue', 'labels': {'a': 'b'}}])
    if rng.random() < 0.03:
        k['validators'] = [write(validator(tree, k))]
    for name in ('resources', 'components', 'configurations', 'crds', 'transformers'):
        if rng.random() < 0.04:
            k[name] = [around(rng, directory, entry) for entry in k.get(name, [])]


def around(rng, directory, entry):
    """A path that leads to the same place."""
    if not isinstance(entry, str) or '\n' in entry:
        return entry
    if entry.startswith('..'):
        return rng.choice([entry + '/', entry + '/.', './' + entry, f'../{directory}/{entry}'])
    return rng.choice(['./' + entry, f'../{directory}/{entry}', 'nowhere/../' + entry if rng.random() < 0.1 else entry])


def validator(tree, k):
    """A validator that has mostly nothing to complain of."""
    rng = tree.rng
    spec = lambda path, **more: [{'path': path, **more}]
    labels = [entry['pairs'] for entry in k.get('labels', [])] + [k.get('commonLabels', {'app': 'web'})]
    counts = k.get('replicas')
    kind, fields = rng.choice([
        ('LabelTransformer', {'labels': {'validated-by': 'me'}, 'fieldSpecs': spec('metadata/labels', create=True)}),
        ('LabelTransformer', {'labels': rng.choice(labels or [{'app': 'web'}]), 'fieldSpecs': spec('metadata/labels', kind='Deployment')}),
        ('AnnotationsTransformer', {'annotations': k.get('commonAnnotations', {'a': 'b'}), 'fieldSpecs': spec('metadata/annotations', kind='ConfigMap')}),
        ('ReplicaCountTransformer', {'replica': (counts or [None])[0], 'fieldSpecs': spec('spec/replicas')}) if counts else ('LabelTransformer', {'labels': {'a': 'b'}}),
        ('PrefixTransformer', {'prefix': '', 'fieldSpecs': spec('metadata/name', kind='Nothing')}),
        ('ValueAddTransformer', {'value': 'v', 'targets': [{'selector': {'kind': 'Nothing'}, 'fieldPath': 'spec/x'}]}),
    ])
    return {'apiVersion': 'builtin', 'kind': kind, 'metadata': {'name': tree.fresh('check')}, **fields}


def spelled(rng, items):
    """The entries of a file, now and then with a key in another case, or with one that a later one replaces."""
    out = [(rng.choice(CASES)(name) if rng.random() < 0.004 else name, value) for name, value in items]
    for name, _ in items:
        if name in ('namePrefix', 'nameSuffix', 'namespace') and rng.random() < 0.02:
            out.insert(0, (name, 'lost'))
    return out


def behind(rng, text):
    """Documents behind the first do not count."""
    return text + '---\nnamePrefix: lost-\n' if rng.random() < 0.005 else text


def as_json(rng, operations):
    """Operations as JSON, with or without letters that need no escapes; None when they have texts that only YAML knows."""
    if not plain(operations):
        return None
    text = json.dumps(operations, indent=rng.choice([None, 2]), ensure_ascii=rng.random() < 0.3)
    return text.replace('<', '\\u003c') if rng.random() < 0.3 else text


def options(rng):
    """The options of a generator, with more than one text of a kind."""
    some = lambda: rng.choice([None, {'g': 'own'}, {'g': Raw('"1"'), 'app': 'web'}, {rng.choice(KEYS): 'x', 'a.b/c': Raw('"true"')}, {'e': Raw('""')}, {}])
    return {'labels': some(), 'annotations': some(), 'disableNameSuffixHash': rng.choice([None, None, True, False]), 'immutable': rng.choice([None, None, True, False])}


def image(rng):
    name = rng.choice(['n.*', '.*', 'team/.*', '(nginx|redis)', 'nginx|redis', 'docker.io/nginx', 'reg.example.com:5000/team/app', 'busybox'])
    return {'name': name, **rng.choice([{'newName': 'x:1'}, {'newName': 'other/y', 'digest': 'sha256:9'}, {'newTag': ''}, {'newTag': Raw('"1.0"')}, {'tagSuffix': '-a', 'newTag': 'b'},
                                        {'tagSuffix': '-a', 'digest': 'sha256:9'}, {'newName': '', 'newTag': 't'}, {'newTag': 'latest', 'newName': 'docker.io/library/z'}])}


def configuration(rng):
    foo = {'kind': 'Foo'}
    return rng.choice([
        {'images': [{'path': rng.choice(['spec/containers[]/image', 'spec/containers/image', 'spec/items/v']), **foo}]},
        {'commonAnnotations': [{'path': 'metadata/annotations', 'create': True, 'group': 'example.com', 'version': 'v1', 'kind': 'Foo'}]},
        {'namePrefix': [{'path': 'metadata/annotations/example.com\\/x'}]}, {'templateLabels': [{'path': 'spec/template/metadata/labels', 'create': True, **foo}]},
        {'namespace': [{'path': 'metadata/annotations/ns', 'create': True, 'kind': 'ConfigMap'}]}, {'namespace': [{'path': 'spec/ref/namespace', 'create': True, **foo}]},
        {'replicas': [{'path': 'spec/replicas', 'create': True, 'group': 'apps', 'kind': 'DaemonSet'}]},
        {'varReference': [{'path': 'metadata/annotations'}, {'path': 'spec/ref/name', **foo}]}, {'commonLabels': [{'path': 'spec/items[]/labels', 'create': True, **foo}]},
        {'nameReference': [{'kind': 'Secret', 'version': 'v1', 'fieldSpecs': [{'path': 'spec/data', **foo}, {'path': 'metadata/annotations/note'}]}]},
        {'nameReference': [{'kind': 'Service', 'fieldSpecs': [{'path': 'spec/items/name', 'group': 'example.com', **foo}]}, {'kind': 'Deployment', 'group': 'apps', 'fieldSpecs': [{'path': 'spec/ref', **foo}]}]},
    ])


def owned(rng, meta, body):
    """Lists that are merged by keys of their own."""
    if rng.random() < 0.02:
        meta['ownerReferences'] = [{'uid': rng.choice('123'), 'kind': 'Foo', 'name': 'o', 'apiVersion': 'v1'} for _ in range(rng.randint(1, 2))]
    if body['kind'] in ('Deployment', 'Job', 'Pod', 'Service') and rng.random() < 0.03:
        body['status'] = {'conditions': [{'type': kind, 'status': rng.choice(['True', Raw('True')])} for kind in rng.sample(['Ready', 'Available', 'Failed'], rng.randint(1, 2))]}
    if body['kind'] == 'Service' and rng.random() < 0.05:
        body['spec']['loadBalancerSourceRanges'] = ['10.0.0.0/8']
