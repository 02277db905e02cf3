"""Random trees that mean something: bases, overlays and components over resources that refer to each other."""
import random

import fields
import odd
import rare
import unusual
from resources import bare, resource
from text import document, lines


# Types that no prefix renames.
UNNAMED = ('CustomResourceDefinition', 'Namespace', 'APIService')


class Tree:
    """Files by path, and what the generator knows about them."""

    def __init__(self, seed, size=1.0, like='v5.8.1', helm=None):
        self.rng = random.Random(seed)
        self.like, self.helm, self.charts = like, helm, False
        self.size = size
        self.size = odd.size_of(self)
        self.rng.spice, self.rng.anchors = 0, None
        self.files = {}
        self.count = 0
        # Generated types and names that a layer below keeps to itself.
        self.hidden = set()
        # Types of which any may have been patched.
        self.touched = set()
        self.claims = self.rng.random() < 0.5
        self.templates = not self.claims
        self.legacy = self.rng.random() < 0.15
        self.weird = self.rng.random() < 0.3
        self.target = odd.target(self, self.layer('top', 0, 'Kustomization')[0])

    def has(self, release):
        """Whether the release that is built like is this one or a newer one."""
        numbers = lambda text: [int(part) for part in text.strip('v').split('.')]
        return numbers(self.like) >= numbers(release)

    def fresh(self, stem):
        self.count += 1
        return f'{stem}{self.count}'

    def write(self, path, text):
        self.files[path] = odd.text_of(self, text) if isinstance(text, str) else text

    def documents(self, directory, stem, docs):
        """Writes documents into one file; its name."""
        name = self.fresh(stem) + '.yaml'
        head = self.rng.choice(['', '', '', '---\n', '# comment\n'])
        self.write(f'{directory}/{name}', head + '---\n'.join(document(d, self.rng) for d in docs))
        return name

    def own(self, directory, most, taken):
        """Resource files of a layer: their names and what is in them."""
        names, known = [], []
        for _ in range(self.rng.randint(0 if most < 3 else 1, most)):
            bodies = []
            for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
                body = resource(self.rng, rare.kinds, self.claims)
                meta = body['metadata']
                identity = (body['apiVersion'], body['kind'], bare(meta['name']), bare(meta.get('namespace') or 'default'))
                if any(k['id'][:3] == identity[:3] for k in known + taken) and (self.rng.random() < 0.8 or any(k['id'] == identity for k in known + taken)) and self.rng.random() < 0.995:
                    continue
                known.append({'id': identity, 'body': body, 'name': meta['name'], 'namespace': meta.get('namespace')})
                bodies.append(body)
            if not bodies:
                continue
            if len(bodies) > 1 and self.rng.random() < 0.1:
                kind = self.rng.choice(['List', 'List', 'ConfigMapList'])
                bodies = [{'apiVersion': 'v1', 'kind': kind, 'items': bodies}]
            names.append(self.documents(directory, 'r', bodies))
        return names, known

    def layer(self, stem, depth, kind, around=()):
        """Writes one layer with what is below it; its directory and the resources in it."""
        rng = self.rng
        directory = self.fresh(stem) if depth else stem
        k = {}
        if kind == 'Component':
            k.update({'apiVersion': 'kustomize.config.k8s.io/v1alpha1', 'kind': 'Component'})
        elif rng.random() < 0.2:
            k.update({'apiVersion': 'kustomize.config.k8s.io/v1beta1', 'kind': 'Kustomization'})
        below, known, prefixed = [], list(around), False
        if kind != 'Component' and depth < 3 and rng.random() < (0.6 if depth == 0 else 0.3) * self.size:
            for _ in range(rng.choice([1, 1, 2])):
                child, inner = self.layer('base', depth + 1, 'Kustomization', ())
                if any(i['id'][1] in UNNAMED and i['id'][1:3] in [k['id'][1:3] for k in known] for i in inner):
                    continue
                if any(i['id'] in [k['id'] for k in known] for i in inner) and rng.random() < 0.85:
                    wrapper = self.fresh('kept')
                    self.write(f'{wrapper}/kustomization.yaml', f'resources: [../{child}]\nnameSuffix: -{wrapper}\n')
                    self.hidden |= {i['id'][1:3] for i in inner}
                    child, inner = wrapper, []
                below.append('../' + child)
                known += inner
            if below and rng.random() < 0.06 and not any(k['id'][1] in UNNAMED for k in known):
                wrapper = self.fresh('twin')
                self.write(f'{wrapper}/kustomization.yaml', f'resources: [{below[0]}]\n' + rng.choice(['namePrefix: twin-\n', 'nameSuffix: -twin\n', 'namespace: twin\nnamePrefix: t-\n']))
                below.append('../' + wrapper)
                for one in known:
                    one['twice'] = True
        most = 1 if kind == 'Component' else 2 if below else 3
        names, mine = self.own(directory, most, known)
        fresh_ids = [k['id'] for k in known]
        known += [m for m in mine if m['id'] not in fresh_ids]
        k['resources'] = below + names
        rng.shuffle(k['resources'])
        if rng.random() < 0.05:
            k['bases'], k['resources'] = [e for e in k['resources'] if e.startswith('..')], [e for e in k['resources'] if not e.startswith('..')]
        fields.generators(self, k, directory, known, depth)
        if depth < 3 and rng.random() < (0.35 if depth == 0 else 0.15) * self.size:
            k['components'] = []
            for _ in range(rng.choice([1, 1, 2])):
                component, known = self.layer('comp', depth + 1, 'Component', known)
                k['components'].append('../' + component)
            if rng.random() < 0.1:
                k['components'].append(k['components'][0])
        fields.transformers(self, k, directory, known, depth, prefixed)
        if depth == 0:
            fields.root_only(self, k)
        rare.fields(self, k, directory, known)
        odd.layer(self, k, directory)
        unusual.few(self, k, directory, lambda body: self.documents(directory, 'v', [body]))
        if not any(v for n, v in k.items() if n not in ('apiVersion', 'kind')) and rng.random() < 0.9:
            k['namePrefix'] = 'only-'
        items = [(name, value) for name, value in k.items() if value not in ([], None) or rng.random() < 0.05]
        rng.shuffle(items)
        items = unusual.spelled(rng, items)
        rng.spice, rng.anchors = rng.random() < 0.1, {} if rng.random() < 0.03 else None
        text = '\n'.join(line for name, value in items for line in lines({name: value}, rng, rng.random() < 0.3)) + '\n'
        self.write(f'{directory}/{rng.choice(["kustomization.yaml"] * 8 + ["kustomization.yml", "Kustomization"])}', unusual.behind(rng, text))
        return directory, known
