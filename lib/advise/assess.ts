import { type Prediction, type PredictRequest, predictAt, type Rate } from '../predict';
import { checkedRequest } from '../predict/request';
import type { AnyConfiguration } from '../schema/storage';
import { bindingOf } from '../storage/common/binding';
import { codecOf, storageOf, withKind } from '../storage/lookup';
import type { Warning } from '../storage/slices/configuration';
import { caveatsOf } from './caveats';
import { type Demand, demandsOf, headroomOf, maxFillOf, type Requirement, takenOn } from './requirement';
import { terabytes } from './wording';

/** A demand and how a configuration meets it. */
export interface DemandResult extends Demand {
  readonly throughputMBps: Rate;
  readonly binding: Prediction['binding'];
  /** Sustained MB/s of the storage, however many clients share it. */
  readonly storageMBps: number;
  /** Sustained capacity beyond the requirement: 0.25 is a quarter more. `null` if nothing is required. */
  readonly headroom: number | null;
}

/** Comparison of a configuration with a requirement. */
export interface Assessment {
  readonly demands: readonly DemandResult[];
  /** TB of data that fit, as applications see them; `null` for as much as is stored. */
  readonly capacityTB: number | null;
  /** Share of it that the data fill; `null` where nothing is to be stored, or it grows with the data. */
  readonly fill: number | null;
  /** `null` if no rate is published. */
  readonly createsPerSecond: number | null;
  /** Why the creation rate is unknown; `null` if it is known. */
  readonly createsReason: string | null;
  readonly headrooms: {
    readonly read: number | null;
    readonly write: number | null;
    readonly mixed: number | null;
    readonly capacity: number | null;
    readonly metadata: number | null;
  };
  /** Unmet demands, as text; empty if it meets the requirement. */
  readonly misses: readonly string[];
}

/** Tolerance for floating-point rounding, which must not choose the next size. */
const ENOUGH = 1 - 1e-9;

/** Assesses a configuration that AWS accepts. */
export function assess(configuration: AnyConfiguration, requirement: Requirement): Assessment {
  const { capacityTB: wantedTB, createsPerSecond: wantedCreates } = requirement;
  const asked = demandsOf(requirement);
  const predictions = predictAt(
    asked.map(({ readShare }) => readShare),
    requestOf(configuration, requirement),
  );
  const [first] = predictions as [Prediction];
  const demands = asked.map((demand, index) => {
    const { throughputMBps, binding, limits } = predictions[index] as Prediction;
    const ofStorage = bindingOf(limits.filter(({ name }) => !name.startsWith('client_')));
    return {
      ...demand,
      throughputMBps,
      binding,
      storageMBps: ofStorage?.baseline.baselineMBps ?? throughputMBps.baseline,
      headroom: above(throughputMBps.baseline, demand.requiredMBps),
    };
  });
  const capacity = capacityGiB(configuration, requirement);
  const capacityTB = capacity === null ? null : (capacity * 2 ** 30) / 1e12;
  const usableTB = capacityTB === null ? null : capacityTB * maxFillOf(requirement);
  const createsPerSecond = first.metadataPerSecond?.file_create ?? null;
  const of = (mode: Demand['mode']) => demands.find((demand) => demand.mode === mode)?.headroom ?? null;
  const spare = headroomOf(requirement);
  return {
    headrooms: {
      read: of('read'),
      write: of('write'),
      mixed: of('mixed'),
      capacity: usableTB === null ? null : above(usableTB, wantedTB ?? 0),
      metadata: createsPerSecond === null ? null : above(createsPerSecond, wantedCreates ?? 0),
    },
    demands,
    capacityTB,
    fill: capacityTB === null || wantedTB === undefined ? null : Math.round((wantedTB / capacityTB) * 1e4) / 1e4,
    createsPerSecond,
    createsReason: createsPerSecond === null ? first.metadataReason : null,
    misses: [
      ...sharing(configuration, requirement).misses,
      ...demands.flatMap((demand, index) => [
        ...(demand.requiredMBps > 0 ? (predictions[index] as Prediction).undocumented : []),
        ...demandMiss(demand, spare),
      ]),
      ...capacityMiss(usableTB, requirement),
      ...createsMiss(first, wantedCreates, spare),
    ],
  };
}

/** Notes on a configuration that is proposed for a requirement. @throws Error for one that AWS refuses */
export function warningsOf(configuration: AnyConfiguration, requirement: Requirement): readonly Warning[] {
  const { warnings } = checkedRequest(requestOf(configuration, requirement));
  const caveats = caveatsOf(configuration).filter(({ id }) => warnings.every((known) => known.id !== id));
  return [...warnings, ...sharing(configuration, requirement).warnings, ...caveats];
}

const wordsOf = (mode: Demand['mode']): string => (mode === 'mixed' ? 'reads and writes together' : `${mode}s`);

const withSpare = (spare: number): string => ` with ${Math.round(spare * 100)} % head-room`;

/** The shortfall of a demand, as text; empty if it is met. */
function demandMiss(demand: DemandResult, spare: number): string[] {
  const { mode, requiredMBps, throughputMBps, storageMBps, binding } = demand;
  const reached = (MBps: number, of: number) => `${wordsOf(mode)} reach ${gigabytes(MBps)} of ${gigabytes(of)} GB/s`;
  if (throughputMBps.baseline < requiredMBps * ENOUGH)
    return [`${reached(throughputMBps.baseline, requiredMBps)} (${binding.baseline})`];
  const wanted = requiredMBps * (1 + spare);
  return storageMBps < wanted * ENOUGH ? [`${reached(storageMBps, wanted)}${withSpare(spare)}`] : [];
}

/** The shortfall of capacity, as text. */
function capacityMiss(usableTB: number | null, requirement: Requirement): string[] {
  const { capacityTB: wantedTB } = requirement;
  if (wantedTB === undefined || usableTB === null || usableTB >= wantedTB * ENOUGH) return [];
  const maxFill = maxFillOf(requirement);
  const full = maxFill === 1 ? '' : ` when it is ${Math.round(maxFill * 100)} % full`;
  return [`it holds ${apart(usableTB, wantedTB)} of ${terabytes(wantedTB)} TB${full}`];
}

/** The shortfall of file creations, as text. */
function createsMiss({ metadataPerSecond, metadataReason }: Prediction, wanted: number | undefined, spare: number) {
  if (wanted === undefined) return [];
  const creates = metadataPerSecond?.file_create ?? null;
  if (creates === null) return [metadataReason];
  if (creates < wanted) return [`it creates ${creates} of ${wanted} files per second`];
  if (creates >= wanted * (1 + spare) * ENOUGH) return [];
  return [`it creates ${creates} of ${Math.round(wanted * (1 + spare))} files per second${withSpare(spare)}`];
}

/** A value below another, with enough digits to tell them apart. */
function apart(value: number, other: number): string {
  const digits = [4, 5, 6, 7, 8].find((each) => value.toPrecision(each) !== other.toPrecision(each)) ?? 9;
  return String(Number(value.toPrecision(digits)));
}

/** Problems of a file system that a limited number of clients can mount. */
function sharing(configuration: AnyConfiguration, { clients }: Requirement): { misses: string[]; warnings: Warning[] } {
  const { label, client } = storageOf(configuration);
  const most = client.mostClients?.(withKind(configuration));
  if (most === undefined || (clients !== undefined && clients.count <= most)) return { misses: [], warnings: [] };
  const mounts = `${label} can be mounted by ${most === 1 ? 'one client' : `${most} clients`} at a time`;
  if (clients !== undefined) return { misses: [`${mounts}, and ${clients.count} need it`], warnings: [] };
  const message = `${mounts}, whose own bandwidth can be the limit: check it with --clients ${most} --instance TYPE`;
  return { misses: [], warnings: [{ id: 'fsxbench:few-clients', message }] };
}

/** A requirement of a configuration as `predictAt` takes it. */
export function requestOf(
  configuration: AnyConfiguration,
  requirement: Requirement,
): Omit<PredictRequest, 'readShare'> {
  const { clients, ratio, region, workingSetGiB } = requirement;
  const { documented, price, client } = storageOf(configuration);
  const known = withKind(configuration);
  return {
    configuration,
    region,
    ratio: codecOf(configuration) !== null ? ratio : undefined,
    workingSetGiB:
      price.candidates?.workingSetGiB === undefined
        ? workingSetGiB
        : price.candidates.workingSetGiB(known, requirement),
    // Clients use TCP with a file system without EFA, even if they have EFA.
    clients:
      clients === undefined
        ? undefined
        : {
            ...clients,
            count: Math.min(clients.count, client.mostClients?.(known) ?? Number.POSITIVE_INFINITY),
            efa: clients.efa === true && documented.performance?.efa?.enabled(known) === true,
          },
  };
}

/** GiB of data that fit, as applications see them; `null` for as much as is stored. */
function capacityGiB(configuration: AnyConfiguration, requirement: Requirement): number | null {
  const { documented, price } = storageOf(configuration);
  const known = withKind(configuration);
  const bytes = documented.capacityBytes?.(known) ?? null;
  const gib = price.candidates?.capacityGiB?.(known) ?? (bytes === null ? null : bytes / 2 ** 30);
  return gib === null ? null : gib / takenOn(configuration, requirement);
}

const above = (there: number, required: number): number | null =>
  required > 0 ? Math.round((there / required - 1) * 1e4) / 1e4 : null;

const gigabytes = (MBps: number): number => Number((MBps / 1000).toPrecision(4));
