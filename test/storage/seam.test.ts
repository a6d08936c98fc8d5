import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { STORAGES } from '../../lib/storage/registry';
import { importsOf, nodesOf, ROOT, SOURCES, sourceOf } from '../support/sources';

const FOLDER = 'lib/storage';

/** Folders of plug-ins: one a kind. `common` is what they share, the slices are the interface. */
const PLUG_INS = readdirSync(join(ROOT, FOLDER), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['common', 'slices'].includes(entry.name))
  .map(({ name }) => name);

const KINDS = STORAGES.map(({ kind }) => kind);

/** Words with other meanings: these must not be compared with the field that names a kind. */
const WORDS = ['directory', 'local'];

const pluginOf = (path: string): string | undefined => PLUG_INS.find((name) => path.startsWith(`${FOLDER}/${name}/`));

/** Only these lines know the folders: the registries of the halves. */
const REGISTRIES = [
  ...['registry', 'filesystems', 'changes', 'kinds', 'watches'].map((name) => `${FOLDER}/${name}.ts`),
  'lib/constructs/storage/registry.ts',
];

/** Sources that are about one storage. */
const ABOUT = /^lib\/(?:constructs\/storage|scale|cli\/scale)\//;

/** Entry that other applications import, which names what it exports. */
const EXPORTS = 'lib/constructs.ts';

/** A benchmark's own folder, which may import the storages that it is about. */
const isBenchmark = (path: string): boolean => /^lib\/benchmark\/(?!common\/)[a-z]+\//.test(path);

const isEngine = (path: string): boolean =>
  pluginOf(path) === undefined && path !== EXPORTS && !REGISTRIES.includes(path) && !ABOUT.test(path);

/** Places of a source in which a kind is known by name: a literal, or one that is compared with a kind. Prose for people is free. */
function namesIn(text: string, path = 'engine.ts'): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return nodesOf(file).flatMap((node) => {
    if (!ts.isStringLiteralLike(node) || !KINDS.includes(node.text)) return [];
    const at = `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`;
    const { parent } = node;
    if (ts.isImportDeclaration(parent)) return [];
    const beside = ts.isBinaryExpression(parent)
      ? [parent.left, parent.right]
      : ts.isPropertyAssignment(parent)
        ? [parent.name]
        : [];
    const isKind = beside.some((side) => /(?:^|\.)kind$/.test(side.getText()));
    return WORDS.includes(node.text) && !isKind ? [] : [at];
  });
}

test('there is a folder for each kind, and a kind for each folder', () => {
  expect([...PLUG_INS].sort()).toEqual(STORAGES.map(({ kind }) => kind).sort());
});

test('engines reach storages through the registries, benchmarks also those that they are about', () => {
  const engines = SOURCES.filter((path) => isEngine(path) && !isBenchmark(path));
  const offences = engines.flatMap((path) =>
    importsOf(sourceOf(path))
      .filter(({ target }) => pluginOf(target) !== undefined)
      .map(({ target }) => `${path} imports ${target}`),
  );
  expect(offences).toEqual([]);
});

test('no storage imports another', () => {
  const offences = SOURCES.flatMap((path) => {
    const own = pluginOf(path);
    if (own === undefined) return [];
    return importsOf(sourceOf(path))
      .filter(({ target }) => ![undefined, own].includes(pluginOf(target)))
      .map(({ target }) => `${path} imports ${target}`);
  });
  expect(offences).toEqual([]);
});

test('what looks for names finds them in every form', () => {
  const engine = `
    import { x } from './directory';
    const a = storage.kind === 'lustre'; const b = kind !== 'directory'; const c = { kind: 'directory' }; const d = ['lustre'];
    // 'lustre' in a comment
    const e = entry === 'directory'; const f = 'local'; const message = 'FSx for Lustre';`;
  expect(namesIn(engine)).toHaveLength(4);
});

test('no engine knows a kind by name', () => {
  // A benchmark names its arms' storage. Mounted file systems, the lab's, and the estimate's layouts have separate types, not kinds; so has the code
  // of a service in Service Quotas.
  const free =
    /^lib\/(?:benchmark\/[a-z]+|report\/study|estimate|lab)\/|^lib\/storage\/(?:filesystem|common\/(?:lustre|ebs))\.ts$/;
  const engines = SOURCES.filter((path) => isEngine(path) && !free.test(path));
  expect(engines.flatMap((path) => namesIn(readFileSync(join(ROOT, path), 'utf8'), path))).toEqual([]);
});
