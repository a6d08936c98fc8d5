import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { PLAN_SCALES } from '../../lib/benchmark/plan';
import { lintCommand } from '../../lib/lint';
import { parseFile, parseText } from '../../lib/parse';
import { meaningOf } from '../../lib/parse/codes';
import { makePlan } from '../../lib/plan/plan';
import type { ParseDocument } from '../../lib/schema/parse';
import type { Plan } from '../../lib/schema/plan';
import { betterOf, executableOf, operationOf, TOOLS, toolNamed, verbsOn } from '../../lib/workload/lookup';
import { type Operation, UNITS } from '../../lib/workload/operation';
import { OWN_PROGRAM, WORKLOADS } from '../../lib/workload/registry';
import type { Workload } from '../../lib/workload/workload';
import { casesOf } from '../parse/corpus';
import { workload as actionOf } from '../support/records';
import { ROOT } from '../support/sources';

const cases = casesOf();
const printing = TOOLS.filter(({ formats }) => formats !== undefined).map(({ id }) => id);

/** Logs of jobs with several tools in them. */
const OF_SEVERAL = /^joblog_|^ior_mixed_/;

const documents = new Map<string, ParseDocument>();
/** Reads each fixture once by itself and once for each tool; names the one on which a parser throws. */
function parsed(path: string, only?: string): ParseDocument {
  const key = JSON.stringify([path, only]);
  try {
    const document = documents.get(key) ?? parseFile(path, only);
    documents.set(key, document);
    return document;
  } catch (cause) {
    throw new Error(`the parser throws on ${basename(path)}: ${(cause as Error).message}`, { cause });
  }
}

/** Promises of every tool's parser on each of its recorded outputs. */
const PARSER_PROMISES: Readonly<Record<string, (path: string, tool: string) => void>> = {
  'gives finite values, or null with a reason': (path, tool) => {
    const { samples, summary } = parsed(path, tool);
    const missing = samples.filter(({ value, reason }) => (value === null ? !reason : !Number.isFinite(value)));
    const infinite = summary.filter(({ mean, max, min, reason, count }) =>
      count === 0 ? !reason : ![mean, max, min].every((value) => value === null || Number.isFinite(value)),
    );
    expect([path, missing, infinite]).toEqual([path, [], []]);
  },

  'says of each value what it is, and its unit': (path, tool) => {
    const unsaid = parsed(path, tool).samples.filter(({ operation, metric, unit }) =>
      [operation, metric, unit].includes(''),
    );
    expect([path, unsaid]).toEqual([path, []]);
  },

  'reads the same when the tool is known beforehand': (path, tool) => {
    if (!OF_SEVERAL.test(basename(path))) expect([path, parsed(path, tool)]).toEqual([path, parsed(path)]);
  },

  'is refused by every other tool': (path, tool) => {
    for (const other of printing.filter((each) => each !== tool)) {
      if (OF_SEVERAL.test(basename(path))) continue;
      const { samples, valid, complete } = parsed(path, other);
      expect([path, other, samples, valid && complete]).toEqual([path, other, [], false]);
    }
  },
};

describe.each(printing.filter((id) => id !== 'compsize'))('an output of %s', (id) => {
  const own = cases.filter(({ path }) => parsed(path).tool === id);

  test('is among the fixtures', () => expect(own.length).toBeGreaterThan(0));

  test.each(Object.entries(PARSER_PROMISES))('%s', (_, holds) => {
    for (const { path } of own) holds(path, id);
  });
});

test('every code of a problem or a caution has a meaning in lib/parse/codes.json', () => {
  const codes = cases.flatMap(({ path }) => {
    const { problems, cautions } = parsed(path);
    return [...problems, ...cautions];
  });
  expect(codes.length).toBeGreaterThan(100);
  expect(codes.filter((code) => meaningOf(code) === undefined)).toEqual([]);
});

test('a tool that is not known is an error that names it', () => {
  expect(() => toolNamed('bonnie')).toThrow(/^'tool' must be one of .*ior, .*, got 'bonnie'\. .*another release/);
  expect(() => parseText('x.out', '', undefined, '', 'bonnie')).toThrow("got 'bonnie'");
});

/** Programs and libraries that distributions have, by their names in assets/lab/needs.tsv. */
const PACKAGED = readFileSync(join(ROOT, 'assets', 'lab', 'needs.tsv'), 'utf8')
  .split('\n')
  .map((line) => line.split('\t')[0]);

/** Promises of every workload, whoever wrote it. */
const PROMISES: Readonly<Record<string, (workload: Workload) => void>> = {
  'has for each operation a verb, its unit and which way is better': ({ operations }) => {
    expect(operations.length).toBeGreaterThan(0);
    for (const { id, past, metric } of operations) {
      expect(past).toMatch(/^[a-z]+(?: [a-z]+)*$/);
      expect(Object.keys(UNITS)).toContain(metric);
      expect(betterOf(id, metric)).toBe(metric === 'seconds' ? 'lower' : 'higher');
    }
    expect(new Set(operations.map((each) => each.id)).size).toBe(operations.length);
  },

  'means one thing by an operation that another workload has, too': ({ operations }) => {
    const meaning = ({ id: of, past, metric }: Operation) => [of, past, metric];
    for (const operation of operations)
      for (const other of WORKLOADS.flatMap((each) => each.operations).filter((each) => each.id === operation.id))
        expect(meaning(other)).toEqual(meaning(operation));
  },

  'has commands that the linter knows no fault of, and that begin with its program': ({
    id,
    data,
    files,
    launch,
    operations,
    version: asked,
  }) => {
    const releases: readonly (string | undefined)[] = asked?.release?.versions ?? [undefined];
    const ofData = (data === undefined ? [] : releases).flatMap((version) =>
      [1, 1.65, 2.6, 3.5, 8].flatMap((target) => {
        const found = data?.ofRatio(target, version);
        const phase = { seconds: 300, maxBytesPerProcess: 2 ** 38, processesPerClient: 8, direct: true };
        const kinds = ['write', 'read'] as const;
        return found ? kinds.map((operation) => ({ version, words: found.command({ operation, ...phase }) })) : [];
      }),
    );
    const ofFiles = (['files', 'directories'] as const).flatMap((items) =>
      (files === undefined ? [] : verbsOn({ operations }, items)).flatMap((operation) =>
        releases.map((version) => ({
          version,
          words:
            files?.command({
              operation,
              items,
              count: 20_000,
              fileBytes: files.fills ? 4096 : 0,
              processesPerClient: 8,
            }) ?? [],
        })),
      ),
    );
    const commands = [...ofData, ...ofFiles];
    expect(commands.length > 0).toBe(data !== undefined || files !== undefined);
    for (const { version, words } of commands) {
      expect(words[0]).toBe(executableOf(id));
      const launched = launch.by === 'mpi' ? ['mpirun', '-npernode', '8', ...words] : words;
      const context = { clients: 4, repeated: true, ...(version === undefined ? {} : { iorVersion: version }) };
      const faults = lintCommand(launched, context).filter(({ severity }) => severity !== 'note');
      expect([words.join(' '), faults]).toEqual([words.join(' '), []]);
    }
    if (id === OWN_PROGRAM.tool) expect(OWN_PROGRAM.command(['cp', 'a', '{dir}'])[0]).toBe(executableOf(id));
  },

  'has a plan at every scale for all that it can do': ({ id, data, files }) => {
    for (const scale of PLAN_SCALES) {
      const arms = ['none', 'lz4'].map((name) => ({ name, description: name }));
      const common = { scale, arms, hourlyUsd: 0 };
      const fleet = { clients: 4, instanceType: null, ranksPerClient: 2 };
      const toolsOf = ({ steps }: Plan): string[] => [
        ...new Set(
          steps.flatMap(({ tasks }) => tasks.flatMap(({ action }) => ('tool' in action ? [action.tool] : []))),
        ),
      ];
      if (data !== undefined) {
        const set = [`tool=${id}`, 'compressibilities=1', 'reads=true'];
        expect(toolsOf(makePlan({ ...common, benchmark: compressionBench, fleet, plan: 'paired', set }))).toEqual([id]);
      }
      if (files !== undefined) {
        const set = [`tool=${id}`, `fileBytes=${files.fills ? 4096 : 0}`];
        expect(toolsOf(makePlan({ ...common, benchmark: metadataBench, fleet, plan: 'paired', set }))).toEqual([id]);
      }
      if (id === OWN_PROGRAM.tool) {
        const request = { ...common, benchmark: { name: 'AnyBench', plans: [] }, fleet, program: ['cp', 'a', '{dir}'] };
        expect(toolsOf(makePlan({ ...request, plan: 'command' }))).toEqual([id]);
      }
    }
  },

  'needs programs whose packages assets/lab/needs.tsv names': ({ installed }) => {
    const without = (installed?.uses ?? []).filter((name) => !PACKAGED.includes(name));
    expect(without).toEqual([]);
  },

  'makes no sample of an output that has no figures': ({ id, operations, values }) => {
    for (const operation of operations) {
      const action = actionOf(id, {
        operation: operation.verb,
        ...(operation.on === 'directories' || operation.on === 'files' ? { items: operation.on } : {}),
        ...(operations.some((one) => one !== operation && one.verb === operation.verb && one.on === operation.on)
          ? { operationId: operation.id }
          : {}),
      });
      expect(operationOf(action)).toBe(operation);
      const empty = parseText('x.out', '', undefined, '', id);
      expect(values(action, operation, [empty])).toEqual([]);
    }
  },
};

describe.each(WORKLOADS.map((workload) => [workload.id, workload] as const))('the workload %s', (_, workload) => {
  test.each(Object.entries(PROMISES))('%s', (__, holds) => holds(workload));
});
