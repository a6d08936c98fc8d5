import { isIP } from 'node:net';
import type { RunSummary } from '../analysis/summary';
import { STORAGES } from '../storage/registry';

/** The shapes that identify an account and its machines wherever they stand, the longest first. */
const SHAPES: readonly { readonly kind: string; readonly shape: RegExp; readonly holds?: (text: string) => boolean }[] =
  [
    { kind: 'arn', shape: /\barn:aws[\w-]*:[\w-]+:[\w-]*:\d*:[^\s"'<>`,;()|]+/g },
    { kind: 'email', shape: /[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}\b/gi },
    { kind: 'host', shape: /\bip-\d{1,3}(-\d{1,3}){3}\b(\.[\w-]+)*|\b[\w.-]+\.(compute|ec2)\.internal\b/g },
    { kind: 'host', shape: /\b[\w.-]+\.amazonaws\.com(\.cn)?\b/g },
    { kind: 'bucket', shape: /(?<=\bs3:\/\/)[a-z0-9][a-z0-9.-]+/g },
    // Of the services that fsxbench calls. Images are left: they are what somebody needs to repeat a run, and no part of the account.
    {
      kind: 'id',
      shape:
        /\b(fs|fsvol|fsmt|svm|i|vpc|subnet|sg|sgr|eni|eipalloc|vol|snap|backup|dra|task|cr|lt|key|rtb|igw|nat|vpce)-[0-9a-f]{8,17}\b/g,
    },
    { kind: 'address', shape: /(?<![\w.])\d{1,3}(\.\d{1,3}){3}(?![\w]|\.\d)/g, holds: (text) => isIP(text) === 4 },
    {
      kind: 'address',
      shape: /(?<![\w:])[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}(?![\w:])/gi,
      holds: (text) => isIP(text) === 6,
    },
    // As the NVMe device of a volume has its serial number, without a hyphen.
    { kind: 'id', shape: /(?<![a-z0-9])vol[0-9a-f]{17}\b/g },
    { kind: 'address', shape: /(?<![\w:-])[0-9a-f]{2}([:-])[0-9a-f]{2}(\1[0-9a-f]{2}){4}(?![\w:-])/gi },
    { kind: 'user', shape: /(?<=\/(home|Users)\/)[\w.-]+/g },
  ];

/** Addresses that every machine has. */
const EVERYWHERE = /^(127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1?)$/;

/** The name by which a run on one machine calls it. */
const THIS_MACHINE = 'local';

/** Names of the fields of documents, which no machine's name may change. */
const FIELD = /^[a-z][A-Za-z]*$/;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Names in a run that have no recognisable shape, by the kind of their stand-ins. */
function namesOf({ record: { plan, manifest, environment, status } }: RunSummary): [name: string, kind: string][] {
  const { account, bucket, document, fleet, arms = [], stack } = manifest ?? {};
  const accounts = [account, /^arn:[^:]*:[^:]*:[^:]*:(\d{12}):/.exec(stack?.id ?? '')?.[1]];
  const ids = [
    ...(fleet?.clients.map(({ instanceId }) => instanceId) ?? []),
    ...[fleet?.leader, fleet?.autoScalingGroup, document],
    ...arms.map(({ fileSystemId }) => fileSystemId),
    ...environment.map(({ facts }) => facts.instance?.id),
  ];
  const addresses = [
    ...(fleet?.clients.map(({ privateIp }) => privateIp) ?? []),
    ...environment.map(({ facts }) => facts.instance?.privateIp),
  ];
  // A machine that is called as an arm or a tool is would take their names with it.
  const words = new Set([THIS_MACHINE]);
  const note = (word: string): string => {
    words.add(word);
    return word;
  };
  mapped(plan, note, new Map());
  const hosts = [...environment.flatMap(({ node, facts }) => [facts.node, node]), status?.driver?.host].filter(
    (host) => host !== undefined && !words.has(host),
  );
  const all: [readonly (string | null | undefined)[], string][] = [
    [accounts, 'account'],
    [[bucket], 'bucket'],
    [ids, 'id'],
    [addresses, 'address'],
    [hosts, 'host'],
  ];
  return all.flatMap(([names, kind]) => names.flatMap((name) => (name ? ([[name, kind]] as [string, string][]) : [])));
}

/**
 * Replaces what identifies the account and its machines: account and resource ids, ARNs, addresses, host and bucket names, e-mail addresses,
 * users' folders. One identity has one stand-in, such as `host-2`, in all runs that are given to the same scrubber. Figures stay as they are.
 */
export class Scrubber {
  private readonly standIns = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** The summary without identities; every form of the report is made from it. */
  scrub(run: RunSummary): RunSummary {
    const names = new Map(namesOf(run));
    // The longest first: `node-10` before `node-1`. No digit, letter or dash may follow, so that no figure and no longer name is cut.
    const sorted = [...names.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    const known =
      sorted.length === 0
        ? null
        : new RegExp(`(?<![\\w-]|\\d\\.)(${sorted.map(escaped).join('|')})(?![\\w-]|\\.\\d)`, 'g');
    const text = (original: string): string => {
      const shaped = SHAPES.reduce(
        (all, { kind, shape, holds = () => true }) =>
          all.replaceAll(shape, (found) =>
            holds(found) && !EVERYWHERE.test(found) ? this.standIn(found, kind) : found,
          ),
        original,
      );
      return known === null
        ? shaped
        : shaped.replaceAll(known, (found) => this.standIn(found, names.get(found) ?? 'id'));
    };
    // The kinds of storage that arms point to are fsxbench's own.
    return mapped(run, text, new Map(STORAGES.map((one) => [one, one]))) as RunSummary;
  }

  private standIn(found: string, kind: string): string {
    // An id says what it is of: fs-1, i-2.
    const word = kind === 'id' ? (/^(vol|[a-z]+(?=-))-?[0-9a-f]+$/.exec(found)?.[1] ?? kind) : kind;
    const before = this.standIns.get(found);
    if (before !== undefined) return before;
    const next = (this.counts.get(word) ?? 0) + 1;
    this.counts.set(word, next);
    const standIn = `${word}-${next}`;
    this.standIns.set(found, standIn);
    return standIn;
  }
}

/** A copy with every text mapped. What is one object stays one, since superseded samples are known by identity. */
function mapped(value: unknown, text: (original: string) => string, done: Map<object, unknown>): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  const before = done.get(value);
  if (before !== undefined) return before;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    done.set(value, copy);
    for (const one of value) copy.push(mapped(one, text, done));
    return copy;
  }
  if (value instanceof Map) {
    const copy = new Map([...value].map(([key, one]) => [mapped(key, text, done), mapped(one, text, done)]));
    done.set(value, copy);
    return copy;
  }
  const copy: Record<string, unknown> = {};
  done.set(value, copy);
  for (const [key, one] of Object.entries(value)) copy[FIELD.test(key) ? key : text(key)] = mapped(one, text, done);
  return copy;
}
