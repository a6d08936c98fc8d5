import type { Benchmark } from '../benchmark/benchmark';
import { dividesFleet } from '../benchmark/lookup';
import { BENCHMARKS } from '../benchmark/registry';
import { memberBy, omitUndefined } from '../common/collections';
import { counted, grouped } from '../common/format/units';
import { predict } from '../predict';
import { instanceLines, sumOf } from '../price/cost';
import { type PriceBook, PUBLISHED } from '../price/prices';
import type { StorageConfiguration } from '../schema/deployment';
import { metadataRatesOf, storageOf } from '../storage/lookup';
import { type Assessment, isOfClients, requestOf } from './checks';
import type { ResolvedRequirement } from './requirement';

type Settings = Readonly<Record<string, string | number | boolean>>;

/** Fragment of a cdk.json that deploys a configuration with a fleet to test it. */
export interface Fragment {
  readonly context: Readonly<Record<string, Settings>>;
}

export interface Experiment {
  readonly benchmark: string;
  readonly clients: number;
  readonly instanceType: string;
  /** List price of an hour of its deployment, without traffic; `null` if a price is unknown. */
  readonly hourlyUsd: number | null;
}

/** An experiment that shows part of what the whole proof shows. */
export interface CheaperProof extends Experiment {
  readonly cdkJson: Fragment;
  readonly shows: string;
  readonly cannotShow: string;
}

export interface Proof {
  /** Settings in cdk.json (docs/settings.md) for each benchmark that shows a part; empty if no benchmark measures such file systems. */
  readonly cdkJson: Fragment;
  readonly proof: {
    readonly experiments: readonly Experiment[];
    /** Sum of the experiments; `null` if a price is unknown. */
    readonly hourlyUsd: number | null;
    /** @default - the whole proof has the fewest clients that show something */
    readonly cheaper?: CheaperProof;
  };
}

type Target = ReturnType<typeof targetOf>;

/** The experiments that show whether a configuration meets a need, with the price of an hour and a cheaper one. */
export function proofOf(
  configuration: StorageConfiguration,
  need: ResolvedRequirement,
  assessment: Pick<Assessment, 'flows' | 'capacityTB' | 'checks'>,
  book: PriceBook = PUBLISHED,
): Proof {
  const target = targetOf(need, assessment);
  const part: Part = { configuration, need, target, book };
  const cdkJson = fragmentOf(configuration, target, need.asked.clients);
  const experiments = experimentsOf(cdkJson, part);
  const cheaper = cheaperProof(cdkJson, experiments, part);
  const hourlyUsd = sumUsd(experiments.map((one) => one.hourlyUsd));
  return { cdkJson, proof: { experiments, hourlyUsd, ...(cheaper !== null && { cheaper }) } };
}

interface Part {
  readonly configuration: StorageConfiguration;
  readonly need: ResolvedRequirement;
  readonly target: Target;
  readonly book: PriceBook;
}

/** To a cent; `null` if one is unknown. */
const sumUsd = (parts: readonly (number | null)[]): number | null =>
  parts.includes(null) ? null : Math.round(parts.reduce<number>((sum, usd) => sum + (usd ?? 0), 0) * 100) / 100;

function targetOf(
  need: ResolvedRequirement,
  { flows, capacityTB, checks }: Pick<Assessment, 'flows' | 'capacityTB' | 'checks'>,
) {
  const isElastic = capacityTB === null;
  const burst = checks.find(({ demand }) => demand === 'burst');
  const files = Math.max(0, ...need.fileRates.map(({ perSecond }) => perSecond));
  return {
    throughputMBps: Math.max(
      burst === undefined ? 0 : Number(burst.asked),
      // The limits of elastic storage are far above any need; the others are proven by reaching theirs.
      ...flows.map(({ MBps, storageMBps }) => (isElastic ? MBps : Math.max(MBps, storageMBps))),
    ),
    // No throughput is asked for: benchmarks of metadata suffice.
    isOfFiles: burst === undefined && flows.every(({ MBps }) => MBps === 0) && files > 0,
    // Large reads open few files, so they need no separate experiment.
    filesPerSecond: files >= WORTH_MEASURING || need.asked.createsPerSecond !== undefined ? files : undefined,
  };
}

/** Files per second from which MetadataBench is part of a proof; a convention of fsxbench. */
const WORTH_MEASURING = 6000;

function fragmentOf(
  storage: StorageConfiguration,
  { throughputMBps, filesPerSecond, isOfFiles }: Target,
  clients: ResolvedRequirement['asked']['clients'],
): Fragment {
  const { price } = storageOf(storage);
  const settings = price.candidates?.settings(storage);
  // MetadataBench compares metadata IOPS, which such a file system does not have.
  const createsPerSecond = metadataRatesOf(storage) === null ? undefined : filesPerSecond;
  const need = { storage, throughputMBps, createsPerSecond, clients };
  const sections = BENCHMARKS.filter(({ arms }) =>
    // Includes arms that are deployed only on request.
    arms('published', { arms: [] }).some((arm) => arm.storage.kind === storage.kind),
  ).flatMap(({ name, proof }): [string, Settings][] => {
    const fleet = proof?.(need) ?? null;
    return fleet === null ? [] : [[name, omitUndefined({ ...settings, ...fleet }) as Settings]];
  });
  const ofMetadata = sections.filter(([name]) => isOfMetadata(name));
  return { context: Object.fromEntries(isOfFiles && ofMetadata.length > 0 ? ofMetadata : sections) };
}

const benchmarkNamed = (name: string): Benchmark => memberBy(BENCHMARKS, 'name', name, 'a benchmark');

const isOfMetadata = (benchmark: string): boolean => benchmarkNamed(benchmark).about[0] === 'metadata_operations';

/** The deployments of a fragment, the one with most clients first. */
const experimentsOf = (cdkJson: Fragment, part: Part): Experiment[] =>
  Object.entries(cdkJson.context)
    .map(([name, settings]) => {
      const usual = benchmarkNamed(name).fleet('published');
      const fleet = {
        benchmark: name,
        clients: Number(settings.clients ?? usual.clients),
        instanceType: String(settings.instanceType ?? usual.instanceType),
      };
      return { ...fleet, hourlyUsd: hourlyUsd({ ...fleet, settings }, part) };
    })
    .sort((a, b) => b.clients - a.clients);

/** List price of the clients and of a file system for each arm: what `fsxbench cost` prints without the network and alarms of the stack. */
function hourlyUsd(
  { benchmark, clients, instanceType, settings }: Omit<Experiment, 'hourlyUsd'> & { readonly settings: Settings },
  { configuration: storage, need: { region }, book }: Part,
): number | null {
  const chosen = settings.arms === undefined ? undefined : String(settings.arms).split(',');
  const arms = benchmarkNamed(benchmark)
    .arms('published', { ...settings, ...(chosen && { arms: chosen }) })
    .filter(({ name }) => chosen === undefined || chosen.includes(name))
    .map((arm) => (arm.storage.kind === storage.kind ? { ...arm.storage, ...storage } : arm.storage));
  const fleet = instanceLines({ instanceType, clients, rootVolumeGiB: ROOT_VOLUME_GIB }, region, book);
  return sumUsd([
    sumOf(fleet).hourlyUsd,
    ...arms.map((one) => sumOf(storageOf(one).price.cost(one, { region, storedGiB: 0, book })).hourlyUsd),
  ]);
}

const ROOT_VOLUME_GIB = 30;

/** Share of the clients of a partial experiment; at least two. */
const PART = 0.1;

/** An experiment with as many clients as reach the limit of the file system, of the cheapest type; else one with a tenth of the clients. */
function cheaperProof(whole: Fragment, [first]: readonly Experiment[], part: Part): CheaperProof | null {
  const { configuration, need, target } = part;
  const { clients } = need.asked;
  if (first === undefined) return null;
  const { benchmark } = first;
  if (clients !== undefined) {
    // Those of the user, or of the study, which have a price. These do not use EFA.
    const overEfa = requestOf(configuration, need).clients?.efa === true;
    const [fewest] = [{ ...clients, count: 1 }, ...(overEfa ? [] : [undefined])]
      .map((fleet) => fragmentOf(configuration, target, fleet))
      .flatMap((cdkJson) => {
        const own = experimentsOf(cdkJson, part).find((one) => one.benchmark === benchmark);
        return own === undefined ? [] : [{ ...own, cdkJson: only(benchmark, cdkJson.context[benchmark]) }];
      })
      .sort(byUsd);
    if (fewest !== undefined && byUsd(fewest, first) < 0)
      return {
        ...fewest,
        shows: 'the file system reaches its limit',
        cannotShow: `how ${clients.count} × ${clients.instanceType} share it`,
      };
  }
  const count = Math.max(2, 2 * Math.round((first.clients * PART) / 2));
  if (count >= first.clients) return null;
  const settings = { ...whole.context[benchmark], clients: count };
  const experiment = { ...first, clients: count, hourlyUsd: hourlyUsd({ ...first, clients: count, settings }, part) };
  const shown = partShown(experiment, first, part);
  return shown && { ...experiment, cdkJson: only(benchmark, settings), ...shown };
}

const only = (benchmark: string, settings: Settings = {}): Fragment => ({ context: { [benchmark]: settings } });

/** The cheaper experiment first; of two whose price is not known, the one with fewer clients. */
const byUsd = (a: Experiment, b: Experiment): number =>
  a.hourlyUsd === b.hourlyUsd
    ? a.clients - b.clients
    : (a.hourlyUsd ?? Number.MAX_VALUE) - (b.hourlyUsd ?? Number.MAX_VALUE);

/** Results of an experiment with a part of the clients; `null` if they reach the limit of the file system, with less to spare. */
function partShown(
  { benchmark, clients, instanceType }: Experiment,
  whole: Experiment,
  { configuration, need, target }: Part,
): Pick<CheaperProof, 'shows' | 'cannotShow'> | null {
  const definition = benchmarkNamed(benchmark);
  const each = dividesFleet(definition) ? clients / definition.arms('published').length : clients;
  const words = counted(each, 'client');
  if (target.filesPerSecond !== undefined && isOfMetadata(benchmark)) {
    const share = (target.filesPerSecond * clients) / whole.clients;
    return {
      shows: `${words} ${each === 1 ? 'creates' : 'create'} ${grouped(share)} files per second`,
      cannotShow: `that the metadata servers reach ${grouped(target.filesPerSecond)}`,
    };
  }
  const request = requestOf(configuration, need);
  const { throughputMBps, binding } = predict({
    ...request,
    // Benchmarks keep enough requests in flight.
    streams: undefined,
    readShare: need.flows.some(({ readShare }) => readShare === 1) ? 1 : 0,
    clients: { count: each, instanceType, efa: request.clients?.efa ?? false },
  });
  if (!isOfClients(binding.baseline) || throughputMBps.baseline >= target.throughputMBps) return null;
  const gigabytes = (rate: number) => `${Number((rate / 1000).toPrecision(3))} GB/s`;
  return {
    shows: `${words} ${each === 1 ? 'reaches' : 'reach'} ${gigabytes(throughputMBps.baseline)} (${binding.baseline})`,
    cannotShow: `that the file system reaches ${gigabytes(target.throughputMBps)}`,
  };
}
