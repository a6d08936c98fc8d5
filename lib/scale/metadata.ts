import { violationMessage } from '../common/violation';
import { sumOf } from '../price/cost';
import { HOURS_PER_MONTH } from '../price/prices';
import { isAtWork } from '../storage/common/fsx';
import type { LustreConfiguration } from '../storage/lustre/configuration';
import { lustreLines } from '../storage/lustre/cost';
import { isMetadataIops, metadataIopsAbove } from '../storage/lustre/documented';
import { checkLustre } from '../storage/lustre/rules';
import { serversOf } from '../storage/lustre/servers';
import { describeLustre } from '../storage/lustre/settings';
import { type LustreAction, type LustreState, Refusal } from '../storage/lustre/state';
import { typeOf } from '../storage/lustre/types';
import { type FsxApi, type WaitOptions, waitFor } from './fileSystem';

/** Between two changes of the metadata configuration. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html. */
const HOURS_BETWEEN_CHANGES = 6;

/** List price a month in USD; `null` where it is not known. */
export interface MonthlyUsd {
  readonly before: number | null;
  readonly after: number | null;
  readonly difference: number | null;
  /** Why something of it is not known; `null` where all of it is. */
  readonly reason: string | null;
}

/** A change of metadata IOPS, checked, before anything happens. */
export interface MetadataChange {
  readonly fileSystemId: string;
  readonly from: { readonly mode: 'AUTOMATIC' | 'USER_PROVISIONED'; readonly iops: number };
  readonly to: { readonly mode: 'USER_PROVISIONED'; readonly iops: number };
  /** True if there is nothing to change. */
  readonly nothing: boolean;
  readonly metadataTargets: { readonly before: number; readonly after: number };
  readonly monthlyUsd: MonthlyUsd;
  /** Remarks for the user, before and after it. */
  readonly notes: readonly string[];
}

/** Words for the metadata IOPS that a file system can still be raised to. */
function allowedAbove(iops: number): string {
  const above = metadataIopsAbove(iops);
  if (above.length === 0) return 'these are the most there are';
  const few = above.length <= 4 ? above.join(', ') : `${above.slice(0, 3).join(', ')} … ${above.at(-1)}`;
  return `allowed are ${few}`;
}

/** The words of the command's option. */
const OPTION = describeLustre({ metadata: '--iops' });

const shown = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const aMonth = (hourlyUsd: number): number => Math.round(hourlyUsd * HOURS_PER_MONTH * 100) / 100;

/** Price of the file system, and of its metadata alone: nothing where all of it is included. */
function pricesOf(configuration: LustreConfiguration, region: string) {
  const lines = lustreLines(configuration, { region, label: 'it' });
  const metadata = lines.filter(({ item }) => item.startsWith('it: metadata IOPS'));
  return { whole: sumOf(lines), metadata: sumOf(metadata) };
}

/** The difference is that of metadata alone: the rest of the bill stays, and may not be known, as that of elastic storage. */
function monthlyUsd(before: LustreConfiguration, after: LustreConfiguration, region: string): MonthlyUsd {
  const [was, willBe] = [pricesOf(before, region), pricesOf(after, region)];
  const [less, more] = [was.metadata.hourlyUsd, willBe.metadata.hourlyUsd];
  const unknown = [willBe.metadata, was.metadata, willBe.whole, was.whole].find(({ hourlyUsd }) => hourlyUsd === null);
  return {
    before: was.whole.hourlyUsd === null ? null : aMonth(was.whole.hourlyUsd),
    after: willBe.whole.hourlyUsd === null ? null : aMonth(willBe.whole.hourlyUsd),
    difference: less === null || more === null ? null : aMonth(more - less),
    reason: unknown?.reason?.replaceAll('it: ', '') ?? null,
  };
}

/** The change of metadata IOPS that FSx is busy with. */
const underWay = ({ actions }: LustreState): LustreAction | undefined =>
  actions.find(({ metadata, status }) => metadata && isAtWork(status));

/**
 * Checks that FSx would raise metadata IOPS to `iops`, and describes the change. @param goesOn true to resume a raise that was requested earlier
 * @throws Refusal with the allowed values and the next step
 */
export function checkMetadataChange(
  state: LustreState,
  iops: number,
  region: string,
  { now = new Date(), goesOn = false }: { readonly now?: Date; readonly goesOn?: boolean } = {},
): MetadataChange {
  const { fileSystemId, configuration, lifecycle, actions } = state;
  if ((typeOf(configuration)?.metadata ?? 'none') === 'none')
    throw new Refusal(
      `${fileSystemId} is ${configuration.deploymentType}, and only PERSISTENT_2 has metadata IOPS: ` +
        'create a PERSISTENT_2 file system and copy the data',
    );
  const wanted: LustreConfiguration = { ...configuration, metadata: { mode: 'USER_PROVISIONED', iops } };
  const broken = checkLustre(wanted).errors.find(({ property }) => OPTION.name(property) === '--iops');
  const present = state.metadataIops ?? 0;
  // The reason that fits a file system in use is given below: they only rise.
  const falls = isMetadataIops(iops) && iops < present;
  if (broken !== undefined && !falls) throw new Refusal(`${fileSystemId}: ${violationMessage(broken, OPTION)}`);
  const { metadata } = configuration;
  if (metadata === undefined)
    throw new Refusal(
      `${fileSystemId} was created without a metadata configuration, which AWS cannot add later: ` +
        `create a file system with ${iops} metadata IOPS and copy the data`,
    );
  if (iops < present)
    throw new Refusal(
      `'--iops' must be at least the ${present} of ${fileSystemId}, got ${iops}: metadata IOPS cannot be lowered; ${allowedAbove(present)}`,
    );
  const nothing = metadata.mode === 'USER_PROVISIONED' && iops === present;
  if (!nothing && !(goesOn && underWay(state))) {
    if (lifecycle !== 'AVAILABLE')
      throw new Refusal(`${fileSystemId} must be AVAILABLE, got ${lifecycle}: wait until it is, then ask again`);
    refuseWhileBusy(state);
    const last = actions.find((action) => action.metadata && action.status !== 'FAILED');
    const next = last && new Date(+last.requestedAt + HOURS_BETWEEN_CHANGES * 3_600_000);
    if (last && next && next > now)
      throw new Refusal(
        `${fileSystemId} had a change of its metadata IOPS at ${shown(last.requestedAt)}, and FSx needs ${HOURS_BETWEEN_CHANGES} h between two: try again after ${shown(next)}`,
      );
  }
  const targets = { before: serversOf(configuration)?.mds ?? 1, after: serversOf(wanted)?.mds ?? 1 };
  return {
    fileSystemId,
    from: { mode: metadata.mode, iops: present },
    to: { mode: 'USER_PROVISIONED', iops },
    nothing,
    metadataTargets: targets,
    monthlyUsd: monthlyUsd(configuration, wanted, region),
    notes: notesOf(metadata.mode, present, targets),
  };
}

function refuseWhileBusy({ fileSystemId, actions }: LustreState): void {
  const busy = actions.find(({ status }) => isAtWork(status));
  if (busy === undefined) return;
  const what = busy.capacity ? 'an increase of its capacity' : `a change (${busy.type})`;
  const percent = busy.percent === null ? '' : ` at ${busy.percent} %`;
  throw new Refusal(
    `${fileSystemId} has a change in progress, ${what}, ${busy.status}${percent}: wait until it is COMPLETED`,
  );
}

function notesOf(
  mode: string,
  present: number,
  targets: { readonly before: number; readonly after: number },
): string[] {
  const notes = ['It cannot be undone: metadata IOPS only rise, and the next change is possible after 6 h.'];
  if (mode === 'AUTOMATIC')
    notes.push(
      `Its mode becomes USER_PROVISIONED: until now AUTOMATIC gave ${present} and would have raised them with the capacity, at no extra price.`,
    );
  if (targets.after > targets.before)
    notes.push(
      `It gets ${targets.after} metadata targets in place of ${targets.before}. Directories stay where they are: only new ones use the new targets (lfs mkdir -i, lfs migrate -m).`,
      'Settings of clients (lctl set_param mdc.*) hold for the targets that they knew: make them again; on clients of fsxbench, systemctl restart fsxbench-tuning.',
    );
  return notes;
}

/** Raises the metadata IOPS and waits until they are there. */
export async function changeMetadata(
  api: FsxApi,
  { fileSystemId, to }: MetadataChange,
  options: WaitOptions,
): Promise<LustreState> {
  // FSx's clock and ours may differ.
  const since = new Date(Date.now() - 60_000);
  const MetadataConfiguration = { Mode: to.mode, Iops: to.iops };
  await api.update({ FileSystemId: fileSystemId, LustreConfiguration: { MetadataConfiguration } });
  const isAsWanted = ({ metadataIops, configuration }: LustreState) =>
    metadataIops === to.iops && configuration.metadata?.mode === to.mode;
  return waitFor(api, fileSystemId, { since, isAsWanted }, options);
}
