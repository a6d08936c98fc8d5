import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { readEnd } from '../../common/files';
import { plain } from '../../common/format/units';
import { launcherOf } from '../../fleet/registry';
import { readTextOrNull } from '../../schema/document';
import {
  environmentSchema,
  type LoadReading,
  loadReadingSchema,
  type NodeEnvironment,
  SHARE_OF_OTHERS,
} from '../../schema/environment';
import { targetsAway } from '../../storage/common/lustre';
import { DATA_ROOT } from '../dataLeft';
import { armArguments } from './directory';
import { type Clients, onEachClient } from './launch';
import { type Execute, execute as executeForReal, failureOf } from './process';
import { BUILD, isBuilt, programOf, TOOLS } from './tools';

export interface FoundMachine {
  readonly name: string;
  readonly problem: string | null;
  readonly facts: NodeEnvironment | null;
  /** Other users' programs that were running there, with their share of the CPUs; `null` if unknown. */
  readonly others: { readonly share: number; readonly names: readonly string[] } | null;
}

const ANSWER_SECONDS = 120;

export type MachinesFound = Awaited<ReturnType<typeof examineMachines>>;

/** Asks each machine, before anything is measured, whether it has the directory and the programs, and how it differs from the others. */
export async function examineMachines(clients: Clients, directory: string, execute: Execute = executeForReal) {
  const root = join(directory, DATA_ROOT);
  mkdirSync(root, { recursive: true });
  const seen = mkdtempSync(join(root, 'seen-'));
  // Last: a directory that may not be written leaves nothing here.
  const outputs = mkdtempSync(join(tmpdir(), 'fsxbench-machines-'));
  try {
    writeFileSync(join(seen, 'here'), '');
    const ask = (of: Clients, script: string, ...args: string[]) =>
      askEach(of, [`${clients.config.home}/bin/${script}`, ...args], { outputs, execute });
    // At once: a machine that does not answer costs its wait once.
    const [directories, described] = await Promise.all([
      ask(clients, 'check-directory', directory, join(relative(directory, seen), 'here')),
      ask(clients, 'describe-node', ...armArguments(clients.config), ...new Set(TOOLS.map(programOf))),
    ]);
    const facts = described.map(({ text }) => readTextOrNull(environmentSchema, documentIn(text)));
    // Alone: the two earlier questions must not be mistaken for other users' work.
    const there = clients.addresses.filter((_, index) => facts[index] !== null);
    const alone = clients.addresses.length === 0 || there.length > 0;
    const loads = alone ? await ask({ ...clients, addresses: there }, 'client-load') : [];
    const readings = new Map(
      loads.map(({ name, text }) => [name, readTextOrNull(loadReadingSchema, documentIn(text))]),
    );
    const machines = directories.map(({ name, failure: problem }, index): FoundMachine => {
      const reading = readings.get(name) ?? null;
      return { name, problem, facts: facts[index] ?? null, others: reading && othersIn(reading) };
    });
    const nodes = machines.flatMap(({ name, facts: own }) => (own === null ? [] : [{ name, facts: own }]));
    const cpus = nodes.flatMap(({ facts: own }) => own.cpus ?? []);
    // One that is not reached has said so already.
    const silent = described.filter(
      ({ failure }, index) => facts[index] === null && failure !== directories[index]?.failure,
    );
    return {
      /** Reasons why nothing can be measured on them, a line for each; empty if they can measure. */
      problems: together(machines.map(({ name, problem }) => ({ name, says: problem }))),
      /** Tools that some lack, or have in another version, a line for each. @param tools by their names in client.json: `openmpi`, `fio` */
      lacks: (tools: readonly string[]) => tools.flatMap((tool) => lackOf(tool, nodes)),
      /** Differences between them that a reader of the results must know. */
      notices: [
        ...together(silent.map(({ name, failure }) => ({ name, says: `does not describe itself (${failure})` }))),
        ...differences(nodes),
        ...awayFrom(nodes),
        ...oneMachine(readings),
        ...machines.flatMap(describeBusy),
      ],
      machines,
      /** CPUs of the smallest; `null` without a description of any. */
      cpus: cpus.length === 0 ? null : Math.min(...cpus),
    };
  } finally {
    rmSync(outputs, { recursive: true, force: true });
    rmSync(seen, { recursive: true, force: true });
    try {
      rmdirSync(root);
    } catch {
      // Other runs have data there, or this one was there before.
    }
  }
}

/** The JSON in an output whose other lines are a log. */
export const documentIn = (text: string): string => /^\{.*\}/ms.exec(text)?.[0] ?? '';

const othersIn = ({ others, othersProcessors, processors }: LoadReading): FoundMachine['others'] =>
  othersProcessors === null
    ? null
    : { share: Math.min(1, othersProcessors / processors), names: others.map(({ name }) => name) };

function describeBusy({ name, others }: FoundMachine): string | [] {
  if (others === null || others.share < SHARE_OF_OTHERS) return [];
  const who = others.names.slice(0, 3).join(', ');
  return `On ${name || 'this computer'} other programs are running: they take ${plain(others.share * 100)} % of its processors (${who}).`;
}

interface Answer {
  readonly name: string;
  readonly text: string;
  /** In its own words; `null` for success. */
  readonly failure: string | null;
}

async function askEach(
  clients: Clients,
  command: readonly string[],
  { outputs, execute }: { readonly outputs: string; readonly execute: Execute },
): Promise<Answer[]> {
  const { own, lost } = launcherOf(clients.config).peers ?? {};
  const { signal } = new AbortController();
  return Promise.all(
    onEachClient(clients, 'all', command).map(async ({ argv }, index): Promise<Answer> => {
      const outputFile = join(outputs, `${basename(command[0] ?? '')}-${index}`);
      writeFileSync(outputFile, '');
      const name = clients.addresses[index] ?? '';
      const outcome = await execute({ argv, outputFile, timeoutSeconds: ANSWER_SECONDS }, signal);
      const failure = failureOf(outcome);
      const text = readEnd(outputFile);
      if (failure === null) return { name, text, failure };
      const lines = text.trim().split('\n');
      const last = lines.filter((line) => !own?.test(line)).at(-1) || lines.at(-1);
      const error = last?.replace(/^\S+ \S+: error: /, '').slice(0, 300) || failure;
      if (outcome.exitStatus === lost?.exitStatus) return { name, text, failure: `${error}: ${lost.next(name)}` };
      const { home } = clients.config;
      const without = lines.some((line) => line.includes(home) && line.endsWith('No such file or directory'));
      const hint = `there is no ${home} here: use --shared with a directory that all nodes have`;
      return { name, text, failure: without ? hint : error };
    }),
  );
}

/** `n2, n3: there is no directory /fsx here`: what several say, once; those who say nothing are left out. */
function together(answers: readonly { readonly name: string; readonly says: string | null }[]): string[] {
  const saying = answers.flatMap(({ name, says }) => (says === null ? [] : [{ name, says }]));
  return [...Map.groupBy(saying, ({ says }) => says)].map(([says, own]) =>
    [namesOf(own) || [], says].flat().join(': '),
  );
}

function namesOf(machines: readonly { readonly name: string }[]): string {
  const names = machines.map(({ name }) => name);
  return names.length <= 4 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

interface Described {
  readonly name: string;
  readonly facts: NodeEnvironment;
}

/** A tool that some lack, or have in another version: ranks of two MPI versions do not find one another. */
function lackOf(tool: string, nodes: readonly Described[]): string[] {
  if (!TOOLS.includes(tool)) return [];
  const program = programOf(tool);
  const without = nodes.filter(({ facts }) => facts.programs?.[program] === null);
  if (without.length > 0)
    return [
      `${namesOf(without)}: no ${program} on the PATH: install it, or load what has it (--module NAME; spack load in the shell that starts the run)${isBuilt(tool) ? `, or build it (${BUILD})` : ''}`,
    ];
  const found = valuesOf(nodes, ({ tools }) => tools?.[tool] || undefined);
  if (found === null) return [];
  return [
    `${tool} differs between the nodes (${found}): load the same version on all of them, or leave some nodes out`,
  ];
}

function awayFrom(nodes: readonly Described[]): string[] {
  const away = nodes.flatMap(({ name, facts }) =>
    targetsAway(Object.values(facts.arms ?? {})).map((target) => ({ name, target })),
  );
  return [...Map.groupBy(away, ({ target }) => target)].map(([target, own]) => {
    const who = namesOf(own) || 'this computer';
    return `${target} is inactive or does not answer on ${who}, so a run would measure the other targets alone: see lfs check servers; if it is inactive, activate it as root with lctl set_param '*.${target}-*.active=1'.`;
  });
}

/** Names of one computer: clients that say they are in the same boot, a number that the kernel draws. */
function oneMachine(readings: ReadonlyMap<string, LoadReading | null>): string[] {
  const known = [...readings].flatMap(([name, reading]) => (reading?.bootId ? [{ name, bootId: reading.bootId }] : []));
  const shared = [...Map.groupBy(known, ({ bootId }) => bootId).values()].filter((own) => own.length > 1);
  return shared.map(
    (own) =>
      `${namesOf(own)} are one computer under ${own.length} names: their rate is that of one client, and what it counts is counted once.`,
  );
}

export const lustreOf = ({ lustre }: NodeEnvironment): string | null => lustre?.lctl ?? lustre?.lfs ?? null;

const COMPARED: readonly (readonly [what: string, of: (facts: NodeEnvironment) => unknown])[] = [
  ['system', ({ os }) => os?.name],
  ['kernel', ({ kernel }) => kernel],
  ['number of processors', ({ cpus }) => cpus],
  ['processor', ({ cpuModel }) => cpuModel],
  ['memory', ({ memoryBytes }) => memoryBytes && `${Math.round(memoryBytes / 2 ** 30)} GiB`],
  ['instance type', ({ instance }) => instance?.type],
  ['Lustre client', lustreOf],
  ['MPI', ({ tools }) => tools?.openmpi],
];

const differences = (nodes: readonly Described[]): string[] =>
  COMPARED.flatMap(([what, of]) => {
    const found = valuesOf(nodes, of);
    return found === null ? [] : [`The clients differ in their ${what}: ${found}.`];
  });

/** Values of a fact with the nodes that have them; `null` if all nodes have the same. */
function valuesOf(nodes: readonly Described[], of: (facts: NodeEnvironment) => unknown): string | null {
  const values = Map.groupBy(nodes, ({ facts }) => String(of(facts) ?? 'unknown'));
  return values.size < 2 ? null : [...values].map(([value, own]) => `${value} on ${namesOf(own)}`).join('; ');
}
