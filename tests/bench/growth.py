#!/usr/bin/env python3
"""How the cost of a tree grows with each of the things that a tree can have many of, through every face.

    growth.py [--bin target/release/kzui] [--only REGEX] [--faces build,trace,…] [--size 1.0] [--time]

Every shape is made three times, each twice as large as the one before, and the instructions of each face are counted by
`valgrind --tool=callgrind`, which does not depend on the load of the machine. Told is what the largest costs, and the exponent of
the last doubling, from what comes on top of an empty tree: 1 is linear, and more than 1.25 fails (a tree in memory that outgrows
the caches of the processor takes longer, but no more instructions; sorting is a little above 1). `--time` takes processor time instead, which is
quick and rough. Standard library only.
"""
import argparse
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n'
COMPONENT = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n'
ABOVE = 1.25


def config(name='a', more=''):
    return f'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n{more}'


def custom(more):
    return f'apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n{more}'


def deployment(more):
    return ('apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  template:\n    spec:\n      containers:\n'
            f'      - name: main\n        image: nginx\n{more}')


def many(count, line):
    return ''.join(line.format(i=i) for i in range(count))


def one(text, kustomization=''):
    return {'kustomization.yaml': f'{HEAD}resources: [a.yaml]\n{kustomization}', 'a.yaml': text}


def patched(text, patch, kustomization=''):
    return {**one(text, f'patches:\n- path: p.yaml\n{kustomization}'), 'p.yaml': patch}


def json_patched(text, operations, kind='ConfigMap'):
    target = f'patches:\n- path: p.yaml\n  target: {{kind: {kind}}}\n'
    return {**one(text, target), 'p.yaml': operations}


def components(count):
    files = one(deployment(''), 'components:\n' + many(count, '- c{i}\n'))
    for i in range(count):
        files[f'c{i}/kustomization.yaml'] = f'{COMPONENT}commonAnnotations: {{c{i}: "on"}}\n'
    return files


def nested(count):
    """A chain of overlays, each over the next."""
    files = {}
    for i in range(count):
        below = f'../l{i + 1}' if i + 1 < count else 'a.yaml'
        files[f'l{i}/kustomization.yaml'] = f'{HEAD}resources: [{below}]\nnameSuffix: -s{i % 10}\n'
    files[f'l{count - 1}/a.yaml'] = config()
    files['kustomization.yaml'] = f'{HEAD}resources: [l0]\n'
    return files


def namespaces(count):
    """One name in many namespaces, and who refers to it in each."""
    pod = ('apiVersion: v1\nkind: Pod\nmetadata:\n  name: p{i}\n  namespace: n{i}\nspec:\n  volumes:\n  - name: v\n    configMap:\n'
           '      name: same\n---\n')
    maps = many(count, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: same\n  namespace: n{i}\n---\n')
    return {'kustomization.yaml': f'{HEAD}namePrefix: x-\nresources: [a.yaml]\n', 'a.yaml': maps + many(count, pod)}


def openapi(count):
    definitions = ','.join(
        f'"com.example.v1.Thing{i}": {{"type": "object", "properties": {{"spec": {{"type": "object"}}}}, '
        f'"x-kubernetes-group-version-kind": [{{"group": "example.com", "version": "v1", "kind": "Thing{i}"}}]}}'
        for i in range(count))
    return {**one(config(), 'openapi: {path: s.json}\n'), 's.json': f'{{"definitions": {{{definitions}}}}}\n'}


def generated(kind, count):
    return {'kustomization.yaml': f'{HEAD}{kind}:\n- name: a\n  literals:\n' + many(count, '  - k{i}=v{i}\n')}


def env(count, line):
    return {'kustomization.yaml': f'{HEAD}configMapGenerator:\n- name: a\n  envs: [e.env]\n', 'e.env': many(count, line)}


CONTAINERS = 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  template:\n    spec:\n      containers:\n'


def images_for_nothing(count):
    containers = many(count, '      - name: c{i}\n        image: i{i}\n')
    return one(CONTAINERS + containers, 'images:\n' + many(count, '- name: j{i}\n  newTag: "2"\n'))


def patched_elements(count):
    spec = '{{template: {{spec: {{containers: [{{name: c{i}, image: new}}]}}}}}}'
    entry = f'- patch: "{{{{apiVersion: apps/v1, kind: Deployment, metadata: {{{{name: a}}}}, spec: {spec}}}}}"\n'
    return one(CONTAINERS + many(count, '      - name: c{i}\n        image: old\n'), 'patches:\n' + many(count, entry))


def patched_env(count):
    """As many patches, each of one element of a list in an element of a list."""
    spec = '{{template: {{spec: {{containers: [{{name: main, env: [{{name: e{i}, value: new}}]}}]}}}}}}'
    entry = f'- patch: "{{{{apiVersion: apps/v1, kind: Deployment, metadata: {{{{name: a}}}}, spec: {spec}}}}}"\n'
    env = '        env:\n' + many(count, '        - {{name: e{i}, value: old}}\n')
    return one(deployment(env), 'patches:\n' + many(count, entry))


def long_names(count):
    """A target whose name is nearly that of an object, both as long as no name can be."""
    target = '- source: {kind: ConfigMap, name: s, fieldPath: metadata.name}\n  targets:\n  - select: {name: ' + 'a' * count + 'b}\n'
    return one(config('s', '---\n') + config('a' * count), 'replacements:\n' + target)


def patched_mappings(count):
    entry = '- patch: "{{apiVersion: example.com/v1, kind: Thing, metadata: {{name: a}}, spec: {{k{i}: {{x: new}}}}}}"\n'
    return one(custom(many(count, '  k{i}: {{x: old}}\n')), 'patches:\n' + many(count, entry))


def patched_annotations(count):
    entry = '- patch: "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a, annotations: {{k{i}: new}}}}}}"\n'
    return one(config('a', '  annotations:\n' + many(count, '    k{i}: old\n')), 'patches:\n' + many(count, entry))


def replacements_of_many(count, targets):
    """As many sources, each for one resource, or for one that is not there."""
    maps = many(count, config('a{i}', 'data: {{k: v}}\n---\n')) + many(count, config('b{i}', 'data: {{k: w}}\n---\n'))
    entry = ('- source: {{kind: ConfigMap, name: a{i}, fieldPath: data.k}}\n  targets:\n  - select: {{kind: ConfigMap, name: '
             + targets + '{i}}}\n    fieldPaths: [data.k]\n')
    return one(maps, 'replacements:\n' + many(count, entry))


def bases(count, prefix):
    """As many bases, each with a resource and who refers to it; all of one name, or each of its own."""
    files = {'kustomization.yaml': HEAD + 'resources:\n' + many(count, '- b{i}\n')}
    for i in range(count):
        name = 'a' if prefix else f'a{i}'
        pod = (f'---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p{name}\nspec:\n  volumes:\n  - name: v\n    configMap:\n'
               f'      name: {name}\n')
        files[f'b{i}/kustomization.yaml'] = f'{HEAD}namePrefix: p{i if prefix else ""}-\nresources: [a.yaml]\n'
        files[f'b{i}/a.yaml'] = config(name) + pod
    return files


def merged_by_components(count):
    files = {'kustomization.yaml': HEAD + 'configMapGenerator:\n- {name: a, literals: [k=v]}\ncomponents:\n' + many(count, '- c{i}\n')}
    for i in range(count):
        files[f'c{i}/kustomization.yaml'] = f'{COMPONENT}configMapGenerator:\n- {{name: a, behavior: merge, literals: [k{i}=v]}}\n'
    return files


def replicas(count):
    text = 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a{i}\nspec:\n  replicas: 1\n---\n'
    return one(many(count, text), 'replicas:\n' + many(count, '- {{name: a{i}, count: 3}}\n'))


def replacements(count):
    source = config('a', 'data:\n' + many(count, '  k{i}: v{i}\n'))
    target = '---\n' + config('b', 'data:\n' + many(count, '  k{i}: old\n'))
    entry = ('- source: {{kind: ConfigMap, name: a, fieldPath: data.k{i}}}\n  targets:\n  - select: {{kind: ConfigMap, name: b}}\n'
             '    fieldPaths: [data.k{i}]\n')
    return one(source + target, 'replacements:\n' + many(count, entry))


def replacement_targets(count):
    target = '---\n' + config('b', 'data:\n' + many(count, '  k{i}: old\n'))
    head = 'replacements:\n- source: {kind: ConfigMap, name: a, fieldPath: data.k}\n  targets:\n'
    entry = '  - select: {{kind: ConfigMap, name: b}}\n    fieldPaths: [data.k{i}]\n'
    return one(config('a', 'data:\n  k: new\n') + target, head + many(count, entry))


def variables(count):
    args = deployment('        args:\n' + many(count, '        - $(V{i})\n'))
    entry = '- name: V{i}\n  objref: {{apiVersion: apps/v1, kind: Deployment, name: a}}\n  fieldref: {{fieldpath: metadata.name}}\n'
    return one(args, 'vars:\n' + many(count, entry))


def images(count):
    containers = many(count, '      - name: c{i}\n        image: i{i}\n')
    return one(CONTAINERS + containers, 'images:\n' + many(count, '- name: i{i}\n  newTag: "2"\n'))


def resource_files(count):
    files = {f'r{i}.yaml': config(f'a{i}', 'data: {k: v}\n') for i in range(count)}
    return {**files, 'kustomization.yaml': HEAD + 'resources:\n' + many(count, '- r{i}.yaml\n')}


def patches_of_one(count):
    entry = '- patch: "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a}}, data: {{k{i}: new}}}}"\n'
    return one(config('a', 'data:\n' + many(count, '  k{i}: old\n')), 'patches:\n' + many(count, entry))


def patches_of_many(count):
    entry = '- patch: "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a{i}}}, data: {{k: new}}}}"\n'
    files = {'a.yaml': many(count, config('a{i}', 'data: {{k: v}}\n---\n'))}
    return {**files, 'kustomization.yaml': f'{HEAD}resources: [a.yaml]\npatches:\n' + many(count, entry)}


def listed(numbers, line='  - v{i}\n'):
    return one(custom('  list:\n' + ''.join(line.format(i=i) for i in numbers)))


def named(numbers):
    return listed(numbers, '  - name: v{i}\n    value: {i}\n')


def valued(count, value):
    return one(config('a', 'data:\n' + ''.join(f'  k{i}: {value(i)}\n' for i in range(count))))


# The size at which a shape begins, the shape, which resource and field of it `why` is asked about, and what `diff` compares it with:
# where nothing is said, the same with one value another.
SHAPES = {
    'texts in the other order': (1000, lambda n: listed(range(n)), 'Thing/a spec.list', lambda n: listed(reversed(range(n)))),
    'maps in the other order': (1000, lambda n: listed(range(n), '  - x: v{i}\n'), 'Thing/a spec.list',
                                lambda n: listed(reversed(range(n)), '  - x: v{i}\n')),
    'names in the other order': (1000, lambda n: named(range(n)), 'Thing/a spec.list', lambda n: named(reversed(range(n)))),
    'every value another': (500, lambda n: valued(n, lambda i: 'a'), 'ConfigMap/a data.k7', lambda n: valued(n, lambda i: 'b')),
    'every other value another': (500, lambda n: valued(n, lambda i: 'a'), 'ConfigMap/a data.k7',
                                  lambda n: valued(n, lambda i: 'ab'[i % 2])),
    'every resource another': (250, lambda n: one(many(n, config('a{i}', 'data: {{k: v}}\n---\n'))), 'ConfigMap/a7 data.k',
                               lambda n: one(many(n, config('a{i}', 'data: {{k: w}}\n---\n')))),
    'keys of a mapping': (4000, lambda n: one(config('a', 'data:\n' + many(n, '  k{i}: v{i}\n'))), 'ConfigMap/a data.k7'),
    'keys, all patched': (2000, lambda n: patched(config('a', 'data:\n' + many(n, '  k{i}: v{i}\n')),
                                                  config('a', 'data:\n' + many(n, '  k{i}: w{i}\n'))), 'ConfigMap/a data.k7'),
    'keys, all added': (2000, lambda n: patched(config('a', 'data:\n' + many(n, '  k{i}: v{i}\n')),
                                                config('a', 'data:\n' + many(n, '  m{i}: w{i}\n'))), 'ConfigMap/a data.m7'),
    'keys, all deleted': (2000, lambda n: patched(config('a', 'data:\n' + many(n, '  k{i}: v{i}\n')),
                                                  config('a', 'data:\n' + many(n, '  k{i}: null\n'))), 'ConfigMap/a data'),
    'keys with quotes': (2000, lambda n: one(config('a', 'data:\n' + many(n, '  "k{i}": \'v{i}\'\n'))), 'ConfigMap/a data.k7'),
    'elements of a list': (4000, lambda n: one(custom('  list:\n' + many(n, '  - v{i}\n'))), 'Thing/a spec.list'),
    'elements of a list of maps': (2000, lambda n: one(custom('  list:\n' + many(n, '  - name: v{i}\n'))), 'Thing/a spec.list'),
    'elements, all merged': (1000, lambda n: patched(
        deployment('        env:\n' + many(n, '        - {{name: e{i}, value: a}}\n')),
        deployment('        env:\n' + many(n, '        - {{name: e{i}, value: b}}\n'))),
        'Deployment/a spec.template.spec.containers[0].env[7].value'),
    'elements, all added': (1000, lambda n: patched(
        deployment('        env:\n' + many(n, '        - {{name: e{i}, value: a}}\n')),
        deployment('        env:\n' + many(n, '        - {{name: f{i}, value: b}}\n'))),
        'Deployment/a spec.template.spec.containers[0].env[7].value'),
    'elements in a flow': (4000, lambda n: one(custom('  list: [' + ', '.join(map(str, range(n))) + ']\n')), 'Thing/a spec.list'),
    'documents of a file': (1000, lambda n: one(many(n, config('a{i}', 'data: {{k: v}}\n---\n'))), 'ConfigMap/a7 data.k'),
    'files of resources': (500, resource_files, 'ConfigMap/a7 data.k'),
    'documents of a list': (1000, lambda n: one('apiVersion: v1\nkind: List\nitems:\n' + many(
        n, '- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: a{i}}}\n  data: {{k: v}}\n')), 'ConfigMap/a7 data.k'),
    'patches of one resource': (250, patches_of_one, 'ConfigMap/a data.k7'),
    'patches of as many resources': (250, patches_of_many, 'ConfigMap/a7 data.k'),
    'patches in one file': (500, lambda n: {
        'a.yaml': many(n, config('a{i}', 'data: {{k: v}}\n---\n')), 'p.yaml': many(n, config('a{i}', 'data: {{k: w}}\n---\n')),
        'kustomization.yaml': HEAD + 'resources: [a.yaml]\npatchesStrategicMerge: [p.yaml]\n'}, 'ConfigMap/a7 data.k'),
    'operations on keys': (1000, lambda n: json_patched(
        config('a', 'data: {k: v}\n'), many(n, '- {{op: add, path: /data/k{i}, value: w}}\n')), 'ConfigMap/a data.k7'),
    'operations that replace': (1000, lambda n: json_patched(
        config('a', 'data:\n' + many(n, '  k{i}: v\n')), many(n, '- {{op: replace, path: /data/k{i}, value: w}}\n')),
        'ConfigMap/a data.k7'),
    'operations that remove keys': (1000, lambda n: json_patched(
        config('a', 'data:\n' + many(n + 1, '  k{i}: v\n')), many(n, '- {{op: remove, path: /data/k{i}}}\n')), 'ConfigMap/a data'),
    'operations at the end of a list': (1000, lambda n: json_patched(
        custom('  list: [a]\n'), many(n, '- {{op: add, path: /spec/list/-, value: w}}\n'), 'Thing'), 'Thing/a spec.list'),
    'operations at the start of a list': (1000, lambda n: json_patched(
        custom('  list: [a]\n'), many(n, '- {{op: add, path: /spec/list/0, value: w}}\n'), 'Thing'), 'Thing/a spec.list'),
    'operations that remove elements': (1000, lambda n: json_patched(
        custom('  list:\n' + many(n + 1, '  - v{i}\n')), many(n, '- {{op: remove, path: /spec/list/0}}\n'), 'Thing'),
        'Thing/a spec.list'),
    'operations below keys': (1000, lambda n: json_patched(
        config('a', 'data:\n' + many(n, '  k{i}: {{}}\n')), many(n, '- {{op: add, path: /data/k{i}/x, value: w}}\n')), 'ConfigMap/a data.k7.x'),
    'operations that test': (1000, lambda n: json_patched(
        config('a', 'data:\n' + many(n, '  k{i}: v\n')), many(n, '- {{op: test, path: /data/k{i}, value: v}}\n')), 'ConfigMap/a data.k7'),
    'operations that move': (1000, lambda n: json_patched(
        config('a', 'data:\n' + many(n, '  k{i}: v\n')), many(n, '- {{op: move, from: /data/k{i}, path: /data/m{i}}}\n')),
        'ConfigMap/a data.m7'),
    'replacements': (250, replacements, 'ConfigMap/b data.k7'),
    'targets of a replacement': (250, replacement_targets, 'ConfigMap/b data.k7'),
    'vars': (250, variables, 'Deployment/a spec.template.spec.containers[0].args[7]'),
    'anchors and aliases': (1000, lambda n: one(custom('  x0: &x0 [v]\n' + many(n, '  y{i}: &y{i} v\n  z{i}: *y{i}\n'))), 'Thing/a spec.z7'),
    'aliases of one anchor': (1000, lambda n: one(custom('  x: &x [v]\n' + many(n, '  y{i}: *x\n'))), 'Thing/a spec.y7'),
    'merge keys': (500, lambda n: one(custom('  x: &x {{a: b}}\n'.format() + many(n, '  y{i}:\n    <<: *x\n    c: d\n'))), 'Thing/a spec.y7.c'),
    'depth of a tree': (200, lambda n: one(custom('  a: ' + '{a: ' * n + 'v' + '}' * n + '\n')), 'Thing/a spec.a'),
    'depth of blocks': (50, lambda n: one(custom(''.join('  ' * (i + 1) + 'a:\n' for i in range(n)) + '  ' * (n + 1) + 'a: v\n')), 'Thing/a spec.a'),
    'depth of overlays': (50, nested, 'ConfigMap/a metadata.name'),
    'labels': (500, lambda n: one(deployment(''), 'labels:\n- includeTemplates: true\n  pairs:\n' + many(n, '    l{i}: v{i}\n')),
               'Deployment/a metadata.labels.l7'),
    'entries of labels': (250, lambda n: one(deployment(''), 'labels:\n' + many(n, '- pairs: {{l{i}: v{i}}}\n')),
                          'Deployment/a metadata.labels.l7'),
    'annotations': (500, lambda n: one(deployment(''), 'commonAnnotations:\n' + many(n, '  l{i}: v{i}\n')),
                    'Deployment/a metadata.annotations.l7'),
    'images': (250, images, 'Deployment/a spec.template.spec.containers[7].image'),
    'images for nothing': (250, images_for_nothing, 'Deployment/a spec.template.spec.containers[7].image'),
    'patches of elements': (125, patched_elements, 'Deployment/a spec.template.spec.containers[7].image'),
    'patches of nested elements': (125, patched_env, 'Deployment/a spec.template.spec.containers[0].env[7].value'),
    'patches of mappings': (250, patched_mappings, 'Thing/a spec.k7.x'),
    'patches of annotations': (250, patched_annotations, 'ConfigMap/a metadata.annotations.k7'),
    'replacements of many': (250, lambda n: replacements_of_many(n, 'b'), 'ConfigMap/b7 data.k'),
    'names that no object can have': (5000, long_names),
    'replacements for nothing': (250, lambda n: replacements_of_many(n, 'c'), 'ConfigMap/b7 data.k'),
    'bases': (125, lambda n: bases(n, False), 'ConfigMap/p-a7 metadata.name'),
    'bases of one name': (125, lambda n: bases(n, True), 'ConfigMap/p7-a metadata.name'),
    'merges into one generator': (125, merged_by_components, 'ConfigMap/a data.k7'),
    'replicas': (250, replicas, 'Deployment/a7 spec.replicas'),
    'a long plain text': (50000, lambda n: one(config('a', 'data:\n  k: ' + 'word ' * n + '\n')), 'ConfigMap/a data.k'),
    'a long quoted text': (50000, lambda n: one(config('a', 'data:\n  k: "' + 'a\\n\\u00e9' * n + '"\n')), 'ConfigMap/a data.k'),
    'a long block of text': (10000, lambda n: one(config('a', 'data:\n  k: |\n' + '    some words\n' * n)), 'ConfigMap/a data.k'),
    'a long folded text': (10000, lambda n: one(config('a', 'data:\n  k: >\n' + '    some words\n' * n)), 'ConfigMap/a data.k'),
    'a long key': (50000, lambda n: one(config('a', 'data:\n  ? ' + 'k' * n + '\n  : v\n')), 'ConfigMap/a data'),
    'literals of a ConfigMap': (4000, lambda n: generated('configMapGenerator', n), 'ConfigMap/a data.k7'),
    'literals of a Secret': (4000, lambda n: generated('secretGenerator', n), 'Secret/a data.k7'),
    'generators': (500, lambda n: {'kustomization.yaml': HEAD + 'configMapGenerator:\n' + many(
        n, '- {{name: a{i}, literals: [k=v]}}\n')}, 'ConfigMap/a7 data.k'),
    'lines of an env file': (4000, lambda n: env(n, 'K{i}=v{i}\n'), 'ConfigMap/a data.K7'),
    'comments of an env file': (10000, lambda n: env(n, '# comment {i}\n'), 'ConfigMap/a metadata.name'),
    'types of a schema': (250, openapi, 'ConfigMap/a metadata.name'),
    'components': (100, components, 'Deployment/a metadata.annotations.c7'),
    'comments before a key': (4000, lambda n: one('# comment\n' * n + config('a', 'data: {k: v}\n')), 'ConfigMap/a data.k'),
    'comments between keys': (2000, lambda n: one(config('a', 'data:\n' + many(n, '  # comment {i}\n  k{i}: v{i} # more\n'))), 'ConfigMap/a data.k7'),
    'comments of the kustomization': (2000, lambda n: one(config(), '# comment\n' * n)),
    'entries that are off': (1000, lambda n: one(config(), 'patches:\n' + many(n, '# - path: p{i}.yaml\n') + '- path: p.yaml\n') | {
        'p.yaml': config('a', 'data: {k: v}\n')}, 'ConfigMap/a data.k'),
    'names in as many namespaces': (250, namespaces, 'Pod/p7 spec.volumes[0].configMap.name'),
    'empty lines': (10000, lambda n: one(config('a', '\n' * n + 'data: {k: v}\n')), 'ConfigMap/a data.k'),
    'empty documents': (4000, lambda n: one('---\n' * n + config()), 'ConfigMap/a metadata.name'),
}

TOGGLE = 'tree\nsteps\nresources\nproblems\ntoggle 2\nproblems\nundo\nresource {}\nquit\n'
FACES = ['build', 'trace', 'diffs', 'blame', 'why', 'check', 'diff', 'model']


def write(place, files):
    for name, text in files.items():
        path = os.path.join(place, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as f:
            f.write(text)


def varied(files):
    """The same tree with one value of one file another."""
    name = max((name for name in files if not name.endswith('kustomization.yaml')), key=lambda name: len(files[name]), default=None)
    if name is None:
        return {**files, 'kustomization.yaml': files['kustomization.yaml'] + 'nameSuffix: -x\n'}
    before, found, after = files[name].rpartition('name: a')
    return {**files, name: f'{before}{found}x{after}'} if found else files


def commands(binary, tree, other, asked):
    resource_name, _, field = asked.partition(' ')
    return {
        'build': ([binary, 'build', tree], ''),
        'trace': ([binary, 'trace', tree, '--json'], ''),
        'diffs': ([binary, 'trace', tree, '--diff'], ''),
        'blame': ([binary, 'blame', tree], ''),
        'why': ([binary, 'why', tree, resource_name, field], ''),
        'check': ([binary, 'check', tree, '--fail-on', 'never'], ''),
        'diff': ([binary, 'diff', tree, other], ''),
        'model': ([binary, '--linear', tree], TOGGLE.format(resource_name)),
    }


def timed(command, given):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=given, text=True, capture_output=True, timeout=120, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int((after.ru_utime - before.ru_utime) * 1e9), done


def counted(command, given):
    with tempfile.NamedTemporaryFile(suffix='.callgrind') as out:
        tool = ['valgrind', '--tool=callgrind', f'--callgrind-out-file={out.name}', '--collect-systime=no', '-q']
        done = subprocess.run(tool + command, input=given, text=True, capture_output=True, timeout=1800, check=False)
        found = re.search(r'^(?:summary|totals): (\d+)', open(out.name).read(), re.M)
        return int(found[1]) if found else 0, done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default=os.path.join(ROOT, 'target', 'release', 'kzui'))
    parser.add_argument('--only', default='')
    parser.add_argument('--faces', default=','.join(FACES))
    parser.add_argument('--size', type=float, default=1.0)
    parser.add_argument('--time', action='store_true')
    options = parser.parse_args()
    binary = os.path.abspath(options.bin)
    measure = timed if options.time else counted
    if not options.time and not shutil.which('valgrind'):
        sys.exit('valgrind is not here: --time measures without it')
    os.environ.update(RAYON_NUM_THREADS='1', NO_COLOR='1')
    scratch = tempfile.mkdtemp(prefix='growth-')
    os.environ['XDG_STATE_HOME'] = os.path.join(scratch, 'state')
    fine = True
    try:
        write(os.path.join(scratch, 'empty', 'tree'), one(config()))
        write(os.path.join(scratch, 'empty', 'other'), one(config('b')))
        place = os.path.join(scratch, 'empty')
        empty = commands(binary, os.path.join(place, 'tree'), os.path.join(place, 'other'), 'ConfigMap/a metadata.name')
        faces = options.faces.split(',')
        floor = {face: measure(*empty[face])[0] for face in faces}
        for name, (size, shape, *rest) in SHAPES.items():
            if re.search(options.only, name):
                asked, other = [*rest, *('ConfigMap/a metadata.name', None)[len(rest):]]
                fine = grown(name, int(size * options.size), (shape, other), asked,
                             (binary, measure, floor, faces, scratch)) and fine
    finally:
        shutil.rmtree(scratch)
    sys.exit(not fine)


def grown(name, size, shapes, asked, around):
    binary, measure, floor, faces, scratch = around
    fine, costs = True, {face: [] for face in faces}
    for doubling in (1, 2, 4):
        place = os.path.join(scratch, 'shape')
        shutil.rmtree(place, ignore_errors=True)
        shape, other = shapes
        files = shape(size * doubling)
        write(os.path.join(place, 'tree'), files)
        write(os.path.join(place, 'other'), other(size * doubling) if other else varied(files))
        ways = commands(binary, os.path.join(place, 'tree'), os.path.join(place, 'other'), asked)
        for face in faces:
            if costs[face] is None:
                continue
            try:
                cost, done = measure(*ways[face])
            except subprocess.TimeoutExpired:
                print(f'{name:34} {face:6} {size * doubling:>7,}  takes too long  ABOVE LINEAR', flush=True)
                fine, costs[face] = False, None
                continue
            if done.returncode not in (0, 1) or face == 'build' and done.returncode:
                print(f'{name}: {face} ends with {done.returncode}: {done.stderr[:300]}')
                fine = face not in ('build', 'trace') and fine
            costs[face].append(max(cost - floor[face], 1))
    for face, (_, half, whole) in ((face, cost) for face, cost in costs.items() if cost):
        exponent = math.log2(whole / half)
        small = whole < (20e6 if measure is timed else 3e6)
        above = exponent > ABOVE and not small
        fine = fine and not above
        unit = 'ms' if measure is timed else 'M'
        print(f'{name:34} {face:6} {size * 4:>7,} {whole / 1e6:>10,.0f} {unit} {"-" if small else f"{exponent:.2f}":>6}'
              f'{"  ABOVE LINEAR" if above else ""}', flush=True)
    return fine


if __name__ == '__main__':
    main()
