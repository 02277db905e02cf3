"""What trees have seldom and what other generators leave out: links, byte order marks, odd file names, compositions of others,
objects without apiVersion, hashes of other kinds, merges in merges, texts that hold documents, keys twice, charts, flags."""
import json
import re

from text import Raw, document
from verdicts import Link

# Names of files that YAML takes for something else.
NAMES = ['y', 'No', 'on', '1:30', '~', 'null', '0x1', '1e3', 'true', '12', 'a b.yaml', 'é.yaml', "it's.yaml", 'x: y.yaml', 'a#b.yaml', '-', '.hidden.yaml', 'c.json']
ANCHORS = '''apiVersion: example.com/v1
kind: Foo
metadata: {name: NAME}
spec:
  first: &first {image: nginx, ref: {name: conf}, labels: {a: b}}
  second: &second
    <<: *first
    replicas: 1
  third: &third {<<: [*second, *first], image: redis}
  containers:
  - <<: *second
    name: app
  - <<: WHICH
    name: side
  - {<<: *first, name: log}
  placed: *PLACED
  items:
  - <<: {<<: *first, v: x}
    name: a
  - <<: *second
    name: b
'''


def size_of(tree):
    """A few trees have no transformers at all, so that objects of other kinds are hashed as they were read."""
    return 0 if tree.rng.random() < 0.03 else tree.size


def layer(tree, k, directory):
    """Adds to a kustomization that is made, before it is written."""
    rng = tree.rng
    for chance, add in [(0.02, without_api_version), (0.015, another_composition), (0.02, merges_in_merges), (0.02, text_with_documents), (0.01, hashed), (0.02, plain_patch),
                        (0.01 if tree.helm else 0, chart), (0.02, given_value)]:
        if rng.random() < chance:
            add(tree, k, directory)
    if rng.random() < 0.04:
        rename(tree, k, directory)
    if rng.random() < 0.03:
        link(tree, k, directory)
    if rng.random() < 0.02:
        twice(tree, k, directory)
    if rng.random() < 0.003 and k.get('labels'):
        k['labels'][0]['includeVolumeClaimTemplates'] = True


def text_of(tree, text):
    """A text with a byte order mark or the line ends of another system, seldom."""
    if tree.rng.random() < 0.004:
        text = '\ufeff' + text
    if tree.rng.random() < 0.01:
        text = text.replace('\n', '\r\n')
    return text


def target(tree, place):
    """The target with what is said on the command line."""
    rng = tree.rng
    if rng.random() < 0.04:
        place += ' --load-restrictor=' + rng.choice(['LoadRestrictionsNone', 'LoadRestrictionsNone', 'LoadRestrictionsRootOnly', 'rootOnly'])
    if rng.random() < 0.01:
        place += ' --reorder=' + rng.choice(['legacy', 'none', 'Legacy'])
    if tree.charts:
        place += f' --enable-helm --helm-command={tree.helm}'
    return place


def put(tree, k, directory, stem, text):
    name = tree.fresh(stem) + '.yaml'
    tree.files[f'{directory}/{name}'] = text
    k.setdefault('resources', []).append(name)
    return name


def without_api_version(tree, k, directory):
    """An object without apiVersion, and a patch of it."""
    rng, name = tree.rng, tree.fresh('odd')
    put(tree, k, directory, 'n', f'kind: {rng.choice(["A", "ConfigMap", "Deployment"])}\nmetadata: {{name: {name}}}\nspec: {{x: 1, items: [{{name: a}}]}}\n')
    kind = re.search(r'kind: (\w+)', tree.files[f'{directory}/{k["resources"][-1]}'])[1]
    patch = {'kind': kind, 'metadata': {'name': name}, 'spec': rng.choice([{'x': 2}, {'items': [{'name': 'b'}]}, {'x': None}])}
    path = tree.documents(directory, 'np', [patch])
    rng.choice([
        lambda: k.setdefault('patchesStrategicMerge', []).append(path),
        lambda: k.setdefault('patches', []).append({'path': path}),
        lambda: k.setdefault('patches', []).append({'path': path, 'target': {'kind': kind}}),
        lambda: None,
    ])()


def another_composition(tree, k, directory):
    """A file with one of the names of kzui's Compositions that is none."""
    rng = tree.rng
    name = rng.choice(['composition.yaml', 'composition.yml', 'Composition'])
    tree.files[f'{directory}/{name}'] = rng.choice([
        'apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: x}\nspec: {}\n',
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-composition}\n', '', 'not: [yaml', '# nothing\n',
    ])
    if rng.random() < 0.5:
        k.setdefault('resources', []).append(name)
    elif rng.random() < 0.4:
        k.setdefault('configMapGenerator', []).append({'name': tree.fresh('composed'), 'files': [name]})


def merges_in_merges(tree, k, directory):
    """Anchors of mappings that merge others."""
    rng = tree.rng
    text = ANCHORS.replace('NAME', tree.fresh('merged')).replace('WHICH', rng.choice(['*third', '*second', '[*first, *second]', '*first']))
    lines = text.replace('PLACED', rng.choice(['first', 'second', 'third'])).splitlines(True)
    if rng.random() < 0.5:
        lines = [line for line in lines if 'placed' not in line]
    put(tree, k, directory, 'm', ''.join(lines))
    if rng.random() < 0.5:
        k.setdefault('images', []).append({'name': rng.choice(['nginx', 'redis']), 'newTag': 'merged'})


def text_with_documents(tree, k, directory):
    """A ConfigMap whose values are documents, and a replacement that leads into one."""
    rng, name = tree.rng, tree.fresh('texts')
    inner = {'host': 'h:1', 'list': [{'name': 'a', 'v': 1}], 'deep': {'x': True, 'y': 'text'}}
    values = {'c.json': json.dumps(inner, indent=rng.choice([None, 2])), 'c': document(inner, rng)}
    put(tree, k, directory, 'w', json.dumps({'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': name}, 'data': values}))
    key = rng.choice(['c', 'c\\.json', '[c.json]'])
    path = f'data.{key}.' + rng.choice(['host', 'deep.y', 'list.0.v', 'list.[name=a].v', 'none', 'deep', 'list.*.v'])
    options = rng.choice([{}, {}, {'create': True}, {'delimiter': ':', 'index': rng.choice([0, 1])}])
    select = rng.choice([{'kind': 'ConfigMap', 'name': name}, {'name': name}, {'kind': 'Config.*', 'name': name[:-1] + '.*'}, {'kind': 'ConfigMap', 'name': name, 'namespace': 'default'}])
    k.setdefault('replacements', []).append({'source': {'kind': 'ConfigMap', 'name': name, 'fieldPath': 'metadata.name'}, 'targets': [{'select': select, 'fieldPaths': [path], **({'options': options} if options else {})}]})


def given_value(tree, k, directory):
    """A replacement whose source is its own value, where the release has that."""
    rng = tree.rng
    if not tree.has('v5.7.0') and rng.random() < 0.9:
        return
    value = rng.choice(['given', Raw('"1"'), Raw('5'), Raw('true'), '', Raw('~'), 'a:b'])
    entry = {'sourceValue': value, 'targets': [{'select': {'kind': rng.choice(['ConfigMap', 'Deployment', 'Foo', 'Service'])}, 'fieldPaths': [rng.choice(['metadata.annotations.given', 'metadata.labels.app'])], 'options': {'create': True}}]}
    if rng.random() < 0.05:
        entry['source'] = {'kind': 'ConfigMap', 'name': 'conf'}
    k.setdefault('replacements', []).append(entry)


def hashed(tree, k, directory):
    """An object that asks for a hash by hand: a ConfigMap anywhere, another kind where nothing changes it."""
    rng, name = tree.rng, tree.fresh('hashed')
    note = {'annotations': {'internal.config.kubernetes.io/needsHashSuffix': rng.choice(['enabled', 'enabled', 'disabled', ''])}}
    body = {'apiVersion': 'v1', 'kind': rng.choice(['ConfigMap', 'Secret']), 'metadata': {'name': name, **note}, 'data': {'k': 'dg=='}}
    if tree.size == 0:
        body = {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': name, **note}, 'spec': {'template': {'spec': {'containers': [{'name': 'a', 'image': 'b', 'args': ['x', '1', Raw('"2"')]}]}}}}
    user = {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': name + '-user'}, 'spec': {'volumes': [{'name': 'v', 'configMap': {'name': name}}]}}
    bodies = [body] + ([user] if rng.random() < 0.5 else [])
    rng.shuffle(bodies)
    k.setdefault('resources', []).append(tree.documents(directory, 'h', bodies))


def plain_patch(tree, k, directory):
    """A patch that is a list of nothing, comments alone, or that several objects fit."""
    rng = tree.rng
    text = rng.choice(['', '# nothing yet\n', '[]\n', '{}\n', '---\n', 'null\n', '- op: test\n', 'apiVersion: v1\nkind: A\nmetadata: {name: a, labels: {sm: v}}\n'])
    name = tree.fresh('e') + '.yaml'
    tree.files[f'{directory}/{name}'] = text
    entry = {'path': name}
    if rng.random() < 0.7:
        entry['target'] = rng.choice([{'kind': 'Deployment'}, {}, {'name': 'web'}, {'kind': 'Nothing'}])
    if rng.random() < 0.1:
        entry['options'] = {rng.choice(['allowNameChange', 'allowKindChange', 'allowNameChanges']): True}
    k.setdefault('patches', []).append(entry)


def chart(tree, k, directory):
    """A chart that lies in the tree."""
    rng, name = tree.rng, tree.fresh('chart')
    home = f'{directory}/charts/{name}'
    tree.files[f'{home}/Chart.yaml'] = f'apiVersion: v2\nname: {name}\nversion: 0.1.0\n'
    tree.files[f'{home}/values.yaml'] = 'a: 1\nb: {c: text, d: [1, 2]}\nn: 0\n'
    tree.files[f'{home}/templates/all.yaml'] = ('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-cm\n  namespace: {{ .Release.Namespace }}\ndata:\n  values: {{ .Values | toJson | quote }}\n'
                                                '---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec: {template: {spec: {containers: [{name: app, image: nginx}]}}}\n')
    entry = {'name': name, 'releaseName': rng.choice(['rel', 'other'])}
    if rng.random() < 0.3:
        entry['namespace'] = 'charted'
    if rng.random() < 0.6:
        entry['valuesInline'] = rng.choice([{'a': 2}, {'b': {'c': None}}, {'b': 'x'}, {'n': 5, 'new': {'deep': True}}, {}])
        entry['valuesMerge'] = rng.choice(['merge', 'override', 'replace'])
    if rng.random() < 0.3:
        tree.files[f'{directory}/{name}-values.yaml'] = rng.choice(['a: from-file\n', 'b: {c: null}\n', '{}\n', ''])
        entry['additionalValuesFiles'] = [f'{name}-values.yaml']
    k.setdefault('helmCharts', []).append(entry)
    tree.charts = True


def rename(tree, k, directory):
    """Gives a file that is listed an odd name."""
    rng = tree.rng
    entries = [(place, index) for place in ('resources', 'transformers', 'generators', 'configurations') for index, entry in enumerate(k.get(place) or []) if f'{directory}/{entry}' in tree.files and isinstance(entry, str)]
    name = rng.choice(NAMES)
    if entries and f'{directory}/{name}' not in tree.files:
        place, index = rng.choice(entries)
        tree.files[f'{directory}/{name}'] = tree.files.pop(f'{directory}/{k[place][index]}')
        k[place][index] = name
        if rng.random() < 0.6:
            k['buildMetadata'] = ['originAnnotations', 'transformerAnnotations']


def link(tree, k, directory):
    """Puts a symbolic link in the place of a listed file or folder."""
    rng = tree.rng
    entries = [index for index, entry in enumerate(k.get('resources') or []) if isinstance(entry, str)]
    if not entries:
        return
    index = rng.choice(entries)
    entry = k['resources'][index]
    if f'{directory}/{entry}' in tree.files:
        text = tree.files.pop(f'{directory}/{entry}')
        real = rng.choice([f'{directory}/real-{entry}', f'{directory}/inner/{entry}', f'shared/{directory}-{entry}'])
        tree.files[real] = text
        tree.files[f'{directory}/{entry}'] = Link('../' * directory.count('/') + ('../' + real))
    elif entry.startswith('../') and entry.count('/') == 1:
        name = tree.fresh('link')
        tree.files[name] = Link(entry[3:])
        k['resources'][index] = '../' + name


def twice(tree, k, directory):
    """Writes a key of a plugin's configuration twice."""
    rng = tree.rng
    entries = [entry for place in ('transformers', 'generators', 'validators', 'configurations') for entry in k.get(place) or [] if f'{directory}/{entry}' in tree.files]
    if not entries:
        return
    path = f'{directory}/{rng.choice(entries)}'
    lines = tree.files[path].splitlines(True)
    scalars = [index for index, line in enumerate(lines) if re.match(r'^\s*(- )?\w+: +[^{\[|>&]', line)]
    if scalars:
        index = rng.choice(scalars)
        lines.insert(index + 1, re.sub(r'^(\s*)- ', r'\1  ', lines[index]))
        tree.files[path] = ''.join(lines)
