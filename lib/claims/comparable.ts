import { readOptions } from '../lint/options';
import { IOR_WITH_VALUE } from '../lint/rules/ior';
import { MDTEST_WITH_VALUE } from '../lint/rules/mdtest';
import type { ConditionName, Conditions } from './schema';

const WORDS: Readonly<Partial<Record<ConditionName, string>>> = {
  deploymentType: 'deployment type',
  storageType: 'storage type',
  capacityGiB: 'capacity in GiB',
  perUnitMBps: 'throughput in MB/s per TiB',
  metadataIops: 'metadata IOPS',
  clients: 'number of clients',
  instanceType: 'instance type',
  ranks: 'number of processes',
  ranksPerClient: 'processes on a client',
  threads: 'number of threads',
  toolVersion: "tool's version",
  pattern: 'data pattern',
  stripeCount: 'stripe count',
  dataSet: 'data set',
  window: 'part of the run',
  lustreVersion: 'Lustre version',
  zfsVersion: 'ZFS version',
  os: 'operating system',
};

/** What keeps a run from being compared with a figure: a phrase for each condition that differs, or that nothing is known of. */
export function differences(published: Conditions, run: Readonly<Partial<Record<ConditionName, unknown>>>): string[] {
  return (Object.keys(published) as ConditionName[]).flatMap((name) => {
    const [wanted, found] = [published[name], run[name]];
    if (wanted === undefined) return [];
    const word = WORDS[name] ?? name;
    if (found === undefined || found === null)
      return [`the ${word} of the run is not known (the study: ${text(wanted)})`];
    if (same(name, wanted, found, published.tool)) return [];
    return [`the ${word} is ${text(found)}, in the study ${text(wanted)}`];
  });
}

type Value = NonNullable<Conditions[ConditionName]>;

function same(name: ConditionName, wanted: Value, found: unknown, tool: Value | undefined): boolean {
  const normal = (value: unknown): string =>
    name === 'arguments' ? normalArguments(String(value), tool) : String(value).toLowerCase();
  const list = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(normal).sort();
  const [accepted, given] = [list(wanted), list(found)];
  // A figure over several values (both arms) wants them all, or one of them when the run has only one.
  return given.length > 1 ? given.join() === accepted.join() : accepted.includes(given[0] as string);
}

/** Where the data lie does not matter, nor does the order of the options. */
function normalArguments(line: string, tool: Value | undefined): string {
  let pos = 0;
  const words = line
    .trim()
    .split(/\s+/)
    .map((value) => {
      const word = { value, pos, end: pos + value.length };
      pos = word.end + 1;
      return word;
    });
  const options = readOptions(words, tool === 'ior' ? IOR_WITH_VALUE : tool === 'mdtest' ? MDTEST_WITH_VALUE : '');
  const place = tool === 'ior' ? 'o' : tool === 'mdtest' ? 'd' : '';
  return [
    ...options.given.filter(({ name }) => name !== place).map(({ name, value }) => `${name}=${value ?? ''}`),
    ...options.rest.map(({ value }) => value),
  ]
    .sort()
    .join(' ')
    .toLowerCase();
}

const text = (value: unknown): string => (Array.isArray(value) ? value.join(' and ') : String(value));
