import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { importsOf, ROOT, SOURCES, sourceOf } from './support/sources';

/** The floors of lib/, lowest first (docs/architecture.md): a folder imports from floors below its own, and from its neighbours on it. */
const FLOORS: readonly (readonly string[])[] = [
  ['schema', 'dashboard', 'common'],
  ['workload', 'price', 'estimate'],
  ['storage', 'fleet', 'lint', 'parse'],
  ['store', 'benchmark', 'claims'],
  ['observe', 'advise', 'predict', 'config', 'cost', 'plan'],
  ['run', 'constructs', 'scale', 'explore'],
  ['analysis', 'lab', 'deploy'],
  ['report', 'doctor'],
  ['cli'],
  ['bin'],
];

/** Folders whose subfolders are plug-ins, except these. */
const PLUG_INS_OF = ['workload', 'storage', 'fleet', 'benchmark'];
const NO_PLUG_IN = ['common', 'slices'];

/** The folder of lib/ that a source is in. lib/index.ts, constructs.ts and schemas.ts are entries, as those in bin/ are. */
function folderOf(path: string): string {
  const [top = '', folder = '', file] = path.split('/');
  return top === 'bin' || file === undefined ? 'bin' : folder;
}

const floorOf = (path: string): number => FLOORS.findIndex((floor) => floor.includes(folderOf(path)));

/** The plug-in that a source belongs to: `storage/lustre`; `undefined` for any other source. */
function plugInOf(path: string): string | undefined {
  const [, folder = '', name, file] = path.split('/');
  if (file === undefined || name === undefined) return undefined;
  return PLUG_INS_OF.includes(folder) && !NO_PLUG_IN.includes(name) ? `${folder}/${name}` : undefined;
}

/** Files that list plug-ins: they alone name them. */
const REGISTRIES = [
  ...PLUG_INS_OF.flatMap((folder) =>
    ['registry', 'filesystems', 'kinds', 'watches', 'changes'].map((name) => `lib/${folder}/${name}.ts`),
  ),
  'lib/constructs/storage/registry.ts',
  'lib/constructs/fleet/registry.ts',
  'lib/report/study/registry.ts',
  'lib/constructs.ts',
];

/** Sources that are about one plug-in: its CDK part, its sections of a report, and the changes of a file system, which only Lustre has. */
const ABOUT = /^lib\/(?:constructs\/(?:storage|fleet)|report\/study|scale|cli\/scale)\//;

const ARROWS = SOURCES.flatMap((path) =>
  importsOf(sourceOf(path))
    .filter(({ target }) => target.startsWith('lib/') && target.endsWith('.ts'))
    .map(({ target, typeOnly }) => ({ path, target, typeOnly })),
);
type Arrow = (typeof ARROWS)[number];

const worded = ({ path, target }: Pick<Arrow, 'path' | 'target'>): string => `${path} imports ${target}`;

/** Circles of a graph: groups of nodes each of which can be reached from each other (Tarjan's algorithm). */
function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node) as number);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) as number, low.get(next) as number));
    }
    if (low.get(node) !== index.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

function graphOf(arrows: readonly { readonly from: string; readonly to: string }[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of arrows) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

test('every folder of lib/ is on one floor', () => {
  const folders = readdirSync(join(ROOT, 'lib'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(
    FLOORS.flat()
      .filter((folder) => folder !== 'bin')
      .sort(),
  );
});

/** Imports from a floor above, types included. */
const upward = <A extends Pick<Arrow, 'path' | 'target'>>(arrows: readonly A[]): string[] =>
  arrows.filter(({ path, target }) => floorOf(target) > floorOf(path)).map(worded);

test('imports go down', () => {
  expect(upward(ARROWS)).toEqual([]);
});

test('no folder has more files side by side than a reader keeps in mind', () => {
  const files = new Map<string, number>();
  for (const path of SOURCES) files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1);
  expect([...files].filter(([, count]) => count > 25)).toEqual([]);
});

/** A benchmark may import the tool and the storage that it is about. */
const isAllowed = (from: string | undefined, to: string): boolean =>
  from === to || (from?.startsWith('benchmark/') === true && /^(?:workload|storage)\//.test(to));

test('only registries, and what is about one plug-in, import plug-ins; no plug-in imports the inside of another', () => {
  const inside = ARROWS.filter(({ path, target }) => {
    const to = plugInOf(target);
    return to !== undefined && !REGISTRIES.includes(path) && !ABOUT.test(path) && !isAllowed(plugInOf(path), to);
  });
  expect(inside.map(worded)).toEqual([]);
});

test('there is no circle of files when the program runs', () => {
  const loaded = ARROWS.filter(({ typeOnly }) => !typeOnly);
  expect(circlesOf(graphOf(loaded.map(({ path, target }) => ({ from: path, to: target }))))).toEqual([]);
});

test('files that know one another, types included, are few enough to read at once', () => {
  const circles = circlesOf(graphOf(ARROWS.map(({ path, target }) => ({ from: path, to: target }))));
  expect(circles.filter((files) => files.length > 7)).toEqual([]);
});

test('CDK is imported where things are deployed, and nowhere else', () => {
  const allowed = /^(?:bin\/app\.ts$|lib\/(?:constructs|deploy)\/)/;
  const offences = SOURCES.filter((path) => !allowed.test(path)).filter((path) =>
    importsOf(sourceOf(path)).some(({ target }) => /^(?:aws-cdk-lib|constructs|cdk-nag)(?:\/|$)/.test(target)),
  );
  expect(offences).toEqual([]);
});

/** Names of the types that a source exports where they are declared. */
function typesOf(path: string): string[] {
  return sourceOf(path).statements.flatMap((node) =>
    (ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isEnumDeclaration(node)) &&
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      ? [node.name?.text ?? '']
      : [],
  );
}

test('one name, one thing: no two exported types share their name', () => {
  const declared = new Map<string, string[]>();
  for (const path of SOURCES) {
    for (const type of typesOf(path)) declared.set(type, [...(declared.get(type) ?? []), path]);
  }
  const shared = [...declared].filter(([, paths]) => paths.length > 1);
  expect(shared.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
});

describe('what looks for offences finds them', () => {
  const fileOf = (text: string): ts.SourceFile =>
    ts.createSourceFile('lib/plan/x.ts', text, ts.ScriptTarget.Latest, true);

  test('in every form of an import', () => {
    const file = fileOf(`
      import { a } from '../run/driver/driver';
      import type { B } from '../schema/plan';
      import { type C } from '../schema/run';
      export * from '../workload';
      export type { D } from 'aws-cdk-lib';
      const e = await import('../common/mounts');
      let f: import('../lab/lab').Lab;
      import 'constructs';
      // import '../cli/program'`);
    expect(importsOf(file)).toEqual([
      { target: 'lib/run/driver/driver.ts', typeOnly: false },
      { target: 'lib/schema/plan.ts', typeOnly: true },
      { target: 'lib/schema/run.ts', typeOnly: true },
      { target: 'lib/workload', typeOnly: false },
      { target: 'aws-cdk-lib', typeOnly: true },
      { target: 'lib/common/mounts.ts', typeOnly: false },
      { target: 'lib/lab/lab.ts', typeOnly: true },
      { target: 'constructs', typeOnly: false },
    ]);
  });

  test('in circles of any length, and none where there is none', () => {
    const circle = ['ab', 'bc', 'cd', 'db', 'ae'].map(([from = '', to = '']) => ({ from, to }));
    expect(circlesOf(graphOf(circle))).toEqual([['b', 'c', 'd']]);
    expect(circlesOf(graphOf(circle.filter(({ from }) => from !== 'd')))).toEqual([]);
  });

  test('in imports from a floor above', () => {
    const planted = [
      ['lib/storage/lustre/index.ts', 'lib/cli/table.ts'],
      ['lib/constructs/storage/efs.ts', 'lib/deploy/arms.ts'],
      ['lib/benchmark/offload/plan/ladder.ts', 'lib/plan/plan.ts'],
      ['lib/scale/index.ts', 'lib/lab/lab.ts'],
      ['lib/workload/ior/index.ts', 'lib/run/runner.ts'],
      ['lib/analysis/summary.ts', 'lib/report/page.ts'],
    ].map(([path = '', target = '']) => ({ path, target }));
    expect(upward(planted)).toEqual(planted.map(worded));
    expect(upward(planted.map(({ path, target }) => ({ path: target, target: path })))).toEqual([]);
  });

  test('in imports of plug-ins, but of what a benchmark is about', () => {
    expect(isAllowed('benchmark/cluster', 'workload/dask')).toBe(true);
    expect(isAllowed('benchmark/cluster', 'benchmark/offload')).toBe(false);
    expect(isAllowed(plugInOf('lib/benchmark/common/steps.ts'), 'workload/dask')).toBe(false);
    expect(isAllowed(undefined, 'workload/dask')).toBe(false);
    expect(isAllowed('storage/lustre', 'storage/efs')).toBe(false);
  });

  test('in folders and plug-ins', () => {
    const sources = [
      'lib/storage/lustre/index.ts',
      'lib/storage/storage.ts',
      'lib/workload/common/asked.ts',
      'lib/index.ts',
    ];
    expect(sources.map(folderOf)).toEqual(['storage', 'storage', 'workload', 'bin']);
    expect(sources.map(plugInOf)).toEqual(['storage/lustre', undefined, undefined, undefined]);
  });
});
