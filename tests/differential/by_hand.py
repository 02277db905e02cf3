#!/usr/bin/env python3
"""Makes what an Argo CD Application or a Flux Kustomization adds to a kustomization file by hand, and builds it with Kustomize.

    by_hand.py --oracle kubectl [PAGE…]

For each output of the pages of tests/cases/deployed: the additions that the object asks for are written into a copy of the
kustomization file (by this script, which knows nothing of kzui: the fields as the documentation of Argo CD and Flux describes them),
the released program builds the copy, and its bytes must be those of the page. What happens after the build is a second build of what
came out: postBuild replaces texts in it, commonMetadata is transformers of labels and annotations with field specs of their own. What a
.sourceignore leaves out is asked of git.
Needs PyYAML and git. Exit 1 when bytes differ.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
ELSEWHERE = 'without an output'


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
             'ARGOCD_APP_SOURCE_REPO_URL': source.get('repoURL', ''), 'ARGOCD_APP_SOURCE_TARGET_REVISION': source.get('targetRevision', ''),
             **app['given']}
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


def listed(folder, root):
    """What Flux lists where there is no kustomization file."""
    found = []
    for directory, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith('.'))
        for name in list(folders):
            if os.path.exists(os.path.join(directory, name, 'kustomization.yaml')):
                found.append(os.path.relpath(os.path.join(directory, name), folder))
                folders.remove(name)
        found += [os.path.relpath(os.path.join(directory, name), folder) for name in sorted(names) if name.endswith(('.yaml', '.yml')) and not name.startswith('.')]
    left_out = ignored([os.path.relpath(os.path.join(folder, name), root) for name in found], root)
    return sorted(name for name in found if os.path.relpath(os.path.join(folder, name), root) not in left_out)


def ignored(paths, root):
    """What the files .sourceignore leave out: git has the same rules for its own."""
    with tempfile.TemporaryDirectory() as place:
        for directory, _, names in os.walk(root):
            if '.sourceignore' in names:
                into = os.path.join(place, os.path.relpath(directory, root))
                os.makedirs(into, exist_ok=True)
                shutil.copy(os.path.join(directory, '.sourceignore'), os.path.join(into, '.gitignore'))
        subprocess.run(['git', 'init', '-q', place], check=True)
        said = subprocess.run(['git', '-C', place, 'check-ignore', '--no-index', '--stdin'], input='\n'.join(paths), capture_output=True, text=True)
    return said.stdout.splitlines()


def substituted(text, variables, lenient):
    """postBuild in the text of one object, as Flux' documentation describes it."""
    if re.search(r'kustomize\.toolkit\.fluxcd\.io/substitute: disabled', text):
        return text

    def value(found):
        if found[0] == '$$':
            return '$'
        name, rest = found[1], found[2] or ''
        if name not in variables and lenient:
            return found[0]
        said = variables.get(name, '')
        if rest.startswith((':=', ':-')):
            return said or rest[2:]
        if rest.startswith(('=', '-')):
            return variables.get(name, rest[1:])
        return {'^^': said.upper(), ',,': said.lower(), '': said}[rest]

    # An escaped sign is left alone together with what it escapes.
    return re.sub(r'\$\$|\$\{(\w+)([^}]*)\}', value, text)


def after_the_build(spec, text, given, build):
    post = spec.get('postBuild', {})
    if post:
        lenient = bool(post.get('substituteFrom'))
        variables = {**(given if lenient else {}), **post.get('substitute', {})}
        text = '---\n'.join(substituted(part, variables, lenient) for part in text.split('---\n'))
    common = spec.get('commonMetadata', {})
    kinds = [('labels', 'LabelTransformer'), ('annotations', 'AnnotationsTransformer')]
    entries = [
        {'apiVersion': 'builtin', 'kind': kind, 'metadata': {'name': field}, field: common[field], 'fieldSpecs': [{'path': f'metadata/{field}', 'create': True}]}
        for field, kind in kinds if common.get(field)
    ]
    with tempfile.TemporaryDirectory() as place:
        for number, entry in enumerate(entries):
            with open(os.path.join(place, f'{number}.yaml'), 'w', encoding='utf-8') as file:
                yaml.safe_dump(entry, file, sort_keys=False)
        with open(os.path.join(place, 'all.yaml'), 'w', encoding='utf-8') as file:
            file.write(text)
        with open(os.path.join(place, 'kustomization.yaml'), 'w', encoding='utf-8') as file:
            yaml.safe_dump({'resources': ['all.yaml'], 'transformers': [f'{number}.yaml' for number in range(len(entries))]}, file)
        return build(place)


def check(page, oracle):
    files, outputs = read(page)
    if not outputs:
        return ELSEWHERE
    return 'same' if all([check_output(page, files, said, wanted, oracle) for said, wanted in outputs]) else 'differs'


def check_output(page, files, said, wanted, oracle):
    flags = said.get('flags', '').split(',')
    given = dict(flags[at + 1].split('=', 1) for at, flag in enumerate(flags) if flag == '--env')
    objects = yaml.safe_load_all(files[said['target'].split('#')[0]]) if said.get('target', '').split('#')[0] in files else []
    name = said.get('target', '').partition('#')[2]
    app = next((one for one in objects if not name or one['metadata']['name'] == name), None)
    if app is None:
        app = next(one for text in files.values() if 'toolkit.fluxcd' in text or 'argoproj' in text for one in yaml.safe_load_all(text))
    app['given'] = given
    is_flux = app['apiVersion'].startswith('kustomize.toolkit')
    with tempfile.TemporaryDirectory() as root:
        for name, body in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
            with open(os.path.join(root, name), 'w', encoding='utf-8') as file:
                file.write(body)
        source = app['spec'] if is_flux else app['spec'].get('source') or next(one for one in app['spec']['sources'] if 'kustomize' in one or 'chart' not in one)
        folder = os.path.join(root, source.get('path', '.').lstrip('/'))
        path = os.path.join(folder, 'kustomization.yaml')
        k = yaml.safe_load(open(path, encoding='utf-8')) if os.path.exists(path) else {'resources': listed(folder, root)}
        (flux if is_flux else argo)(app, k, folder)
        with open(path, 'w', encoding='utf-8') as file:
            yaml.safe_dump({key: value for key, value in k.items() if value not in ([], {})}, file, sort_keys=False)
        restrictor = ['--load-restrictor', 'LoadRestrictionsNone'] if is_flux else []
        restrictor += [flag for flag in flags if flag.startswith(('--load', '--reorder'))]
        errors = []

        def build(place):
            built = subprocess.run([*oracle, *restrictor, place], capture_output=True, text=True)
            errors.append(built.stderr)
            return built.stdout

        text = build(folder)
        if is_flux and ('postBuild' in app['spec'] or 'commonMetadata' in app['spec']):
            text = after_the_build(app['spec'], text, given, build)
        if text != wanted:
            print(f'{page}: differs\n{"".join(errors)}--- by hand\n{text}--- page\n{wanted}')
        return text == wanted


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
