import { onePerServerSet } from '../../storage/lookup';
import type { SessionTimes } from '../../store/readRun';
import type { Run } from '../run';

interface CostLine {
  readonly item: string;
  readonly hourlyUsd: number | null;
  readonly runUsd: number | null;
  readonly reason?: string;
}

/** List price of the deployment over the time of the run. The bill differs: it also has set-up, idle hours and traffic. */
export interface RunCost {
  readonly lines: readonly CostLine[];
  /** Hours in which a driver worked on the run, in all its sessions. */
  readonly hours: number | null;
  /** Between the sessions of a run that was resumed: whatever stayed deployed was paid for then as well, and is in no line. */
  readonly idleHours: number | null;
  readonly idleUsd: number | null;
  /** Sum of all lines; `null` if one of them is unknown. */
  readonly hourlyUsd: number | null;
  readonly runUsd: number | null;
  readonly reason?: string;
}

const REST_OF_STACK = 'Rest of the stack: network, dashboard, alarms, arms that the run left out';

export function costOf(
  { manifest, arms: all }: Pick<Run, 'manifest' | 'arms'>,
  { worked, between }: SessionTimes,
): RunCost {
  const hours = worked === null ? null : worked / 3600;
  const idleHours = between === null ? null : between / 3600;
  const unknown = { hours, idleHours, idleUsd: null, hourlyUsd: null, runUsd: null };
  if (manifest === null) return { lines: [], ...unknown, reason: 'the manifest, which has the prices, is missing' };
  const { arms, fleet, stack } = manifest;
  const line = (item: string, hourlyUsd: number | null, reason = 'no list price is known'): CostLine =>
    hourlyUsd === null
      ? { item, hourlyUsd, runUsd: null, reason }
      : { item, hourlyUsd, runUsd: hours === null ? null : hourlyUsd * hours };
  const fleetItem = fleet.instanceType === null ? 'Clients' : `${fleet.clients.length} × ${fleet.instanceType}`;
  const storage = arms.map((arm) => line(`File system of ${arm.name}`, arm.hourlyUsd, arm.hourlyReason));
  const clients = line(fleetItem, fleet.hourlyUsd, fleet.hourlyReason);
  // Two arms on one file system, before and after a change of it, are paid for once, at the higher price.
  const once = storage.filter(
    ({ hourlyUsd }, index) =>
      !storage.some(
        (other, at) =>
          at !== index &&
          arms[at]?.fileSystemId != null &&
          arms[at]?.fileSystemId === arms[index]?.fileSystemId &&
          ((other.hourlyUsd ?? 0) > (hourlyUsd ?? 0) || (other.hourlyUsd === hourlyUsd && at < index)),
      ),
  );
  // Arms on the same servers each name the price of all of these.
  const planned = all.flatMap(({ name, planned: storage }) => (storage === null ? [] : [{ name, storage }]));
  const first = new Set(onePerServerSet(planned).map(({ name }) => name));
  const sharing = new Set(planned.flatMap(({ name }) => (first.has(name) ? [] : [`File system of ${name}`])));
  const paid = [...once.filter(({ item }) => !sharing.has(item)), clients];
  const known = sumOf(paid);
  // Prices are kept to a hundredth of a cent.
  const rest = known === null || stack?.hourlyUsd == null ? 0 : stack.hourlyUsd - known;
  const others = rest > 0.0005 ? [line(REST_OF_STACK, rest)] : [];
  const lines = [...storage, clients, ...others];
  const hourlyUsd = sumOf([...paid, ...others]);
  if (hourlyUsd === null) {
    const reasons = lines.flatMap(({ item, reason }) => (reason === undefined ? [] : [`${item}: ${reason}`]));
    return { lines, ...unknown, reason: reasons.join('; ') };
  }
  const over = (time: number | null): number | null => (time === null ? null : hourlyUsd * time);
  return {
    lines,
    hours,
    idleHours,
    idleUsd: over(idleHours),
    hourlyUsd,
    runUsd: over(hours),
    ...(hours === null ? { reason: 'when a driver worked on the run is unknown' } : {}),
  };
}

function sumOf(lines: readonly CostLine[]): number | null {
  const prices = lines.flatMap(({ hourlyUsd }) => hourlyUsd ?? []);
  return prices.length === lines.length ? prices.reduce((sum, price) => sum + price, 0) : null;
}
