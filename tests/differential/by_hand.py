#!/usr/bin/env python3
"""Makes what an Argo CD Application or a Flux Kustomization adds to a kustomization file by hand, and builds it with Kustomize.

    by_hand.py --oracle kubectl [PAGE…]

For each page of tests/cases/deployed with one output: the additions that the object asks for are written into a copy of the
kustomization file (by this script, which knows nothing of kzui: the fields as the documentation of Argo CD and Flux describes them),
the released program builds the copy, and its bytes must be those of the page. What happens after the build (postBuild,
commonMetadata) is left out: those pages are counted as such. Needs PyYAML. Exit 1 when bytes differ.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
AFTER_THE_BUILD = 'it happens after the build'
ELSEWHERE = 'nothing is built, or a variable is given by hand'


def read(page):
    text = open(page, encoding='utf-8').read()
    files, outputs = {}, []
    for words, body in re.findall(r'^```[^ \n]* ([^\n]*)\n(.*?)^```$', text, re.M | re.S):
        said = dict(part.partition('=')[::2] for part in words.split())
        if 'file' in said:
            files[said['file']] = body
        elif said.get('expect') == 'output':
            outputs.append((said, body))
    return files, outputs


def image(text):
    """`name=new:tag@digest` as `kustomize edit set image` reads it."""
    name, _, new = text.rpartition('=')
    rest, _, digest = (new or text).partition('@')
    base, colon, tag = rest.rpartition(':')
    if not colon or '/' in tag:
        base, tag = rest, ''
    entry = {'name': name or base, 'newName': base if name else '', 'newTag': tag, 'digest': digest}
    return {key: value for key, value in entry.items() if value}


def expand(text, app):
    source = app['spec']['source']
    known = {'ARGOCD_APP_NAME': app['metadata']['name'], 'ARGOCD_APP_NAMESPACE': app['spec'].get('destination', {}).get('namespace', ''),
             'ARGOCD_APP_PROJECT_NAME': app['spec'].get('project', ''), 'ARGOCD_APP_SOURCE_PATH': source.get('path', ''),
             'ARGOCD_APP_SOURCE_REPO_URL': source.get('repoURL', ''), 'ARGOCD_APP_SOURCE_TARGET_REVISION': source.get('targetRevision', '')}
    return re.sub(r'\$(?:\{(\w+)\}|(\w+)|\$)', lambda it: '$' if it[0] == '$$' else known.get(it[1] or it[2], ''), text)


def by_name(k, field, entries):
    for entry in entries:
        k[field] = [one for one in k.get(field, []) if one.get('name') != entry['name']] + [entry]
    if entries:
        k[field].sort(key=lambda one: one['name'])


def argo(app, k, folder):
    spec = app['spec'].get('source') or next(one for one in app['spec']['sources'] if 'kustomize' in one or 'chart' not in one)
    options = spec.get('kustomize', {})
    app['spec']['source'] = spec
    for field in ('namePrefix', 'nameSuffix', 'namespace'):
        if options.get(field):
            k[field] = options[field]
    images = [image(expand(text, app)) for text in options.get('images', [])]
    for one in images:
        old = next((known for known in k.get('images', []) if known['name'] == one['name']), {})
        for field in ('newName', 'newTag', 'digest'):
            if one.get(field) == '*':
                one.pop(field)
                if field in old:
                    one[field] = old[field]
    by_name(k, 'images', images)
    by_name(k, 'replicas', [{'name': one['name'], 'count': int(one['count'])} for one in options.get('replicas', [])])
    labels = {key: expand(value, app) for key, value in options.get('commonLabels', {}).items()}
    if labels and options.get('labelWithoutSelector'):
        templates = bool(options.get('labelIncludeTemplates'))
        entry = next((one for one in k.get('labels', []) if not one.get('includeSelectors') and bool(one.get('includeTemplates')) == templates), None)
        if entry is None:
            entry = {'pairs': {}, **({'includeTemplates': True} if templates else {})}
            k.setdefault('labels', []).append(entry)
        entry['pairs'].update(labels)
    elif labels:
        k.setdefault('commonLabels', {}).update(labels)
    annotations = options.get('commonAnnotations', {})
    if options.get('commonAnnotationsEnvsubst'):
        annotations = {key: expand(value, app) for key, value in annotations.items()}
    if annotations:
        k.setdefault('commonAnnotations', {}).update(annotations)
    k.setdefault('patches', []).extend(options.get('patches', []))
    there = [path for path in options.get('components', []) if not options.get('ignoreMissingComponents') or os.path.exists(os.path.join(folder, path))]
    k.setdefault('components', []).extend(path for path in there if path not in k['components'])
    return spec.get('path', '.')


def flux(app, k, folder):
    spec = app['spec']
    for field, own in (('targetNamespace', 'namespace'), ('namePrefix', 'namePrefix'), ('nameSuffix', 'nameSuffix')):
        if spec.get(field):
            k[own] = spec[field]
    k.setdefault('patches', []).extend(spec.get('patches', []))
    there = [path for path in spec.get('components', []) if not spec.get('ignoreMissingComponents') or os.path.exists(os.path.join(folder, path))]
    k.setdefault('components', []).extend(there)
    for one in spec.get('images', []):
        known = next((known for known in k.setdefault('images', []) if known['name'] == one['name']), None)
        if known is None:
            k['images'].append(dict(one))
            continue
        if one.get('newName'):
            known['newName'] = one['newName']
        if one.get('newTag') or one.get('digest'):
            known.pop('newTag', None), known.pop('digest', None)
            known.update({field: one[field] for field in ('newTag', 'digest') if one.get(field)})
    if spec.get('buildMetadata'):
        k['buildMetadata'] = spec['buildMetadata']


def listed(folder):
    """What Flux lists where there is no kustomization file; the pages with a `.sourceignore` are read by another rule."""
    found = []
    for directory, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith('.'))
        for name in list(folders):
            if os.path.exists(os.path.join(directory, name, 'kustomization.yaml')):
                found.append(os.path.relpath(os.path.join(directory, name), folder))
                folders.remove(name)
        found += [os.path.relpath(os.path.join(directory, name), folder) for name in sorted(names) if name.endswith(('.yaml', '.yml')) and not name.startswith('.')]
    return sorted(found)


def check(page, oracle):
    files, outputs = read(page)
    if len(outputs) != 1 or 'flags' in outputs[0][0] or not outputs[0][0].get('target', '').endswith('.yaml'):
        return ELSEWHERE
    said, wanted = outputs[0]
    app = next(yaml.safe_load_all(files[said['target']]))
    is_flux = app['apiVersion'].startswith('kustomize.toolkit')
    if is_flux and ('postBuild' in app['spec'] or 'commonMetadata' in app['spec']):
        return AFTER_THE_BUILD
    with tempfile.TemporaryDirectory() as root:
        for name, body in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
            with open(os.path.join(root, name), 'w', encoding='utf-8') as file:
                file.write(body)
        source = app['spec'] if is_flux else app['spec'].get('source') or next(one for one in app['spec']['sources'] if 'kustomize' in one or 'chart' not in one)
        folder = os.path.join(root, source.get('path', '.').lstrip('/'))
        path = os.path.join(folder, 'kustomization.yaml')
        if any(name.endswith('.sourceignore') for name in files):
            return 'a list that only .sourceignore explains'
        k = yaml.safe_load(open(path, encoding='utf-8')) if os.path.exists(path) else {'resources': listed(folder)}
        (flux if is_flux else argo)(app, k, folder)
        with open(path, 'w', encoding='utf-8') as file:
            yaml.safe_dump({key: value for key, value in k.items() if value not in ([], {})}, file, sort_keys=False)
        restrictor = ['--load-restrictor', 'LoadRestrictionsNone'] if is_flux else []
        built = subprocess.run([*oracle, *restrictor, folder], capture_output=True, text=True)
        if built.stdout == wanted:
            return 'same'
        print(f'{page}: differs\n{built.stderr}--- by hand\n{built.stdout}--- page\n{wanted}')
        return 'differs'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--oracle', default='kubectl')
    parser.add_argument('pages', nargs='*', default=sorted(glob.glob(os.path.join(HERE, '..', 'cases', 'deployed', '*.md'))))
    options = parser.parse_args()
    oracle = [options.oracle, 'kustomize' if 'kubectl' in os.path.basename(options.oracle) else 'build']
    tally = {}
    for page in options.pages:
        tally.setdefault(check(page, oracle), []).append(os.path.basename(page)[:-3])
    for what, names in tally.items():
        print(f'{len(names)} {what}' + ('' if what == 'same' else f': {", ".join(names)}'))
    sys.exit('differs' in tally)


if __name__ == '__main__':
    main()
