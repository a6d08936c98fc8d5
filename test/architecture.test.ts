import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { importsOf, ROOT, SOURCES, sourceOf } from './support/sources';

/**
 * The rooms of lib/, lowest first (docs/architecture.md has the picture): a room imports from rooms below it, and from those that share
 * its line as long as no circle arises. `workload`, `storage`, `fleet` and `benchmark` are the interfaces of the plug-ins with their
 * lookups, kits and registries. A plug-in is one folder with several halves, each a room of its own: `storage/…` are the facts of all
 * storages, `storage/…/construct` what deploys them.
 */
const ROOMS: readonly (readonly string[])[] = [
  ['kit'],
  ['schema'],
  ['dashboard'],
  ['workload', 'storage', 'fleet', 'benchmark'],
  ['price'],
  ['workload/…', 'storage/…', 'fleet/…'],
  ['claims', 'lint', 'parse', 'estimate'],
  ['config', 'cost'],
  ['benchmark/kit'],
  ['benchmark/…/plan'],
  ['benchmark/…'],
  ['plan'],
  ['store'],
  ['run', 'observe'],
  ['predict'],
  ['advise'],
  ['explore'],
  ['analysis'],
  ['report'],
  ['benchmark/…/sections'],
  ['constructs'],
  ['storage/…/construct', 'fleet/…/construct'],
  ['deploy'],
  ['storage/…/scale'],
  ['lab', 'doctor'],
  ['cli', 'storage/…/cli'],
  ['bin'],
];

/** Rooms whose folders are plug-ins, what in them is none, and the halves of a plug-in that are more than its facts. */
const PLUG_INS_OF = ['workload', 'storage', 'fleet', 'benchmark'];
const NO_PLUG_IN = ['kit', 'slices'];
const HALVES = ['construct', 'plan', 'sections', 'scale', 'cli'];

/** The room of a source: `report`, `storage`, or `storage/lustre` for a plug-in's. */
function roomOf(path: string): string {
  const [top = '', room = '', folder, below] = path.split('/');
  if (top === 'bin') return top;
  // lib/index.ts, constructs.ts and schemas.ts are what other programs import: entries, as those in bin/ are.
  if (folder === undefined) return 'bin';
  if (!PLUG_INS_OF.includes(room) || below === undefined) return room;
  if (NO_PLUG_IN.includes(folder)) return room === 'benchmark' ? `${room}/${folder}` : room;
  return `${room}/${folder}`;
}

const isPlugIn = (room: string): boolean => room.includes('/') && !NO_PLUG_IN.includes(room.split('/')[1] ?? '');

/** The line of ROOMS that a source stands in: `storage/…/construct` for lib/constructs/storage/lustre/fileSystem.ts. */
function halfOf(path: string): string {
  const room = roomOf(path);
  if (!isPlugIn(room)) return room;
  const half = path.split('/')[3]?.replace(/\.ts$/, '') ?? '';
  return `${room.split('/')[0]}/…${HALVES.includes(half) ? `/${half}` : ''}`;
}

const levelOf = (path: string): number => ROOMS.findIndex((level) => level.includes(halfOf(path)));

/** The lines that register plug-ins: they alone name them, in either half of a seam. */
const REGISTRIES = [
  ...PLUG_INS_OF.flatMap((room) =>
    ['registry', 'constructs', 'filesystems', 'changes', 'commands', 'kinds', 'sections', 'watches'].map(
      (name) => `lib/${room}/${name}.ts`,
    ),
  ),
  'lib/constructs.ts',
];

const ARROWS = SOURCES.flatMap((path) =>
  importsOf(sourceOf(path))
    .filter(({ target }) => target.startsWith('lib/') && target.endsWith('.ts'))
    .map(({ target, typeOnly }) => ({ path, target, typeOnly, from: roomOf(path), to: roomOf(target) })),
);
type Arrow = (typeof ARROWS)[number];

const between = ARROWS.filter(({ from, to }) => from !== to);

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

test('every folder of lib/ is a room, and every room a folder', () => {
  const folders = readdirSync(join(ROOT, 'lib'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(
    ROOMS.flat()
      .filter((room) => room !== 'bin' && !room.includes('/'))
      .sort(),
  );
  expect(SOURCES.filter((path) => levelOf(path) < 0)).toEqual([]);
});

/** Imports from a room above, a plug-in's halves included. */
const upward = <A extends Pick<Arrow, 'path' | 'target'>>(arrows: readonly A[]): string[] =>
  arrows.filter(({ path, target }) => !REGISTRIES.includes(path) && levelOf(target) > levelOf(path)).map(worded);

test('no arrow goes upward, from or to a plug-in neither', () => {
  expect(upward(ARROWS)).toEqual([]);
});

test('no folder has more files side by side than a reader keeps in mind', () => {
  const files = new Map<string, number>();
  for (const path of SOURCES) files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1);
  expect([...files].filter(([, count]) => count > 25)).toEqual([]);
});

/** A benchmark may name the tool and the storage that it is about, instead of asking all of them for what only one can do. */
const isAbout = (from: string, to: string): boolean =>
  isPlugIn(from) && from.startsWith('benchmark/') && /^(?:workload|storage)\//.test(to);

test('only registries import plug-ins, but for a benchmark what it is about; no plug-in imports the inside of another', () => {
  const inside = between.filter(
    ({ path, from, to }) => isPlugIn(to) && !REGISTRIES.includes(path) && !isAbout(from, to),
  );
  expect(inside.map(worded)).toEqual([]);
});

test('there is no circle of rooms', () => {
  const engines = between.filter(({ from, to }) => !isPlugIn(from) && !isPlugIn(to));
  expect(circlesOf(graphOf(engines))).toEqual([]);
});

test('there is no circle of files when the program runs', () => {
  const loaded = ARROWS.filter(({ typeOnly }) => !typeOnly);
  expect(circlesOf(graphOf(loaded.map(({ path, target }) => ({ from: path, to: target }))))).toEqual([]);
});

test('CDK is imported where things are deployed, and nowhere else', () => {
  const allowed = [
    /^bin\/app\.ts$/,
    /^lib\/(?:constructs|deploy)\//,
    /^lib\/(?:fleet|storage)\/construct(?:s)?\.ts$/,
    /^lib\/(?:fleet|storage)\/[^/]+\/construct(?:\/[^/]+)?\.ts$/,
  ];
  const offences = SOURCES.filter((path) => !allowed.some((place) => place.test(path))).filter((path) =>
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
      const e = await import('../kit/mounts');
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

  test('in imports from above, of engines and of every half of a plug-in', () => {
    const planted = [
      ['lib/storage/lustre/index.ts', 'lib/cli/table.ts'],
      ['lib/constructs/storage/efs.ts', 'lib/deploy/arms.ts'],
      ['lib/benchmark/offload/plan/ladder.ts', 'lib/plan/plan.ts'],
      ['lib/report/study/cluster/index.ts', 'lib/deploy/price.ts'],
      ['lib/scale/index.ts', 'lib/lab/lab.ts'],
      ['lib/workload/ior/index.ts', 'lib/run/runner.ts'],
      ['lib/analysis/summary.ts', 'lib/report/page.ts'],
      ['lib/common/ownValue.ts', 'lib/schema/plan.ts'],
    ].map(([path = '', target = '']) => ({ path, target }));
    expect(upward(planted)).toEqual(planted.map(worded));
    expect(upward(planted.map(({ path, target }) => ({ path: target, target: path })))).toEqual([]);
  });

  test('in imports of plug-ins, but of what a benchmark is about', () => {
    expect(isAbout('benchmark/cluster', 'workload/dask')).toBe(true);
    expect(isAbout('benchmark/cluster', 'benchmark/offload')).toBe(false);
    expect(isAbout('benchmark/kit', 'workload/dask')).toBe(false);
    expect(isAbout('plan', 'workload/dask')).toBe(false);
    expect(isAbout('storage/lustre', 'storage/efs')).toBe(false);
  });

  test('in rooms of engines and of plug-ins', () => {
    const rooms = [
      'lib/storage/lustre/index.ts',
      'lib/storage/storage.ts',
      'lib/workload/common/clients.ts',
      'lib/index.ts',
    ];
    expect(rooms.map(roomOf)).toEqual(['storage/lustre', 'storage', 'workload', 'bin']);
    const halves = [
      'lib/constructs/storage/efs.ts',
      'lib/benchmark/common/steps.ts',
      'lib/benchmark/offload/plan/ladder.ts',
    ];
    expect(halves.map(halfOf)).toEqual(['storage/…/construct', 'benchmark/kit', 'benchmark/…/plan']);
  });
});
