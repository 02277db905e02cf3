"""Resources that refer to each other, as applications have them."""
import unusual
from scalars import KEYS, nasty, some_key, tree
from text import Raw

NAMES = ['web', 'api', 'db', 'cache', 'b-1']
CONFIG = ['conf', 'settings', 'web']
SECRETS = ['creds', 'tls', 'web']
ACCOUNTS = ['runner', 'default', 'web']
IMAGES = ['nginx', 'nginx:1.25', 'redis:7@sha256:abc123', 'reg.example.com:5000/team/app:v1', 'busybox@sha256:ff00', 'team/app']
CONTAINERS = ['app', 'side', 'init', 'log']
NAMESPACES = ['blue', 'green', 'default']


def maybe(rng, chance, make):
    return make() if rng.random() < chance else None


def drop_none(mapping):
    return {k: v for k, v in mapping.items() if v is not None}


def quoted(rng, value):
    style = rng.random()
    return Raw(f'"{value}"') if style < 0.15 else Raw(f"'{value}'") if style < 0.25 else value


def some(rng, low, high, make):
    return [make() for _ in range(rng.randint(low, high))]


def unique(items, name):
    seen, out = set(), []
    for item in items:
        if str(item.get(name)) not in seen:
            seen.add(str(item.get(name)))
            out.append(item)
    return out


def env(rng):
    name = rng.choice(['A', 'B', 'C', 'HOST'])
    pick = rng.random()
    if pick < 0.3:
        return {'name': name, 'valueFrom': {'configMapKeyRef': {'name': rng.choice(CONFIG), 'key': 'k'}}}
    if pick < 0.45:
        return {'name': name, 'valueFrom': {'secretKeyRef': {'name': rng.choice(SECRETS), 'key': 'k'}}}
    if pick < 0.6:
        return {'name': name, 'value': Raw(rng.choice(['"$(SVC)"', '$(PORT)', '"http://$(SVC):$(PORT)"', '"$$(SVC)"', '"$(NONE)"']))}
    return {'name': name, 'value': rng.choice(['v', Raw('"1"'), Raw('"true"'), 'text with spaces'])}


def env_from(rng):
    return {'configMapRef': {'name': rng.choice(CONFIG)}} if rng.random() < 0.6 else {'secretRef': {'name': rng.choice(SECRETS)}}


def port(rng):
    return drop_none({'containerPort': rng.choice([80, 8080, 9090]), 'protocol': maybe(rng, 0.5, lambda: rng.choice(['TCP', 'UDP'])),
                      'name': maybe(rng, 0.5, lambda: rng.choice(['http', 'metrics']))})


def container(rng):
    return drop_none({
        'name': rng.choice(CONTAINERS), 'image': maybe(rng, 0.85, lambda: quoted(rng, rng.choice(IMAGES))),
        'args': maybe(rng, 0.3, lambda: rng.choice([['--x', '$(SVC)'], ['a'], []])),
        'env': maybe(rng, 0.5, lambda: some(rng, 0, 3, lambda: env(rng))),
        'envFrom': maybe(rng, 0.3, lambda: some(rng, 1, 2, lambda: env_from(rng))),
        'ports': maybe(rng, 0.4, lambda: some(rng, 1, 3, lambda: port(rng))),
        'volumeMounts': maybe(rng, 0.3, lambda: some(rng, 1, 2, lambda: {'name': rng.choice(['v', 'w']), 'mountPath': rng.choice(['/a', '/b'])})),
        'resources': maybe(rng, 0.2, lambda: {'limits': {'cpu': rng.choice([1, Raw('"1"'), '500m']), 'memory': '64Mi'}}),
        'securityContext': maybe(rng, 0.1, lambda: rng.choice([{}, {'runAsUser': 1}, {'capabilities': {'add': ['X']}}])),
    })


def volume(rng):
    source = rng.choice([
        lambda: {'configMap': {'name': rng.choice(CONFIG)}}, lambda: {'secret': {'secretName': rng.choice(SECRETS)}},
        lambda: {'emptyDir': {}}, lambda: {'persistentVolumeClaim': {'claimName': rng.choice(NAMES)}},
        lambda: {'projected': {'sources': [{'configMap': {'name': rng.choice(CONFIG)}}, {'secret': {'name': rng.choice(SECRETS)}}]}},
    ])
    return {'name': rng.choice(['v', 'w', 'x']), **source()}


def pod_spec(rng, distinct=True):
    containers = some(rng, 1, 3, lambda: container(rng))
    return drop_none({
        'serviceAccountName': maybe(rng, 0.3, lambda: rng.choice(ACCOUNTS)),
        'initContainers': maybe(rng, 0.2, lambda: unique(some(rng, 1, 2, lambda: container(rng)), 'name')),
        'containers': unique(containers, 'name') if distinct else containers,
        'volumes': maybe(rng, 0.5, lambda: unique(some(rng, 1, 3, lambda: volume(rng)), 'name')),
        'tolerations': maybe(rng, 0.15, lambda: [{'key': rng.choice('ab'), 'operator': 'Exists'}]),
        'imagePullSecrets': maybe(rng, 0.15, lambda: [{'name': rng.choice(SECRETS)}]),
        'hostAliases': maybe(rng, 0.05, lambda: [{'ip': rng.choice(['10.0.0.1', '10.0.0.2']), 'hostnames': ['h']}]),
        'nodeSelector': maybe(rng, 0.1, lambda: rng.choice([{'disk': 'ssd'}, {}])),
        'topologySpreadConstraints': maybe(rng, 0.1, lambda: [{'topologyKey': rng.choice(['zone', 'node']), 'whenUnsatisfiable': rng.choice(['DoNotSchedule', 'ScheduleAnyway']), 'maxSkew': 1, 'labelSelector': {'matchLabels': {'app': 'web'}}}]),
        'affinity': maybe(rng, 0.1, lambda: {'podAntiAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': [{'topologyKey': 'zone', 'labelSelector': {'matchLabels': {'app': 'web'}}}]}}),
        'restartPolicy': maybe(rng, 0.1, lambda: 'Always'),
    })


def template(rng):
    return drop_none({'metadata': maybe(rng, 0.6, lambda: rng.choice([{'labels': {'app': 'web'}}, {'labels': {'app': 'web'}, 'annotations': {'a': 'b'}}, {}])),
                      'spec': pod_spec(rng)})


def workload(rng, kind, claims=True):
    spec = {'replicas': maybe(rng, 0.5, lambda: rng.choice([1, 3, Raw('"3"')])),
            'selector': maybe(rng, 0.6, lambda: {'matchLabels': {'app': 'web'}}), 'template': template(rng)}
    if kind == 'DaemonSet':
        spec.pop('replicas')
    if kind == 'Deployment':
        spec['strategy'] = maybe(rng, 0.15, lambda: rng.choice([{'type': 'Recreate'}, {'type': 'RollingUpdate', 'rollingUpdate': {'maxSurge': 1}}]))
    if kind == 'StatefulSet':
        spec['serviceName'] = maybe(rng, 0.7, lambda: rng.choice(NAMES))
        if claims:
            spec['volumeClaimTemplates'] = maybe(rng, 0.4, lambda: [{'metadata': {'name': 'data'}, 'spec': {'accessModes': ['ReadWriteOnce']}}])
    return {'apiVersion': 'apps/v1', 'kind': kind, 'spec': drop_none(spec)}


def job(rng, kind):
    inner = {'template': template(rng)}
    return {'apiVersion': 'batch/v1', 'kind': kind, 'spec': inner if kind == 'Job' else {'schedule': '* * * * *', 'jobTemplate': {'spec': inner}}}


def service_port(rng):
    return drop_none({'port': rng.choice([80, 443]), 'protocol': maybe(rng, 0.4, lambda: rng.choice(['TCP', 'UDP'])),
                      'targetPort': maybe(rng, 0.4, lambda: rng.choice([8080, 'http'])), 'name': maybe(rng, 0.4, lambda: rng.choice(['http', 'tls']))})


def service(rng):
    return {'apiVersion': 'v1', 'kind': 'Service', 'spec': drop_none({'selector': maybe(rng, 0.7, lambda: {'app': 'web'}), 'ports': some(rng, 1, 3, lambda: service_port(rng))})}


def config_map(rng):
    data = {some_key(rng) if rng.random() < 0.4 else rng.choice(['k', 'host', 'port']): nasty(rng) if rng.random() < 0.4 else rng.choice(['v', Raw('"8080"'), 'a:b:c', 'example.org'])
            for _ in range(rng.randint(0, 3))}
    return drop_none({'apiVersion': 'v1', 'kind': 'ConfigMap', 'data': data if data or rng.random() < 0.3 else None,
                      'binaryData': maybe(rng, 0.05, lambda: {'bin': 'AAEC'}), 'immutable': maybe(rng, 0.05, lambda: True)})


def secret(rng):
    return drop_none({'apiVersion': 'v1', 'kind': 'Secret', 'type': maybe(rng, 0.6, lambda: 'Opaque'), 'data': maybe(rng, 0.6, lambda: {'k': 'djE=', 'p': 'cHc='}),
                      'stringData': maybe(rng, 0.3, lambda: {'s': nasty(rng)})})


def ingress(rng):
    return {'apiVersion': 'networking.k8s.io/v1', 'kind': 'Ingress', 'spec': {
        'rules': [{'host': 'example.org', 'http': {'paths': some(rng, 1, 2, lambda: {'path': '/', 'pathType': 'Prefix', 'backend': {'service': {'name': rng.choice(NAMES), 'port': {'number': 80}}}})}}],
        **({'tls': [{'secretName': rng.choice(SECRETS), 'hosts': ['example.org']}]} if rng.random() < 0.4 else {})}}


def binding(rng, kind):
    subject = lambda: drop_none({'kind': rng.choice(['ServiceAccount', 'ServiceAccount', 'User', 'Group']), 'name': rng.choice(ACCOUNTS),
                                 'namespace': maybe(rng, 0.4, lambda: rng.choice(NAMESPACES))})
    role = rng.choice(['Role', 'ClusterRole']) if kind == 'RoleBinding' else 'ClusterRole'
    return drop_none({'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': kind, 'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': role, 'name': rng.choice(NAMES)},
                      'subjects': maybe(rng, 0.9, lambda: some(rng, 1, 3, subject))})


def custom(rng):
    version = rng.choice(['example.com/v1', 'example.com/v1', 'example.com/v2', 'serving.knative.dev/v1', 'v1'])
    body = {'apiVersion': version, 'kind': rng.choice(['Foo', 'Foo', 'Bar', 'Service' if 'knative' in version else 'Baz']),
            'spec': tree(rng) if rng.random() < 0.5 else drop_none({
                'ref': {'name': rng.choice(NAMES + CONFIG)}, 'image': rng.choice(IMAGES), 'replicas': rng.choice([1, 2]),
                'items': maybe(rng, 0.5, lambda: some(rng, 0, 3, lambda: {'name': rng.choice('abc'), 'v': nasty(rng)})),
                'containers': maybe(rng, 0.3, lambda: [{'name': 'app', 'image': rng.choice(IMAGES)}]),
                'template': maybe(rng, 0.2, lambda: template(rng)), 'data': maybe(rng, 0.4, lambda: tree(rng, 2))})}
    if not isinstance(body['spec'], dict):
        body['spec'] = {'value': body['spec']}
    return body


def simple(version, kind, **fields):
    return {'apiVersion': version, 'kind': kind, **fields}


def others(rng):
    return rng.choice([
        lambda: simple('v1', 'ServiceAccount', **({'imagePullSecrets': [{'name': rng.choice(SECRETS)}]} if rng.random() < 0.4 else {}), **({'secrets': [{'name': rng.choice(SECRETS)}]} if rng.random() < 0.3 else {})),
        lambda: simple('rbac.authorization.k8s.io/v1', rng.choice(['Role', 'ClusterRole']), rules=[{'apiGroups': [''], 'resources': ['secrets'], 'resourceNames': [rng.choice(SECRETS)], 'verbs': ['get']}]),
        lambda: binding(rng, 'RoleBinding'), lambda: binding(rng, 'ClusterRoleBinding'),
        lambda: simple('v1', 'Namespace'),
        lambda: simple('v1', 'PersistentVolumeClaim', spec={'accessModes': ['ReadWriteOnce'], 'volumeName': rng.choice(NAMES), 'storageClassName': rng.choice(NAMES)}),
        lambda: simple('v1', 'PersistentVolume', spec={'storageClassName': rng.choice(NAMES), 'claimRef': {'name': rng.choice(NAMES), 'namespace': 'blue'}}),
        lambda: simple('storage.k8s.io/v1', 'StorageClass', provisioner='p'),
        lambda: simple('autoscaling/' + rng.choice(['v1', 'v2', 'v2beta2']), 'HorizontalPodAutoscaler', spec={'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': rng.choice(['Deployment', 'StatefulSet']), 'name': rng.choice(NAMES)}, 'maxReplicas': 3}),
        lambda: simple('policy/' + rng.choice(['v1', 'v1beta1']), 'PodDisruptionBudget', spec={'minAvailable': 1, **rng.choice([{}, {'selector': {'matchLabels': {'app': 'web'}}}])}),
        lambda: simple('networking.k8s.io/v1', 'NetworkPolicy', spec={'podSelector': rng.choice([{}, {'matchLabels': {'app': 'web'}}]), 'ingress': [{'from': [{'podSelector': {'matchLabels': {'app': 'web'}}}]}]}),
        lambda: simple('apiextensions.k8s.io/v1', 'CustomResourceDefinition', spec={'group': 'example.com', 'names': {'kind': 'Foo'}, 'conversion': {'webhook': {'clientConfig': {'service': {'name': rng.choice(NAMES), 'namespace': 'x'}}}}}),
        lambda: simple('admissionregistration.k8s.io/v1', rng.choice(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']), webhooks=[{'name': 'w', 'clientConfig': {'service': {'name': rng.choice(NAMES), 'namespace': rng.choice(NAMESPACES)}}}]),
        lambda: simple('apiregistration.k8s.io/v1', 'APIService', spec={'version': 'v1', **rng.choice([{}, {'service': {'name': rng.choice(NAMES), 'namespace': 'x'}}])}),
        lambda: simple('v1', 'Pod', spec=pod_spec(rng)),
        lambda: simple('cert-manager.io/v1', rng.choice(['ClusterIssuer', 'Certificate']), spec={'secretName': rng.choice(SECRETS)}),
        lambda: simple('apps/v1beta1', 'Deployment', spec={'replicas': 1, 'template': template(rng)}),
        lambda: simple('v1', 'Endpoints', subsets=[]), lambda: simple('v1', 'ResourceQuota', spec={'hard': {'pods': rng.choice([1, Raw('"1"')])}}),
    ])()


def pool(kind):
    return CONFIG if kind == 'ConfigMap' else SECRETS if kind == 'Secret' else ACCOUNTS[:1] + ['web'] if kind == 'ServiceAccount' else NAMES


def resource(rng, odd, claims=True, numbers=True):
    """One resource with metadata."""
    make = rng.choices([lambda: workload(rng, 'Deployment'), lambda: workload(rng, 'StatefulSet', claims), lambda: workload(rng, 'DaemonSet'),
                        lambda: job(rng, 'Job'), lambda: job(rng, 'CronJob'), lambda: service(rng), lambda: config_map(rng), lambda: secret(rng),
                        lambda: ingress(rng), lambda: custom(rng), lambda: others(rng), lambda: odd(rng)], [7, 2, 1, 1, 1, 3, 5, 2, 2, 5, 7, 3])[0]
    body = make()
    name = rng.choice(pool(body['kind']))
    if numbers and rng.random() < 0.03:
        name = rng.choice([Raw('123'), Raw('e5'), Raw('"4"'), Raw("'12'"), Raw('0x1')])
    meta = drop_none({
        'name': quoted(rng, name) if not isinstance(name, Raw) else name,
        'namespace': maybe(rng, 0.12, lambda: rng.choice(NAMESPACES)),
        'labels': maybe(rng, 0.35, lambda: drop_none({'app': rng.choice(['web', 'api']), 'tier': maybe(rng, 0.4, lambda: rng.choice(['front', Raw('"1"'), Raw('2'), Raw('true'), Raw('~')]))})),
        'annotations': maybe(rng, 0.25, lambda: {rng.choice(['note', 'example.com/x', 'z']): nasty(rng) for _ in range(rng.randint(0, 2))}),
    })
    if rng.random() < 0.03:
        meta.setdefault('annotations', {})['config.kubernetes.io/local-config'] = rng.choice([Raw('"true"'), Raw('"false"'), Raw('"no"')])
    if rng.random() < 0.04:
        meta['finalizers'] = ['a', 'b']
    unusual.owned(rng, meta, body)
    head = {'apiVersion': body.pop('apiVersion'), 'kind': body.pop('kind'), 'metadata': meta}
    items = list({**head, **body}.items())
    if rng.random() < 0.1:
        rng.shuffle(items)
    return dict(items)


def bare(value):
    """The text of a scalar without its quotes."""
    text = str(value)
    return text[1:-1] if isinstance(value, Raw) and text[:1] in '"\'' else text


KEYS_OF_DATA = KEYS
