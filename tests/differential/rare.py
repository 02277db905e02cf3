"""What few trees have: schemas, types described for the fields of a custom kind, plugins in directories, odd kinds."""
import json

from resources import CONFIG, NAMES, SECRETS, drop_none, pod_spec, template
from text import Block, lines

VERSIONS = ['v1', 'v1', 'v2']


def fields(tree, k, directory, known):
    rng = tree.rng
    if rng.random() < 0.03:
        k['openapi'] = schema(tree, directory) if rng.random() < 0.9 else {'version': 'v1.21.2'}
    if rng.random() < 0.03:
        k['crds'] = [definitions(tree, directory)]


def schema(tree, directory):
    """A schema of a custom kind, and sometimes where it lives."""
    rng = tree.rng
    merging = {'x-kubernetes-patch-merge-key': rng.choice(['name', 'v']), 'x-kubernetes-patch-strategy': rng.choice(['merge', 'merge', 'replace', 'merge,retainKeys'])}
    items = {'type': 'array', 'items': {'type': 'object'}, **merging}
    kind = {'group': 'example.com', 'version': rng.choice(VERSIONS), 'kind': rng.choice(['Foo', 'Bar'])}
    properties = {'items': items, 'containers': {**items, 'items': {'type': 'object', 'properties': {'env': items}}}, 'data': {'type': 'object', 'additionalProperties': items}}
    body = {'definitions': {'example.' + kind['kind']: {'type': 'object', 'x-kubernetes-group-version-kind': [kind], 'properties': {'spec': rng.choice([{'type': 'object', 'properties': properties}, {'$ref': '#/definitions/example.Spec'}])}},
                            'example.Spec': {'type': 'object', 'properties': properties}}}
    if rng.random() < 0.4:
        place = rng.choice(['', '/namespaces/{namespace}'])
        body['paths'] = {f'/apis/example.com/{kind["version"]}{place}/things/{{name}}': {'get': {'x-kubernetes-action': 'get', 'x-kubernetes-group-version-kind': kind}}}
    name = tree.fresh('schema') + '.json'
    tree.files[f'{directory}/{name}'] = json.dumps(body, indent=1) + '\n'
    return {'path': name}


def definitions(tree, directory):
    """What `crds` takes: types, and what their fields mean."""
    rng = tree.rng
    reference = lambda kind: {'type': 'object', 'x-kubernetes-object-ref-api-version': 'v1', 'x-kubernetes-object-ref-kind': kind, **rng.choice([{}, {'x-kubernetes-object-ref-name-key': 'name'}])}
    spec = {'ref': reference(rng.choice(['ConfigMap', 'Secret', 'Service'])), 'items': rng.choice([reference('ConfigMap'), {'type': 'array'}]),
            'image': rng.choice([{'type': 'string', 'x-kubernetes-identity': ''}, {'type': 'string'}]),
            'labels': {'type': 'object', 'x-kubernetes-label-selector': ''}, 'marks': {'type': 'object', 'x-kubernetes-annotation': ''}}
    whole = {'apiVersion': {'type': 'string'}, 'kind': {'type': 'string'}, 'metadata': {'$ref': 'meta.v1.ObjectMeta'}, 'spec': {'$ref': 'example.v1.FooSpec'}}
    body = {'example.v1.Foo': {'Schema': {'type': 'object', 'properties': whole}}, 'example.v1.FooSpec': {'Schema': {'type': 'object', 'properties': spec}}}
    name = tree.fresh('crd') + '.json'
    tree.files[f'{directory}/{name}'] = json.dumps(body, indent=1) + '\n'
    return name


def together(rng, make):
    """A few configurations in one."""
    out = {}
    for _ in range(rng.choice([1, 1, 2, 3])):
        for name, specs in make(rng).items():
            out[name] = out.get(name, []) + [spec for spec in specs if spec not in out.get(name, [])]
    return out


def housed(tree, directory, entries):
    """Entries for plugins, sometimes in a kustomization of their own."""
    rng = tree.rng
    if rng.random() > 0.2 or any(isinstance(e, Block) for e in entries):
        return entries
    house = tree.fresh('plug')
    moved = []
    for entry in entries:
        tree.files[f'{house}/{entry}'] = tree.files.pop(f'{directory}/{entry}')
        moved.append(entry)
    k = {'resources': moved, **rng.choice([{}, {}, {'namePrefix': 'plug-'}, {'namespace': 'plugged'}, {'commonAnnotations': {'by': 'house'}}])}
    tree.write(f'{house}/kustomization.yaml', '\n'.join(line for name, value in k.items() for line in lines({name: value}, rng)) + '\n')
    return ['../' + house]


def kinds(rng):
    """Kinds that few people write by hand."""
    simple = lambda version, kind, **rest: {'apiVersion': version, 'kind': kind, **rest}
    return rng.choice([
        lambda: simple('v1', 'ReplicationController', spec=drop_none({'replicas': rng.choice([None, 2]), 'selector': rng.choice([None, {'app': 'web'}]), 'template': template(rng)})),
        lambda: simple('apps/v1', 'ReplicaSet', spec={'replicas': 1, 'selector': {'matchLabels': {'app': 'web'}}, 'template': template(rng)}),
        lambda: simple('v1', 'PodTemplate', template=template(rng)),
        lambda: simple('scheduling.k8s.io/v1', 'PriorityClass', value=rng.choice([1, 1000])),
        lambda: simple('v1', 'Node', spec={'configSource': {'configMap': {'name': rng.choice(CONFIG), 'namespace': 'blue'}}, 'podCIDRs': ['10.0.0.0/8']}),
        lambda: simple('networking.k8s.io/v1', 'Ingress', spec={'defaultBackend': {'service': {'name': rng.choice(NAMES)}}, 'ingressClassName': rng.choice(NAMES)}),
        lambda: simple('networking.k8s.io/v1beta1', 'Ingress', spec={'backend': {'serviceName': rng.choice(NAMES)}, 'rules': [{'http': {'paths': [{'backend': {'serviceName': rng.choice(NAMES), 'servicePort': 80}}]}}]}),
        lambda: simple('networking.k8s.io/v1', 'IngressClass', spec={'controller': 'x'}),
        lambda: simple('storage.k8s.io/v1', 'StorageClass', provisioner='p', parameters={'secretName': rng.choice(SECRETS), 'secretRef': rng.choice(SECRETS)}),
        lambda: simple('rbac.authorization.k8s.io/v1', 'ClusterRole', rules=[{'resources': ['configmaps', 'secrets'], 'resourceNames': [rng.choice(CONFIG), rng.choice(SECRETS), rng.choice(NAMES)], 'verbs': ['get']}], **rng.choice([{}, {'aggregationRule': {'clusterRoleSelectors': [{'matchLabels': {'app': 'web'}}]}}])),
        lambda: simple('v1', 'Pod', spec={**pod_spec(rng), 'priorityClassName': rng.choice(NAMES), 'ephemeralContainers': [{'name': 'e', 'image': 'nginx', 'env': [{'name': 'A', 'valueFrom': {'configMapKeyRef': {'name': rng.choice(CONFIG)}}}]}]}),
        lambda: simple('v1', 'LimitRange', spec={'limits': [{'type': 'Pod', 'max': {'cpu': '1'}}]}),
        lambda: simple('v1', 'ConfigMap', data={'k': 'v'}, immutable=True, binaryData={'b': 'AA=='}),
        lambda: simple('batch/v1beta1', 'CronJob', spec={'schedule': '@daily', 'jobTemplate': {'metadata': {'labels': {'app': 'web'}}, 'spec': {'template': template(rng)}}}),
        lambda: simple('extensions/v1beta1', 'Deployment', spec={'template': template(rng)}),
        lambda: simple('policy/v1beta1', 'PodSecurityPolicy', spec={'privileged': False}),
        lambda: simple('example.com/v1', 'FooList', items=[simple('v1', 'ConfigMap', metadata={'name': 'in-list-' + rng.choice('abc')}, data={'a': 'b'})]) if rng.random() < 0.3 else simple('example.com/v1', 'Namespace', spec={}),
        lambda: simple('flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema', spec={'distinguisherMethod': {'type': 'x'}}),
        lambda: simple('apiregistration.k8s.io/v1', 'APIService', spec={'service': {'name': rng.choice(NAMES), 'namespace': 'x', 'port': 443}}),
        lambda: simple('autoscaling/v2', 'HorizontalPodAutoscaler', spec={'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'name': rng.choice(NAMES)}, 'metrics': [{'type': 'Resource'}]}),
    ])()
