import { writeFileSync } from 'node:fs';
import { type Advice, advise, type Requirement } from '../advise';
import { MOST, requirementProblems } from '../advise/requirement';
import { type Estimate, estimateCompression } from '../estimate';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';
import { checkPaths } from './estimate';
import { clientsOf, inFlags } from './predict';
import { bookNamed, regionNamed } from './prices';
import { DATA_SIZE, quantity, RATIO } from './quantity';
import { renderAdvice } from './renderAdvice';
import { makeScanProgress } from './scanProgress';

/** What `fsxbench advise` is given, as text. */
export interface AdviseFlags {
  readonly read?: string;
  readonly write?: string;
  readonly together?: boolean;
  readonly capacity?: string;
  readonly metadata?: string;
  readonly ratio?: string;
  readonly data?: readonly string[];
  readonly workingSet?: string;
  readonly maxMonthly?: string;
  readonly clients?: string;
  readonly instance?: string;
  readonly efa?: boolean;
  readonly region?: string;
  readonly prices?: string;
  readonly html?: string;
  readonly json?: boolean;
}

/** MB/s. */
const RATE = {
  units: { '': 1000, 'GB/s': 1000, 'MB/s': 1 },
  min: 1e-3,
  max: MOST.gigabytesPerSecond * 1000,
  what: `a rate above 0 and up to ${MOST.gigabytesPerSecond} in GB/s, or with its unit such as 800MB/s`,
};
/** TB. */
const CAPACITY = {
  units: { '': 1, TB: 1, GB: 1e-3, PB: 1000, TiB: 2 ** 40 / 1e12, GiB: 2 ** 30 / 1e12 },
  min: 1e-6,
  max: MOST.terabytes,
  what: `a size above 0 and up to ${MOST.terabytes} in TB, or with its unit such as 500GB`,
};
const CREATES = {
  units: { '': 1, '/s': 1 },
  min: 1e-3,
  max: MOST.createsPerSecond,
  what: `files created a second, above 0 and up to ${MOST.createsPerSecond}, such as 20000`,
};
const USD = {
  units: { '': 1, USD: 1 },
  min: 0.01,
  max: MOST.usd,
  what: `USD a month, above 0 and up to ${MOST.usd}, such as 5000`,
};

/** `fsxbench advise`: the cheapest configurations that do what is required. Exit 1 when there is none. */
export async function adviseCommand(context: CliContext, flags: AdviseFlags): Promise<void> {
  // Everything is checked before data is read.
  const stated = requirementOf(flags, regionNamed(context, flags.region));
  const book = bookNamed(context, flags);
  const estimate = flags.data === undefined ? null : await estimateOf(context, flags.data);
  const requirement = estimate === null ? stated : { ...stated, ratio: ratioOf(estimate) };
  const advice = advise(requirement, book);
  const missing = missingOf(advice);
  if (missing !== null && !flags.json) throw new Unsuccessful(missing);
  if (flags.html !== undefined) {
    const { renderAdvicePage } = await import('../advise/page');
    writePage(flags.html, await renderAdvicePage(advice));
  }
  const document = estimate === null ? advice : { ...advice, estimate: shortOf(estimate) };
  if (flags.json) printJson(context, document);
  else {
    context.out(renderAdvice(advice, estimate));
    if (flags.html !== undefined) context.out(`\nwritten: ${flags.html}\n`);
  }
  if (missing !== null) throw new Unsuccessful(missing);
  if (advice.options.length === 0) throw new Unsuccessful(flags.json ? '' : nothingMeets(advice));
}

function requirementOf(flags: AdviseFlags, region: string): Requirement {
  const { data, read, write, capacity, metadata, together = false, efa = false } = flags;
  if (read === undefined && write === undefined && capacity === undefined && metadata === undefined)
    throw new UsageError(
      'say what is needed: --read or --write in GB/s, --capacity in TB, --metadata in files a second',
    );
  if (together && (read === undefined || write === undefined))
    throw new UsageError("'--together' must be given with --read and --write, which then happen at the same time");
  if (data !== undefined && flags.ratio !== undefined)
    throw new UsageError("'--ratio' must be absent with --data, from which it is estimated: give one of them");
  checkPaths(data ?? []);
  if (efa && flags.instance === undefined)
    throw new UsageError("'--efa' must be given with --instance, since it is the clients that use it");
  const workingSetGiB = quantity('--working-set', flags.workingSet, DATA_SIZE);
  const workingSetTB = workingSetGiB === undefined ? undefined : (workingSetGiB * 2 ** 30) / 1e12;
  // What is read again and again has to be stored.
  const capacityTB = quantity('--capacity', capacity, CAPACITY) ?? workingSetTB;
  if ((workingSetTB ?? 0) > (capacityTB ?? 0) * (1 + 1e-9))
    throw new UsageError(`'--working-set' must be at most --capacity, ${capacity}, got '${flags.workingSet}'`);
  const values = {
    readMBps: quantity('--read', read, RATE),
    writeMBps: quantity('--write', write, RATE),
    capacityTB,
    createsPerSecond: quantity('--metadata', metadata, CREATES),
    ratio: quantity('--ratio', flags.ratio, RATIO),
    workingSetGiB,
    maxMonthlyUsd: quantity('--max-monthly', flags.maxMonthly, USD),
    clients: clientsOf(flags.clients, flags.instance, efa),
    region,
    together: together || undefined,
  };
  const requirement: Requirement = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  );
  const [problem] = requirementProblems(requirement);
  if (problem !== undefined) throw new UsageError(inFlags(problem));
  return requirement;
}

/** A sample says enough, and reads little of a large tree. Ctrl-C ends it, and the command with it. */
async function estimateOf(context: CliContext, paths: readonly string[]): Promise<Estimate> {
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  const progress = makeScanProgress(context);
  try {
    const estimate = await estimateCompression({
      paths,
      sample: {},
      signal: stop.signal,
      onProgress: (at) => progress.show(at),
    });
    if (!estimate.complete) throw new Unsuccessful('stopped before the data was looked at');
    if (estimate.ratio === null)
      throw new Unsuccessful(`nothing in '${paths.join("', '")}' could be measured: give --ratio instead`);
    return estimate;
  } finally {
    process.removeListener('SIGINT', onInterrupt);
    progress.stop();
  }
}

/** Small files take more than their size with and without LZ4: what it saves is never less than nothing. */
function ratioOf({ ratio }: Estimate): number {
  return Math.min(RATIO.max, Math.max(1, ratio ?? 1));
}

function shortOf({ mode, files, logicalBytes, allocatedBytes, ratio, interval, assumption }: Estimate): object {
  return { mode, files, logicalBytes, allocatedBytes, ratio, interval, assumption };
}

/** Prices that are not known, and how to get them, where no option has one: nothing can be ranked then. */
function missingOf({ options }: Advice): string | null {
  const unknown = options.every(({ monthlyUsd }) => monthlyUsd === null);
  return unknown ? (options.find(({ missing }) => missing !== null)?.missing ?? null) : null;
}

function writePage(path: string, page: string): void {
  try {
    writeFileSync(path, page);
  } catch (error) {
    throw new UsageError(`'--html' must be a file that can be written: ${(error as Error).message}`);
  }
}

function nothingMeets({ rejected }: Advice): string {
  return `nothing that AWS sells meets this; ${rejected.length} kinds were looked at, and each is named above with what it misses`;
}
