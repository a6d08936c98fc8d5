import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { TOOLS } from '../../lib/workload/lookup';
import { importsOf, nodesOf, ROOT, SOURCES, sourceOf } from '../support/sources';

const WORKLOAD = join(ROOT, 'lib', 'workload');
const REGISTRY = join('lib', 'workload', 'registry.ts');
const COMMON = `${join('lib', 'workload', 'common')}/`;

/** Folders of plug-ins: one a tool. `common` is what they share. */
const PLUG_INS = readdirSync(WORKLOAD, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'common')
  .map(({ name }) => name);

/** Names that no engine may know. du and compsize measure space, which is the storage's business. */
const NAMES = TOOLS.map(({ id }) => id).filter((id) => !['du', 'compsize'].includes(id));

/** Names that are also English words: these must not be compared with the field that names a tool. */
const WORDS = ['command'];

const pluginOf = (path: string): string | undefined =>
  PLUG_INS.find((name) => path.startsWith(`${join('lib', 'workload', name)}/`));

/** A benchmark's own folder, which may import the tools that it is about. */
const isBenchmark = (path: string): boolean => /^lib\/benchmark\/(?!common\/)[a-z]+\//.test(path);

const isEngine = (path: string): boolean =>
  path !== REGISTRY && pluginOf(path) === undefined && !path.startsWith(COMMON);

/** The files of this project that a file imports. */
const importedBy = (path: string): string[] =>
  importsOf(sourceOf(path))
    .map(({ target }) => target)
    .filter((target) => target.startsWith('lib/'));

/** Places of a source in which a tool is known by name: a literal, a key, a property, a pattern. Prose for people is free. */
function namesIn(text: string, path = 'engine.ts'): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const isName = (word: string): boolean => NAMES.includes(word) && !WORDS.includes(word);
  return nodesOf(file).flatMap((node) => {
    const at = `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`;
    if (ts.isStringLiteralLike(node) && WORDS.includes(node.text) && NAMES.includes(node.text)) {
      const compared = ts.isBinaryExpression(node.parent) ? [node.parent.left, node.parent.right] : [];
      const keyed = ts.isPropertyAssignment(node.parent) ? [node.parent.name] : [];
      return [...compared, ...keyed].some((side) => /(?:^|\.)(?:tool|id)$/.test(side.getText())) ? [at] : [];
    }
    if (ts.isStringLiteralLike(node)) return isName(node.text) ? [at] : [];
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) return isName(node.name.text) ? [at] : [];
    if (ts.isPropertyAccessExpression(node)) return isName(node.name.text) ? [at] : [];
    if (ts.isRegularExpressionLiteral(node)) return node.text.split(/\W+/).some(isName) ? [at] : [];
    return [];
  });
}

test('there is a folder for each tool, and a tool for each folder', () => {
  expect([...PLUG_INS].sort()).toEqual(TOOLS.map(({ id }) => id).sort());
});

test('only the registry imports the folders of tools, and benchmarks those of the tools that they are about', () => {
  const engines = SOURCES.filter((path) => isEngine(path) && !isBenchmark(path));
  const offences = engines.flatMap((path) =>
    importedBy(path)
      .filter((target) => pluginOf(target) !== undefined)
      .map((target) => `${path} imports ${target}`),
  );
  expect(offences).toEqual([]);
});

test('a tool imports its own folder, what they share and the interfaces: no other tool, no engine', () => {
  const offences = SOURCES.flatMap((path) => {
    const own = pluginOf(path);
    if (own === undefined && !path.startsWith(COMMON)) return [];
    return importedBy(path)
      .filter((target) => {
        if (own !== undefined && pluginOf(target) === own) return false;
        return !/^lib\/(?:schema\/|workload\/(?:common\/|(?:operation|tool|workload)\.ts$))/.test(target);
      })
      .map((target) => `${path} imports ${target}`);
  });
  expect(offences).toEqual([]);
});

test('what looks for names finds them in every form', () => {
  const engine = `
    const a = tool === 'ior'; const b = { fio: 1 }; const c = tools.mdtest; const d = /^(?:ior|fio)$/; const e = \`dd\`;
    // 'ior' in a comment
    const f = action.tool === 'command'; const g = { tool: 'command' }; const h = plan === 'command';
    const message = 'install fio, or IOR with mpirun';`;
  expect(namesIn(engine)).toHaveLength(7);
});

test('no engine knows a tool by name', () => {
  const engines = SOURCES.filter(isEngine);
  expect(engines.flatMap((path) => namesIn(readFileSync(join(ROOT, path), 'utf8'), path))).toEqual([]);
});
