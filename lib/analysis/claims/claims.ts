import { BENCHMARKS } from '../../benchmark/registry';
import { type Claim, claimsOf, type Judgement, judge, normalStorage, studies } from '../../claims';
import type { Validity } from '../../schema/issue';
import { compressionOf } from '../arm';
import type { Subject } from '../subject';
import { conditionsOf } from './conditions';
import { observe } from './observed';

/** Every published figure against the run: those of the benchmark's own study first, then those of the others. */
export function verdicts(subject: Subject, validity: Validity): Judgement[] {
  const own = BENCHMARKS.find(({ name }) => name === subject.benchmark)?.study;
  const names = studies().map(({ study }) => study);
  const ordered = own === undefined ? names : [own, ...names.filter((study) => study !== own)];
  const seen = memoisedLookup(subject);
  return ordered
    .flatMap((study) => claimsOf(study))
    .map((claim) => {
      const { tasks, arms, conditions } = seen(claim);
      const observation = observe(subject, claim, tasks, arms);
      return judge(claim, observation, { ...conditions, elsewhere: subject.elsewhere?.claims ?? null, validity });
    });
}

/** Conditions by which {@link memoisedLookup} tells apart the parts of a run. */
const PARTS = ['layer', 'storage', 'compression', 'operation', 'threads', 'clients', 'pattern', 'window', 'dataSet'];

/** Looks up the part of a run that a claim is about: a figure for LZ4 is compared with an arm with LZ4. Without a match it is the whole run. */
function memoisedLookup(subject: Subject): (claim: Claim) => ReturnType<typeof findFor> {
  const patterns = new Map<string, string>();
  for (const { step, pattern } of subject.samples) if (pattern !== null) patterns.set(step, pattern);
  const known = new Map<string, ReturnType<typeof findFor>>();
  return (claim) => {
    const key = JSON.stringify({ ...claim.conditions, layer: claim.layer }, PARTS);
    const found = known.get(key) ?? findLayer(subject, claim, patterns) ?? findFor(subject, claim, patterns);
    known.set(key, found);
    return found;
  };
}

type Arms = Subject['arms'];

/** A layer below the file system is measured once, before anything else, on one of the arms; `null` if it was not, on storages that have none. */
function findLayer(subject: Subject, claim: Claim, patterns: ReadonlyMap<string, string>) {
  const { layer } = claim;
  if (layer === undefined) return null;
  const tasks = subject.tasks.filter(
    ({ phase, superseded, step }) => phase === 'setup' && !superseded && patterns.get(step) === layer,
  );
  const measured = subject.arms.filter(({ name }) => tasks.some(({ arm }) => arm === name));
  const having = subject.arms.filter(
    ({ storage, configuration }) =>
      // A layer has a name of its own in place of the file system's.
      configuration !== null && 'storage' in (storage?.documented.conditions?.(configuration, layer) ?? {}),
  );
  const arms = measured.length > 0 ? measured : having;
  if (arms.length === 0) return null;
  return { tasks, arms, conditions: conditionsOf(subject, tasks, claim, arms) };
}

function findFor(subject: Subject, claim: Claim, patterns: ReadonlyMap<string, string>) {
  const { storage, compression, operation, threads, clients, pattern } = claim.conditions;
  const [compressions, storages] = [listOf(compression), listOf(storage).map(normalStorage)];
  const compressing = subject.arms.filter((arm) => isAmong(compressions, compressionOf(arm)));
  const ofStorage = compressing.filter((arm) => isAmong(storages, normalStorage(storageOf(arm))));
  // Most studies are of one storage. A run of another storage must show all other differences as well.
  const fitting = ofStorage.length > 0 ? ofStorage : compressing;
  const arms = fitting.length > 0 ? fitting : subject.arms;
  const names = new Set(arms.map(({ name }) => name));
  const onArms = subject.measured.filter((task) => names.has(task.arm));
  const ofOperation = onArms.filter((task) => operation === undefined || task.operation === operation);
  const ofThreads = ofOperation.filter(
    (task) =>
      (task.threads === null || isAmong(listOf(threads), String(task.threads))) &&
      (task.plannedNodes === null || isAmong(listOf(clients), String(task.plannedNodes))),
  );
  const tasks = ofThreads.filter(({ step }) => pattern === undefined || patterns.get(step) === String(pattern));
  const nearest = [tasks, ofThreads, ofOperation, onArms].find(({ length }) => length > 0) ?? [];
  return { tasks, arms: fitting, conditions: conditionsOf(subject, nearest, claim, arms) };
}

/** The storage of an arm, as studies name it. */
function storageOf({ storage, configuration }: Arms[number]): string {
  const said = configuration === null ? undefined : storage?.documented.conditions?.(configuration).storage;
  return String(said ?? storage?.label ?? '');
}

const isAmong = (wanted: readonly string[], value: string): boolean => wanted.length === 0 || wanted.includes(value);

const listOf = (value: unknown): string[] => [value ?? []].flat().map(String);
