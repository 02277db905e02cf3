"""The fields of a kustomization file, each with values that do something to the resources at hand."""
import rare
import unusual
from patches import operations, strategic, target
from resources import CONFIG, IMAGES, NAMESPACES, SECRETS, bare, drop_none
from scalars import KEYS, block, double_quoted, nasty, text
from text import Raw, document, inline, inline_text

PAIRS = [{'env': 'prod'}, {'app': 'web'}, {'tier': Raw('"1"')}, {'team': Raw('"true"')}, {'a.b/c': 'd', 'env': 'x'}, {'e': Raw('""')}]


def block_of(value, rng):
    """A value as a block scalar: an inline patch."""
    return inline(value, rng)


def content(rng):
    """The text of a file for a generator."""
    pick = rng.random()
    if pick < 0.3:
        return ''.join(text(rng, 6) + '\n' for _ in range(rng.randint(0, 4)))
    if pick < 0.45:
        return text(rng, 40)
    if pick < 0.55:
        return rng.choice(['', '\n', 'a', ' a', 'a ', '\n\na\n', 'a\n\n', 'a\r\nb\r\n', '123', 'true', 'é☃\n', '😀', '#a\n', '{}', 'null', '\ta', 'a\tb\n', '  a\n b\n', 'a \nb', '<a>&\u2028'])
    if pick < 0.6:
        return bytes(rng.randrange(256) for _ in range(rng.randint(1, 80)))
    if pick < 0.8:
        return '\n'.join(rng.choice(['', 'k=v', '[section]', '  indented', 'x: y', '# c', '"q"', text(rng, 15), 'trailing ']) for _ in range(rng.randint(1, 6)))
    return str(double_quoted(rng))[1:-1]


def generator(tree, directory, kind, names, rng):
    entry = {'name': rng.choice(names)}
    keys = ['k', 'host', 'p', 'f.txt'] + KEYS[:6]
    literals, files, envs = [], [], []
    for key in rng.sample(keys, rng.randint(0, 3)):
        value = rng.choice(['v', '', '1', 'true', '"q"', "'s'", 'a=b', 'a b', 'x\\ny', '~', '0x1', ' lead', text(rng, 20)])
        literals.append(f'{key}={value}')
    if rng.random() < 0.4:
        name = tree.fresh('f') + '.txt'
        tree.files[f'{directory}/{name}'] = content(rng)
        files.append(rng.choice([name, f'named={name}', f'./{name}']))
    if rng.random() < 0.2:
        name = tree.fresh('e') + '.env'
        tree.write(f'{directory}/{name}', ''.join(rng.choice(['# c\n', f'E{i}=v\n', f'E{i}="q"\n', f'  E{i}= x \n', '\n', f'E{i}\n', f'export X{i}=1\n', f'E{i}=a=b\n']) for i in range(rng.randint(1, 4))))
        envs.append(name)
    if envs and rng.random() < 0.2:
        entry['env'] = envs[0]
    elif envs:
        entry['envs'] = envs
    entry.update({k: v for k, v in (('literals', literals), ('files', files)) if v})
    if kind == 'secretGenerator' and rng.random() < 0.3:
        entry['type'] = rng.choice(['Opaque', 'kubernetes.io/tls', 'x'])
    if rng.random() < 0.1:
        entry['namespace'] = rng.choice(NAMESPACES)
    if rng.random() < 0.25:
        entry['options'] = options(rng)
    return entry


def options(rng):
    if rng.random() < 0.3:
        return drop_none(unusual.options(rng))
    return drop_none({'labels': rng.choice([None, {'g': 'own'}]), 'annotations': rng.choice([None, {'note': 'own'}]),
                      'disableNameSuffixHash': rng.choice([None, True, False]), 'immutable': rng.choice([None, None, True])})


def generators(tree, k, directory, known, depth):
    rng = tree.rng
    for kind, names, of in (('configMapGenerator', CONFIG, 'ConfigMap'), ('secretGenerator', SECRETS, 'Secret')):
        if rng.random() > (0.3 if of == 'ConfigMap' else 0.15):
            continue
        entries = []
        for _ in range(rng.choice([1, 1, 2])):
            entry = generator(tree, directory, kind, names, rng)
            same = [r for r in known if r['id'][1] == of and r['id'][2] == entry['name']]
            if len(same) > 1 or any(r.get('twice') or r.get('gone') for r in same) or not same and (of, entry['name']) in tree.hidden:
                continue
            taken = any(e['name'] == entry['name'] and e.get('namespace') == entry.get('namespace') for e in entries)
            if same and rng.random() < 0.97:
                entry['behavior'] = rng.choice(['merge', 'merge', 'replace'])
                same[0]['touched'] = True
                if same[0]['namespace']:
                    entry['namespace'] = bare(same[0]['namespace'])
                else:
                    entry.pop('namespace', None)
            elif rng.random() < 0.1:
                entry['behavior'] = 'create'
            if taken:
                continue
            entries.append(entry)
            if not same:
                body = {'apiVersion': 'v1', 'kind': of, 'metadata': {'name': entry['name']}, 'data': dict(l.split('=', 1) for l in entry.get('literals', []))}
                known.append({'id': ('v1', of, entry['name'], entry.get('namespace', 'default')), 'body': body, 'name': entry['name'], 'namespace': entry.get('namespace')})
        k[kind] = entries
        if rng.random() < 0.15:
            k['generatorOptions'] = options(rng)


def label_entry(tree):
    rng = tree.rng
    entry = {'pairs': rng.choice(PAIRS)}
    pick = rng.random()
    if pick < 0.35:
        entry['includeSelectors'] = True
    elif pick < 0.6 and tree.templates:
        entry['includeTemplates'] = True
    if rng.random() < 0.12:
        entry['fields'] = [{'path': rng.choice(['spec/labels', 'spec/marks', 'spec/items/labels']), 'create': rng.random() < 0.5,
                            **rng.choice([{}, {'kind': 'Foo'}, {'kind': 'Deployment'}, {'group': 'apps'}])}]
    return entry


def image_entry(rng):
    if rng.random() < 0.15:
        return unusual.image(rng)
    name = rng.choice(['nginx', 'redis', 'busybox', 'team/app', 'reg.example.com:5000/team/app', 'n.inx', 'app'])
    return {'name': name, **rng.choice([{'newTag': 'v2'}, {'newTag': Raw('"2"')}, {'newName': 'mirror/x'}, {'newName': Raw('"123"')}, {'digest': 'sha256:777'}, {'newTag': 't', 'digest': 'sha256:1'},
                                        {'tagSuffix': '-x'}, {'newName': 'y', 'newTag': 'z'}, {'newName': 'nginx', 'tagSuffix': '-s'}, {}])}


def replicas(rng, known):
    found = [r for r in known if r['id'][1] in ('Deployment', 'StatefulSet') and r['id'][0] == 'apps/v1']
    return [{'name': bare(rng.choice(found)['name']), 'count': rng.choice([0, 1, 5])}] if found else []


def chance(rng, probability):
    return rng.random() < probability


def transformers(tree, k, directory, known, depth, prefixed):
    rng, size = tree.rng, tree.size
    if chance(rng, 0.25 * size):
        k['namePrefix'] = rng.choice(['p-', 'dev-', 'x', Raw('"1"')] if tree.weird else ['p-', 'dev-'])
    if chance(rng, 0.15 * size):
        k['nameSuffix'] = rng.choice(['-s', '-v1', Raw('"2"')] if tree.weird else ['-s', '-v1'])
    if chance(rng, 0.25 * size):
        k['namespace'] = rng.choice(NAMESPACES + ['ns'])
    if chance(rng, 0.25 * size):
        k['labels'] = [label_entry(tree) for _ in range(rng.choice([1, 1, 2]))]
    if chance(rng, 0.12 * size) and (tree.templates or tree.claims):
        k['commonLabels'] = rng.choice(PAIRS)
    if chance(rng, 0.12 * size):
        k['commonAnnotations'] = rng.choice(PAIRS)
    if chance(rng, 0.2 * size):
        k['imageTags' if chance(rng, 0.1) else 'images'] = [image_entry(rng) for _ in range(rng.choice([1, 1, 2, 3]))]
    if chance(rng, 0.15 * size):
        k['replicas'] = replicas(rng, known)
    known = living(rng, known)
    once = unmistakable(known)
    if once and chance(rng, 0.1 * size):
        k['patchesStrategicMerge'] = [legacy_patch(tree, directory, rng.choice(once)) for _ in range(rng.choice([1, 1, 2]))]
    known = living(rng, known)
    if known and chance(rng, 0.55 * size):
        k['patches'] = [patch_entry(tree, directory, rng.choice(known)) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    known = living(rng, known)
    once = unmistakable(known)
    if known and chance(rng, 0.08 * size):
        one = rng.choice(known)
        k['patchesJson6902'] = [{'target': {'version': one['id'][0].split('/')[-1], 'kind': one['id'][1], 'name': bare(one['name'])}, 'patch': block_of(operations(rng, one, untouched(tree, one)), rng)}]
    if once and chance(rng, 0.2 * size):
        k['replacements'] = [replacement(tree, directory, once) for _ in range(rng.choice([1, 1, 2]))]
    if once and chance(rng, 0.07 * size):
        k['vars'] = variables(tree, once, depth)
    if chance(rng, 0.08 * size):
        k['configurations'] = [tree.documents(directory, 'c', [rare.together(rng, configuration)]) for _ in range(rng.choice([1, 1, 2]))]
    if known and chance(rng, 0.1 * size):
        k['transformers'] = rare.housed(tree, directory, [plugin(tree, directory, known) for _ in range(rng.choice([1, 1, 2]))])
    if chance(rng, 0.05 * size):
        k['generators'] = rare.housed(tree, directory, [generator_plugin(tree, directory)])


def living(rng, known):
    """Without what a patch took away, mostly."""
    return [one for one in known if not one.get('gone') or chance(rng, 0.03)]


def untouched(tree, one):
    """Whether a resource is still as it was made, so that paths into it lead somewhere."""
    return not one.get('touched') and one['id'][1] not in tree.touched


def unmistakable(known):
    """Those whom a type and a name select alone."""
    names = [one['id'][1:3] for one in known]
    return [one for one in known if not one.get('twice') and names.count(one['id'][1:3]) == 1]


def patch_entry(tree, directory, one):
    rng = tree.rng
    out = {}
    if rng.random() < 0.55:
        body = strategic(rng, one)
        if rng.random() < 0.4 or one.get('twice') and rng.random() < 0.9:
            out['target'] = target(rng, one)
            if rng.random() < 0.3:
                body['metadata']['name'] = 'whatever'
        if rng.random() < 0.06:
            # A generated object of another kind is hashed over its tree, of which kzui does not know all places: src/README.md.
            kinds = [{'allowKindChange': True}, {'allowNameChange': True, 'allowKindChange': True}]
            of_one_kind = out.get('target', {}).get('kind', one['id'][1]) == one['id'][1]
            out['options'] = rng.choice([{'allowNameChange': True}] + kinds * of_one_kind)
            if 'target' in out and out['target'].get('name') == bare(one['name']):
                body['metadata']['name'] = rng.choice(['changed', bare(one['name'])])
                one['twice'] = True
        docs = [body] + ([strategic(rng, one)] if 'target' not in out and '$patch' not in body and rng.random() < 0.05 else [])
    else:
        out['target'] = target(rng, one)
        docs = [operations(rng, one, out['target'].get('name') == bare(one['name']) and untouched(tree, one))]
    if out.get('target', {}).get('name', '') != bare(one['name']):
        tree.touched.add(one['id'][1])
    if rng.random() < 0.5:
        out['path'] = tree.documents(directory, 'p', docs)
    elif 'target' in out and isinstance(docs[0], list) and rng.random() < 0.4 and unusual.as_json(rng, docs[0]):
        out['patch'] = unusual.as_json(rng, docs[0])
    else:
        body = '\n---\n'.join(document(d, rng).rstrip('\n') for d in docs)
        out['patch'] = inline_text(body, rng.choice(['|-', '|']))
    return out


def legacy_patch(tree, directory, one):
    body = strategic(tree.rng, one)
    one['touched'] = True
    return tree.documents(directory, 'p', [body]) if tree.rng.random() < 0.6 else block_of(body, tree.rng)


SOURCES = {'ConfigMap': ['metadata.name', 'data.k', 'data.host', 'data.port', 'data'], 'Service': ['metadata.name', 'spec.ports.0.port', 'spec.ports', 'spec.selector'],
           'Deployment': ['metadata.name', 'spec.replicas', 'spec.template.spec.containers.[name=app].image', 'spec.template.spec.containers.0'], 'Foo': ['spec.image', 'spec.replicas', 'spec.ref', 'spec.items']}
FIELDS = {'ConfigMap': ['data.k', 'data.new', 'metadata.labels.x'], 'Service': ['spec.ports.*.port', 'spec.selector.app', 'metadata.annotations.x'],
          'Foo': ['spec.image', 'spec.replicas', 'spec.new.deep', 'spec.items.*.v', 'spec.items.[name=a].v', 'spec.ref.name'],
          'Deployment': ['spec.template.spec.containers.*.image', 'spec.template.spec.containers.[name=app].image', 'spec.template.spec.containers.0.env.[name=A].value', 'spec.replicas',
                         'spec.template.spec.containers.[name=new].image', 'metadata.labels.app', 'spec.template.metadata.annotations.x']}


TEXTS = (None, 'metadata.name', 'data.k', 'data.host', 'spec.image')


def exists(body, path):
    """Whether a replacement path leads somewhere in a body, as far as can be said without a build."""
    node = body
    for part in path.split('.'):
        if part == '*' and isinstance(node, list) and node:
            node = node[0]
        elif part.startswith('[') and isinstance(node, list):
            name, _, value = part[1:-1].partition('=')
            node = next((i for i in node if isinstance(i, dict) and i.get(name) == value), None)
        elif part.isdigit() and isinstance(node, list) and int(part) < len(node):
            node = node[int(part)]
        elif isinstance(node, dict):
            node = node.get(part)
        else:
            return False
        if node is None or node in ({}, []):
            return False
    return True


def replacement(tree, directory, known):
    rng = tree.rng
    source = rng.choice(known)
    kind = source['id'][1]
    found = drop_none({'kind': kind, 'name': bare(source['name']), 'version': rng.choice([None, None, source['id'][0].split('/')[-1]]),
                       'fieldPath': rng.choice([p for p in SOURCES.get(kind, ['metadata.name', 'kind']) if exists(source['body'], p) or chance(rng, 0.03)] + [None])})
    group, _, version = source['id'][0].rpartition('/')
    if rng.random() < 0.1:
        found.update(rng.choice([{'group': group, 'version': version}, {'version': version}, {'namespace': bare(source['namespace'] or '')}]))
    if rng.random() < 0.15 and found.get('fieldPath') in TEXTS:
        found['options'] = {'delimiter': rng.choice([':', '.', '-', '/']), 'index': rng.choice([0] * 9 + [1])}
    targets = []
    for _ in range(rng.choice([1, 1, 2])):
        one = rng.choice(known)
        of = one['id'][1]
        select = drop_none({'kind': of, 'name': rng.choice([None, bare(one['name'])]), 'labelSelector': rng.choice([None] * 8 + ['app=web', 'app'])})
        group, _, version = one['id'][0].rpartition('/')
        if rng.random() < 0.15:
            select.update(rng.choice([{'group': group}, {'version': version}, {'group': group, 'version': version}, {'namespace': bare(one['namespace'] or '')}, {'annotationSelector': rng.choice(['note', '!note'])}]))
        if select.get('namespace') == 'default':
            # To master this is the word itself, to v5.5.0 also no namespace at all.
            del select['namespace']
        entry = {'select': select}
        fields = FIELDS.get(of, ['metadata.annotations.x', 'metadata.labels.app'])
        fields = [p for p in fields if '*' not in p or exists(one['body'], p)]
        if rng.random() < 0.9:
            entry['fieldPaths'] = [rng.choice(fields) for _ in range(rng.choice([1, 1, 2]))]
        there = all(exists(one['body'], p) for p in entry.get('fieldPaths', [])) and 'name' in select
        there = there and untouched(tree, one)
        texts = found.get('fieldPath') in TEXTS and all(not p.endswith(('items', 'data', '.0', 'ports', 'selector')) for p in entry.get('fieldPaths', []))
        if rng.random() < (0.4 if there else 0.985):
            entry['options'] = rng.choice([{'create': True}, {'create': True}] + [{'create': True, 'delimiter': ':', 'index': rng.choice([0, 1, -1, 5])}] * texts + [{'delimiter': '/', 'index': 0}] * (there and texts))
        if rng.random() < 0.12:
            entry['reject'] = [rng.choice([{'name': bare(rng.choice(known)['name'])}, {'kind': 'Foo'}, {'labelSelector': 'tier'}, {}])]
            if rng.random() < 0.3:
                entry['reject'].append(rng.choice([{'kind': 'Foo', 'name': 'web'}, {'annotationSelector': 'note'}, {'version': 'v2'}, {'kind': 'Deployment', 'labelSelector': 'app=api'}]))
        targets.append(entry)
    body = {'source': found, 'targets': targets}
    return {'path': tree.documents(directory, 'repl', [body])} if rng.random() < 0.1 else body


def variables(tree, known, depth):
    out, rng = [], tree.rng
    for name in rng.sample(['SVC', 'PORT'] if depth == 0 else [tree.fresh('X'), tree.fresh('Y')], rng.choice([1, 2])):
        services = [r for r in known if r['id'][1] in ('Service', 'ConfigMap')]
        one = rng.choice(services or known)
        group, _, version = one['id'][0].rpartition('/')
        typed = {'apiVersion': one['id'][0]} if rng.random() < 0.8 else drop_none({'group': group or None, 'version': version})
        spaced = {'namespace': bare(one['namespace'])} if one['namespace'] and rng.random() < 0.5 else {}
        entry = {'name': name if depth == 0 else f'{name}', 'objref': {**typed, 'kind': one['id'][1], 'name': bare(one['name']), **spaced}}
        fields = [p for p in ('data.k', 'spec.ports.0.port', 'metadata.labels.app', 'spec.replicas') if exists(one['body'], p)]
        field = rng.choice([None, 'metadata.name'] + fields * 2).__str__().replace('.0.', '[0].').replace('None', '')
        if field:
            entry['fieldref'] = {'fieldPath': field}
        out.append(entry)
    return out


def configuration(rng):
    if rng.random() < 0.4:
        return unusual.configuration(rng)
    return rng.choice([
        {'nameReference': [{'kind': rng.choice(['Deployment', 'ConfigMap', 'Service', 'Foo']), **rng.choice([{}, {'version': 'v1'}]), 'fieldSpecs': [{'path': rng.choice(['spec/ref/name', 'spec/ref', 'spec/items/name']), 'kind': 'Foo'}]}]},
        {'commonLabels': [{'path': 'spec/sel', 'create': rng.random() < 0.5, 'kind': 'Foo'}]}, {'images': [{'path': 'spec/image', 'kind': 'Foo'}]},
        {'namePrefix': [{'path': 'spec/ref/name', 'kind': 'Foo'}]}, {'namespace': [{'path': 'spec/ns', 'create': True, 'kind': 'Foo'}]}, {'replicas': [{'path': 'spec/replicas', 'kind': 'Foo', 'create': True}]},
        {'varReference': [{'path': 'data', 'kind': 'ConfigMap'}]}, {'commonAnnotations': [{'path': 'spec/template/metadata/annotations', 'kind': 'Foo', 'create': True}]},
        {'commonLabels': [{'path': 'spec/selector/matchLabels', 'create': True}]}, {'nameSuffix': [{'path': 'spec/items/name', 'kind': 'Foo'}], 'labels': [{'path': 'spec/l', 'create': True, 'kind': 'Foo'}]},
    ])


def plugin(tree, directory, known):
    rng = tree.rng
    one = rng.choice(known)
    spec = lambda path, **more: [{'path': path, **more}]
    kind, fields = rng.choice([
        ('PrefixTransformer', {'prefix': 'pp-', 'fieldSpecs': spec('metadata/name')}), ('SuffixTransformer', {'suffix': '-ss', 'fieldSpecs': spec('metadata/name', kind=one['id'][1])}),
        ('PrefixSuffixTransformer', {'prefix': 'a-', 'suffix': '-z', 'fieldSpecs': spec('metadata/name')}),
        ('LabelTransformer', {'labels': rng.choice(PAIRS), 'fieldSpecs': spec('metadata/labels', create=True)}), ('LabelTransformer', {'labels': rng.choice(PAIRS)}),
        ('AnnotationsTransformer', {'annotations': rng.choice(PAIRS), 'fieldSpecs': spec('metadata/annotations', create=True)}),
        ('NamespaceTransformer', {'metadata': {'name': 'x', 'namespace': 'plugged'}, 'unsetOnly': rng.random() < 0.5, 'setRoleBindingSubjects': rng.choice(['none', 'defaultOnly', 'allServiceAccounts']),
                                  'fieldSpecs': spec('metadata/namespace', create=True)}),
        ('ImageTagTransformer', {'imageTag': image_entry(rng), 'fieldSpecs': spec('spec/image', kind='Foo')}),
        ('ReplicaCountTransformer', {'replica': {'name': bare(one['name']), 'count': 7}, 'fieldSpecs': spec('spec/replicas', create=True, kind=one['id'][1])}),
        ('PatchTransformer', {'patch': block_of(strategic(rng, one), rng)}), ('PatchTransformer', {'patch': block_of(operations(rng, one, untouched(tree, one)), rng), 'target': target(rng, one)}),
        ('PatchJson6902Transformer', {'target': {'version': one['id'][0].split('/')[-1], 'kind': one['id'][1], 'name': bare(one['name'])}, 'jsonOp': block_of(operations(rng, one, untouched(tree, one)), rng)}),
        ('ReplacementTransformer', {'replacements': [replacement(tree, directory, known)]}),
        ('ValueAddTransformer', {'value': rng.choice(['added', Raw('"1"')]), 'targets': [{'selector': {'kind': one['id'][1]}, 'fieldPath': rng.choice(['spec/added', 'metadata/namespace', 'metadata/annotations/x']), **rng.choice([{}, {'filePathPosition': 1}])}]}),
        ('HashTransformer', {}), ('PatchStrategicMergeTransformer', {'patches': block_of(strategic(rng, one), rng)}),
        ('PatchStrategicMergeTransformer', {'paths': [tree.documents(directory, 'p', [strategic(rng, one)])]}),
    ])
    body = {'apiVersion': 'builtin', 'kind': kind, 'metadata': {'name': tree.fresh('plugin')}, **fields}
    return tree.documents(directory, 't', [body]) if rng.random() < 0.5 else block_of(body, rng)


def generator_plugin(tree, directory):
    rng = tree.rng
    kind = rng.choice(['ConfigMapGenerator', 'SecretGenerator', 'IAMPolicyGenerator'])
    body = {'apiVersion': 'builtin', 'kind': kind, 'metadata': {'name': tree.fresh('made'), **rng.choice([{}, {'namespace': 'blue'}])}}
    if kind == 'IAMPolicyGenerator':
        body.update({'cloud': 'gke', 'kubernetesService': {'name': 'ksa', **rng.choice([{}, {'namespace': 'blue'}])}, 'serviceAccount': {'name': 'gsa', 'projectId': 'p'}})
    else:
        body['literals'] = ['k=v', 'n=1']
    return tree.documents(directory, 'g', [body]) if rng.random() < 0.5 else block_of(body, rng)


def root_only(tree, k):
    rng = tree.rng
    if rng.random() < 0.15:
        k['sortOptions'] = rng.choice([{'order': 'fifo'}, {'order': 'legacy'}, {'order': 'legacy', 'legacySortOptions': {'orderFirst': ['Foo', 'Deployment'], 'orderLast': ['ConfigMap', 'Namespace']}}, {'order': 'legacy', 'legacySortOptions': {'orderLast': ['Service']}}])
    if rng.random() < 0.08:
        k['buildMetadata'] = rng.choice([['originAnnotations'], ['transformerAnnotations'], ['originAnnotations', 'transformerAnnotations']])
