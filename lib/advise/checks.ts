import { counted, decimalBytes, grouped, plain } from '../common/format/units';
import { hydrationSeconds, type Rate, type Throughput, throughputAt } from '../predict';
import { HOURS_PER_MONTH } from '../price/prices';
import type { StorageConfiguration } from '../schema/deployment';
import { bindingOf } from '../storage/common/limits';
import { codecOf, maxClientsOf, metadataRatesOf, storageOf } from '../storage/lookup';
import { type FileRate, type Flow, type ResolvedRequirement, takenOn } from './requirement';

/** One demand, compared with what a configuration offers. */
export interface DemandCheck {
  readonly demand:
    | Flow['demand']
    | FileRate['demand']
    | 'capacity'
    | 'burst'
    | 'clients'
    | 'load'
    | 'Region'
    | 'budget';
  readonly unit: 'TB' | 'MB/s' | '/s' | 'clients' | 'h' | 'USD per month' | '';
  readonly asked: number | string;
  /** `null` if nothing is documented. */
  readonly offered: number | string | null;
  /** `null` if nothing is documented that says so. */
  readonly met: boolean | null;
  /** The result in words, which complete a sentence: `reads reach 69.6 of 72 GB/s`. */
  readonly reason: string;
  /** Undocumented condition for it to be met, as a clause. @default - none */
  readonly assumes?: string;
}

/** A sustained rate that is asked for, with its prediction. */
export interface RatedFlow extends Flow {
  readonly throughputMBps: Rate;
  readonly binding: Throughput['binding'];
  /** Sustained MB/s of the storage, however many clients share it. */
  readonly storageMBps: number;
  /** Sustained throughput beyond what is asked for: 0.25 is a quarter more. */
  readonly headroom: number;
}

/** A configuration compared with a need, except for its price. */
export interface Assessment {
  readonly checks: readonly DemandCheck[];
  /** The rates that are asked for; without any, that of writes. */
  readonly flows: readonly RatedFlow[];
  /** TB of data that fit, as applications see them; `null` for as much as is stored. */
  readonly capacityTB: number | null;
  /** Share of it that the data fill; `null` if nothing is to be stored, or it grows with the data. */
  readonly fill: number | null;
}

/** Tolerance for floating-point rounding, which must not choose the next size. */
export const ENOUGH = 1 - 1e-9;

/** A rate that is asked for, in MB/s, with the reads of it that miss the working set. */
interface Asked extends Flow {
  readonly workingSetGiB: number | undefined;
}

/** Compares a configuration that AWS accepts with all demands except the budget. */
export function assess(configuration: StorageConfiguration, need: ResolvedRequirement): Assessment {
  const { asked, flows } = need;
  const { price } = storageOf(configuration);
  const ofSet =
    price.candidates?.workingSetGiB?.(configuration, { ...asked, dataGiB: need.dataGiB }) ?? asked.workingSetGiB;
  const wanted: readonly Asked[] = flows.map((flow) => ({
    ...flow,
    workingSetGiB: flow.demand === 'scan' ? need.dataGiB : ofSet,
  }));
  const writes: Asked = { demand: 'write', readShare: 0, MBps: 0, workingSetGiB: ofSet };
  const rates = predictions(configuration, need, [...(wanted.length > 0 ? wanted : [writes]), writes]);
  const ofWrites = rates.pop() as Rated;
  const capacityTB = holdsTB(configuration, need);
  const checks = [
    ...clientChecks(configuration, need),
    ...regionChecks(configuration, need),
    ...capacityChecks(capacityTB, need),
    ...rates.flatMap((rate) => (rate.MBps > 0 ? [flowCheck(rate, need)] : [])),
    ...burstChecks(ofWrites, need),
    ...need.fileRates.map((rate) => fileCheck(rate, configuration, need)),
    ...loadChecks(configuration, ofWrites, need),
  ];
  return {
    checks,
    flows: rates.map(({ undocumented: _, workingSetGiB: __, ...rate }) => rate),
    capacityTB,
    fill:
      capacityTB === null || need.capacityTB === null ? null : Math.round((need.capacityTB / capacityTB) * 1e4) / 1e4,
  };
}

interface Rated extends RatedFlow, Asked {
  readonly undocumented: readonly string[];
}

function predictions(configuration: StorageConfiguration, need: ResolvedRequirement, all: readonly Asked[]): Rated[] {
  const found = throughputAt(all, requestOf(configuration, need));
  const { documented, label } = storageOf(configuration);
  const { processes } = need.asked;
  const unmeasured =
    processes === undefined || documented.performance?.field !== undefined
      ? []
      : `nobody published what ${counted(processes, 'process', 'processes')} per client ${processes === 1 ? 'reaches' : 'reach'} on ${label}`;
  return all.map((flow, index) => {
    const { throughputMBps, binding, limits, undocumented } = found[index] as Throughput;
    const ofStorage = bindingOf(limits.filter(({ name }) => !isOfClients(name)));
    return {
      ...flow,
      throughputMBps,
      binding,
      storageMBps: ofStorage?.baseline.baselineMBps ?? throughputMBps.baseline,
      headroom: flow.MBps > 0 ? above(throughputMBps.baseline, flow.MBps) : 0,
      undocumented: [undocumented, unmeasured].flat(),
    };
  });
}

/** True for limits that more or other clients raise. */
export const isOfClients = (limit: string): boolean => limit.startsWith('client_') || limit === 'streams';

/** A requirement of a configuration as `throughputAt` accepts it. */
export function requestOf(configuration: StorageConfiguration, { asked, region, dataGiB }: ResolvedRequirement) {
  const { clients, ratio, workingSetGiB, processes } = asked;
  const storage = storageOf(configuration);
  const { documented, price } = storage;
  return {
    configuration,
    region,
    ratio: codecOf(configuration) !== null ? ratio : undefined,
    streams:
      processes === undefined || documented.performance?.field === undefined
        ? undefined
        : { processes: Math.round(processes) },
    workingSetGiB: price.candidates?.workingSetGiB?.(configuration, { workingSetGiB, dataGiB }) ?? workingSetGiB,
    // Clients use TCP with a file system without EFA, even if they have EFA.
    clients:
      clients === undefined
        ? undefined
        : {
            ...clients,
            count: Math.min(clients.count, maxClientsOf(storage) ?? Number.POSITIVE_INFINITY),
            efa: clients.efa === true && documented.performance?.efa?.enabled(configuration) === true,
          },
  };
}

/** TB of data that fit, as applications see them; `null` for as much as is stored. */
function holdsTB(configuration: StorageConfiguration, need: ResolvedRequirement): number | null {
  const { documented, price } = storageOf(configuration);
  const bytes = documented.capacityBytes?.(configuration) ?? null;
  const gib = price.candidates?.capacityGiB?.(configuration) ?? (bytes === null ? null : bytes / 2 ** 30);
  return gib === null ? null : ((gib / takenOn(configuration, need)) * 2 ** 30) / 1e12;
}

const withSpare = (spare: number): string => ` with ${Math.round(spare * 100)} % head-room`;
const gigabytes = (MBps: number): number => Number((MBps / 1000).toPrecision(4));

function flowCheck(
  { demand, MBps, throughputMBps, storageMBps, binding, undocumented }: Rated,
  need: ResolvedRequirement,
): DemandCheck {
  const words = FLOW_WORDS[demand];
  const reached = (there: number, of: number) => `${words} reach ${apart(gigabytes(there), gigabytes(of))} GB/s`;
  const base = { demand, unit: 'MB/s', asked: MBps, offered: throughputMBps.baseline } as const;
  const { processes = 1 } = need.asked;
  const by = binding.baseline === 'streams' ? ` of ${counted(processes, 'process', 'processes')} per client` : '';
  const limit = ` (${binding.baseline}${by})`;
  if (throughputMBps.baseline < MBps * ENOUGH)
    return { ...base, met: false, reason: `${reached(throughputMBps.baseline, MBps)}${limit}` };
  const wanted = MBps * (1 + need.headroom);
  const met = storageMBps >= wanted * ENOUGH;
  // Only what is documented can be too slow for certain.
  if (met && undocumented.length > 0) return { ...base, offered: null, met: null, reason: undocumented.join('; ') };
  return met
    ? { ...base, met, reason: `${words} reach ${gigabytes(throughputMBps.baseline)} GB/s${limit}` }
    : { ...base, met, reason: `${reached(storageMBps, wanted)}${withSpare(need.headroom)}` };
}

export const FLOW_WORDS: Readonly<Record<Flow['demand'], string>> = {
  read: 'reads',
  write: 'writes',
  'read and write': 'reads and writes together',
  scan: 'a scan of all data can',
};

function capacityChecks(capacityTB: number | null, { capacityTB: asked, maxFill }: ResolvedRequirement): DemandCheck[] {
  if (asked === null) return [];
  const base = { demand: 'capacity', unit: 'TB', asked } as const;
  if (capacityTB === null) return [{ ...base, offered: null, met: true, reason: 'it grows with the data' }];
  const offered = capacityTB * maxFill;
  const met = offered >= asked * ENOUGH;
  const full = maxFill === 1 ? '' : ` when it is ${Math.round(maxFill * 100)} % full`;
  return [{ ...base, offered, met, reason: `it holds ${met ? terabytes(offered) : apart(offered, asked)} TB${full}` }];
}

/** Terabytes with four digits: 100 TiB are 110, not 109.9511627776. */
export const terabytes = (value: number): number => Number(value.toPrecision(4));

/** `9.99 of 10`: a value below another, with enough digits to show the difference. */
function apart(value: number, other: number): string {
  const digits = [4, 5, 6, 7, 8].find((each) => value.toPrecision(each) !== other.toPrecision(each)) ?? 9;
  return `${Number(value.toPrecision(digits))} of ${Number(other.toPrecision(4))}`;
}

/** Writes that the storage must sustain, or burst to while it sustains their mean. */
function burstChecks({ throughputMBps, binding, undocumented }: Rated, { asked: { burst } }: ResolvedRequirement) {
  if (burst === undefined) return [];
  const asked = (burst.terabytes * 1e6) / burst.seconds;
  const mean = (burst.terabytes * 1e6) / burst.everySeconds;
  const words = `bursts of ${decimalBytes(burst.terabytes * 1e12)}`;
  const base = { demand: 'burst', unit: 'MB/s', asked } as const;
  const { baseline, burst: max } = throughputMBps;
  const check = (offered: number | null, met: boolean | null, reason: string) => [{ ...base, offered, met, reason }];
  if (undocumented.length > 0) return check(null, null, undocumented.join('; '));
  const sustained = gigabytes(baseline);
  if (baseline >= asked * ENOUGH) return check(baseline, true, `${words} are sustained at ${sustained} GB/s`);
  if (max < asked * ENOUGH)
    return check(max, false, `${words} reach ${apart(gigabytes(max), gigabytes(asked))} GB/s (${binding.burst})`);
  if (baseline < mean * ENOUGH)
    return check(baseline, false, `${words} need ${gigabytes(mean)} GB/s on average, and ${sustained} are sustained`);
  return check(
    max,
    null,
    `${words} reach ${gigabytes(max)} GB/s while burst credits last, then ${sustained}; AWS publishes no number of credits, and a run of CompressionBench shows how long they last`,
  );
}

/** Opens or creates per second that any file system reaches; a lower rate is not checked. A convention of fsxbench. */
const ANY_FILE_SYSTEM = 100;

function fileCheck(
  { demand, perSecond, follows }: FileRate,
  configuration: StorageConfiguration,
  need: ResolvedRequirement,
): DemandCheck {
  const { documented, price, label } = storageOf(configuration);
  const wanted = perSecond * (1 + need.headroom);
  const words = demand === 'creates' ? 'file creates' : demand === 'opens' ? 'file opens' : 'file creates and opens';
  const base = { demand, unit: '/s', asked: perSecond } as const;
  const because = follows === null ? '' : `, which follow from ${follows},`;
  const compare = (offered: number, source: string): DemandCheck => {
    const met = offered >= wanted * ENOUGH;
    const of = grouped(offered < perSecond ? perSecond : wanted);
    const spare = met || offered < perSecond ? '' : withSpare(need.headroom);
    const reached = met ? grouped(offered) : `${grouped(offered)} of ${of}`;
    return { ...base, offered, met, reason: `${words}${because} reach ${reached} per second${spare}${source}` };
  };
  const { performance } = documented;
  const rates = metadataRatesOf(configuration);
  // "File create, open and close" have one rate (FSx for Lustre guide, performance).
  if (rates?.file_create !== undefined) return compare(rates.file_create, '');
  const seen = price.candidates?.filesPerSecond?.(configuration);
  if (follows !== null && seen !== undefined && wanted <= seen.value)
    return compare(seen.value, `, which ${seen.source}`);
  if (seen?.max !== undefined && perSecond > seen.max.value) return compare(seen.max.value, `, ${seen.max.source}`);
  if (follows !== null && wanted <= ANY_FILE_SYSTEM) return compare(ANY_FILE_SYSTEM, ', as on any file system');
  const others = seen !== undefined && wanted <= seen.value ? `; ${seen.value} ${seen.source}` : '';
  const why = performance?.metadataReason?.(configuration) ?? `no metadata rates are published for ${label}`;
  const reason = `${grouped(perSecond)} ${words} per second${because.replace(/,$/, '')}: ${why}${others}`;
  return { ...base, offered: null, met: null, reason };
}

/** Clients that can mount it. Without a number, a file system that one client can mount may not do. */
function clientChecks(configuration: StorageConfiguration, { asked: { clients } }: ResolvedRequirement): DemandCheck[] {
  const storage = storageOf(configuration);
  const { label } = storage;
  const max = maxClientsOf(storage);
  if (max === undefined) return [];
  const mounts = `${label} can be mounted by ${max === 1 ? 'one client' : `${max} clients`} at a time`;
  const base = { demand: 'clients', unit: 'clients', offered: max } as const;
  if (clients === undefined) {
    const reason = `${mounts}: if one is enough, add --clients ${max} --instance TYPE`;
    return [{ ...base, asked: 'any number', met: null, reason }];
  }
  const met = clients.count <= max;
  return [{ ...base, asked: clients.count, met, reason: met ? mounts : `${mounts}, and ${clients.count} need it` }];
}

/** Regions in which AWS sells it; a check only for a Region that somebody chose. */
function regionChecks(configuration: StorageConfiguration, { asked: { region } }: ResolvedRequirement): DemandCheck[] {
  if (region === undefined) return [];
  const sold = storageOf(configuration).price.candidates?.soldIn?.(configuration, region);
  if (sold === undefined) return [];
  return [{ demand: 'Region', unit: '', asked: region, offered: sold.met ? region : null, ...sold }];
}

/** Clients from which restoring from S3 gets no faster: four, as others measured. */
const RESTORING_CLIENTS = 4;

/** Hours that loading all data from S3 takes: at the rate that writes sustain, and as others measured for files of a known size. */
function loadChecks(
  configuration: StorageConfiguration,
  { throughputMBps: { baseline } }: Rated,
  need: ResolvedRequirement,
): DemandCheck[] {
  const { loadHours, capacityTB, hoursPerMonth, asked, bytesPerFile } = need;
  if (loadHours === null || capacityTB === null || storageOf(configuration).price.candidates?.isInS3) return [];
  const ofBytes = (capacityTB * 1e6) / baseline / 3600;
  const { files, clients: { count: clients = RESTORING_CLIENTS } = {} } = asked;
  const ofFiles =
    files === undefined || bytesPerFile === null
      ? null
      : hydrationSeconds(configuration, { files, fileBytes: bytesPerFile, clients });
  const [low, hours] = [ofFiles?.low ?? 0, ofFiles?.high ?? 0].map((seconds) => Math.max(ofBytes, seconds / 3600)) as [
    number,
    number,
  ];
  const met = hours * ENOUGH <= loadHours ? true : low > loadHours ? false : null;
  const takes = low < hours ? `${plain(low)} to ${plain(hours)} h, as others measured` : `${plain(hours)} h`;
  const allowed =
    asked.loadHours === undefined
      ? `it exists for ${plain((hoursPerMonth / HOURS_PER_MONTH) * 24)} h per day, of which loading may take half`
      : `at most ${plain(loadHours)} h are allowed`;
  return [
    {
      demand: 'load',
      unit: 'h',
      asked: loadHours,
      offered: Number(hours.toPrecision(4)),
      met,
      reason: `loading ${decimalBytes(capacityTB * 1e12)} takes ${takes}${met === true ? '' : `, and ${allowed}`}`,
      ...(ofFiles === null && { assumes: 'data load from S3 as fast as they are written' }),
    },
  ];
}

/** The budget. A price that is a range, or that is not known in full, is above it only if its lower end is. */
export function budgetCheck(
  usd: number | null,
  { lowUsd, knownUsd }: { readonly lowUsd: number; readonly knownUsd: number },
  { asked: { maxMonthlyUsd } }: ResolvedRequirement,
): DemandCheck[] {
  if (maxMonthlyUsd === undefined) return [];
  const met = lowUsd > maxMonthlyUsd ? false : usd === null || usd > maxMonthlyUsd ? null : true;
  const range = lowUsd < knownUsd ? `${lowUsd} to ${knownUsd}` : knownUsd;
  const more = met === false ? 'costs' : 'may cost';
  const reason =
    met === true ? `it costs ${range} USD per month` : `it ${more} more than ${maxMonthlyUsd} USD per month`;
  return [{ demand: 'budget', unit: 'USD per month', asked: maxMonthlyUsd, offered: usd, met, reason }];
}

/** `0.25` for a quarter more. */
export const above = (there: number, required: number): number => Math.round((there / required - 1) * 1e4) / 1e4;

/** How far the checks are from all being met: first those that fail, then those that nothing is documented for. */
export const shortfall = (checks: readonly DemandCheck[]): { readonly missed: number; readonly unknown: number } => ({
  missed: checks.filter(({ met }) => met === false).length,
  // Whether a Region has it can be looked up in a minute: the answer says so and stays an answer.
  unknown: checks.filter(({ met, demand }) => met === null && demand !== 'Region').length,
});
