import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { launcherOf } from '../../fleet/launchers';
import { readEnd } from '../../kit/readEnd';
import { readTextOrNull } from '../../schema/document';
import { environmentSchema, type NodeEnvironment } from '../../schema/environment';
import { DATA_ROOT } from '../dataLeft';
import { type Clients, onEachClient } from './launch';
import { type Execute, execute as executeForReal, failureOf } from './process';

/** Machines that are about to become the clients of a run, as they are. */
export interface MachinesFound {
  /** Why nothing can be measured on them, a line for each reason; empty where it can. */
  readonly problems: readonly string[];
  /** Differences between them that a reader of the results must know. */
  readonly notices: readonly string[];
  /** Processors of the smallest; `null` where none described itself. */
  readonly cpus: number | null;
  /**
   * Programs that some lack, or have in another version, a line for each; of those that machines describe themselves with.
   *
   * @param programs by their names in a description: `openmpi`, `fio`
   */
  readonly lacks: (programs: readonly string[]) => readonly string[];
}

interface ExamineOptions {
  /** @default - it goes on to its end */
  readonly abort?: AbortSignal;
  /** @default - real processes */
  readonly execute?: Execute;
}

/** Timeout for each of the two questions, whose own are shorter. */
const ANSWER_SECONDS = 120;

/** Asks each machine, before anything is measured, whether it has the directory and the programs, and how it differs from the others. */
export async function examineMachines(
  clients: Clients,
  directory: string,
  { abort = new AbortController().signal, execute = executeForReal }: ExamineOptions = {},
): Promise<MachinesFound> {
  const outputs = mkdtempSync(join(tmpdir(), 'fsxbench-machines-'));
  const root = join(directory, DATA_ROOT);
  mkdirSync(root, { recursive: true });
  const seen = mkdtempSync(join(root, 'seen-'));
  try {
    writeFileSync(join(seen, 'here'), '');
    const ask = (script: string, ...args: string[]) =>
      askEach(clients, [`${clients.config.home}/bin/${script}`, ...args], { outputs, abort, execute });
    const directories = await ask('check-directory', directory, join(relative(directory, seen), 'here'));
    const described = await ask('describe-node');
    const problems = directories.filter(({ failure }) => failure !== null);
    const nodes = described.flatMap(({ name, text }) => {
      const facts = readTextOrNull(environmentSchema, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
      return facts === null ? [] : [{ name, facts }];
    });
    const silent = described.filter(({ name }) => !nodes.some((node) => node.name === name));
    return {
      problems: together(problems.map(({ name, failure }) => ({ name, says: failure ?? '' }))),
      // One that no machine describes itself with is started, and then says itself what is wrong.
      lacks: (programs) => programs.filter(isDescribed(nodes)).flatMap((tool) => lackOf(tool, nodes)),
      notices: [
        ...together(silent.map(({ name, failure }) => ({ name, says: `does not describe itself (${failure})` }))),
        ...differences(nodes),
      ],
      cpus: nodes.reduce<number | null>(
        (least, { facts: { cpus } }) => (cpus === undefined ? least : Math.min(least ?? cpus, cpus)),
        null,
      ),
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

interface Answer {
  readonly name: string;
  readonly text: string;
  /** In its own words; `null` for success. */
  readonly failure: string | null;
}

async function askEach(
  clients: Clients,
  command: readonly string[],
  { outputs, abort, execute }: { readonly outputs: string; readonly abort: AbortSignal; readonly execute: Execute },
): Promise<Answer[]> {
  const own = launcherOf(clients.config).peers?.own;
  return Promise.all(
    onEachClient(clients, 'all', command).map(async ({ argv }, index): Promise<Answer> => {
      const outputFile = join(outputs, `${index}`);
      writeFileSync(outputFile, '');
      const failure = failureOf(await execute({ argv, outputFile, timeoutSeconds: ANSWER_SECONDS }, abort));
      const text = readEnd(outputFile);
      const lines = text.trim().split('\n');
      const last = lines.filter((line) => !own?.test(line)).at(-1) || lines.at(-1);
      const said = last?.replace(/^\S+ \S+: error: /, '').slice(0, 300);
      return { name: clients.addresses[index] ?? '', text, failure: failure === null ? null : said || failure };
    }),
  );
}

/** `n2, n3: there is no directory /fsx here`: what several say, once. */
function together(answers: readonly { readonly name: string; readonly says: string }[]): string[] {
  return [...Map.groupBy(answers, ({ says }) => says)].map(([says, own]) => `${namesOf(own)}: ${says}`);
}

/** `n1`, `n1, n2 and 14 more`. */
function namesOf(machines: readonly { readonly name: string }[]): string {
  const names = machines.map(({ name }) => name);
  return names.length <= 4 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

const isDescribed =
  (nodes: readonly Described[]) =>
  (tool: string): boolean =>
    nodes.some(({ facts }) => facts.tools?.[tool] !== undefined);

interface Described {
  readonly name: string;
  readonly facts: NodeEnvironment;
}

/** A program that some lack, or have in another version: ranks of two versions of MPI do not find one another. */
function lackOf(tool: string, nodes: readonly Described[]): string[] {
  const versions = Map.groupBy(nodes, ({ facts }) => facts.tools?.[tool] ?? '');
  const without = versions.get('') ?? [];
  if (without.length > 0)
    return [`${namesOf(without)}: no ${tool} on the PATH: install it, or load its module before the run`];
  if (versions.size < 2) return [];
  const found = [...versions].map(([version, own]) => `${version} on ${namesOf(own)}`).join('; ');
  return [`${tool} differs from machine to machine (${found}): load the same one everywhere, or leave some out`];
}

const COMPARED: readonly (readonly [what: string, of: (facts: NodeEnvironment) => unknown])[] = [
  ['system', ({ os }) => os?.name],
  ['kernel', ({ kernel }) => kernel],
  ['number of processors', ({ cpus }) => cpus],
  ['processor', ({ cpuModel }) => cpuModel],
  ['memory', ({ memoryBytes }) => memoryBytes && `${Math.round(memoryBytes / 2 ** 30)} GiB`],
  ['instance type', ({ instance }) => instance?.type],
  ['Lustre client', ({ lustre }) => lustre?.lctl ?? lustre?.lfs],
];

function differences(nodes: readonly Described[]): string[] {
  return COMPARED.flatMap(([what, of]) => {
    const values = Map.groupBy(nodes, ({ facts }) => String(of(facts) ?? 'unknown'));
    if (values.size < 2) return [];
    const found = [...values].map(([value, own]) => `${value} on ${namesOf(own)}`).join('; ');
    return [`The clients differ in their ${what}: ${found}.`];
  });
}
