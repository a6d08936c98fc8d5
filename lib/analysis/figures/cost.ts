import { onePerServerSet } from '../../storage/lookup';
import type { SessionTimes } from '../../store/readRun';
import { ofArm } from '../arm';
import type { Run } from '../run';
import type { Subject } from '../subject';

interface CostLine {
  readonly item: string;
  readonly hourlyUsd: number | null;
  readonly runUsd: number | null;
  readonly reason?: string;
}

const REST_OF_STACK = 'Rest of the stack: network, dashboard, alarms, arms that the run left out';

/** List price of the deployment over the time of the run. The bill differs: it also has set-up, idle hours and traffic. */
export function costOf({ manifest, arms: all }: Pick<Run, 'manifest' | 'arms'>, { worked, between }: SessionTimes) {
  // In which a driver worked on the run, in all its sessions.
  const hours = worked === null ? null : worked / 3600;
  // Between the sessions of a run that was resumed: whatever stayed deployed was paid for then as well, and is in no line.
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

/** Each arm's part of the cost: its own file system, and an equal part of the clients that the arms shared. */
export function armCosts({ plan, manifest, arms, measured, elsewhere, cost }: Subject) {
  return arms.map(({ name: arm, deployed }) => {
    const own = ofArm(measured, arm);
    const known = own.filter(({ bytes }) => bytes !== null);
    const windows = [...Map.groupBy(known, ({ step }) => step).values()].map((group) => [
      Math.min(...group.map(({ from }) => from)),
      Math.max(...group.map(({ to }) => to)),
    ]);
    const seconds = windows.reduce((sum, [from = 0, to = 0]) => sum + (to - from) / 1000, 0);
    /** Hours in which the arm moved data for the measurement. */
    const measuredHours = known.length === 0 ? null : seconds / 3600;
    /** Amount that the arm wrote and read in them, TB. */
    const terabytes = known.length === 0 ? null : known.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) / 1e12;
    const [storage, fleet] = [deployed?.hourlyUsd ?? null, manifest?.fleet.hourlyUsd ?? null];
    // Arms that work at the same time share the clients; an arm that takes its turn has all of them.
    const clients = plan?.fleet.clients ?? manifest?.fleet.clients.length ?? 0;
    const share = clients > 0 ? Math.min(1, (own[0]?.clients ?? clients) / clients) : 1;
    /** Cost of the file system and its share of the clients, USD per hour. */
    const hourlyUsd = storage === null || fleet === null ? null : storage + fleet * share;
    const base = { arm, measuredHours, terabytes, hourlyUsd };
    const without = (reason: string) => ({ ...base, runUsd: null, perTerabyteUsd: null, reason });
    if (elsewhere !== null) return without(elsewhere.cost);
    if (hourlyUsd === null)
      return without(deployed?.hourlyReason ?? manifest?.fleet.hourlyReason ?? 'a list price is not known');
    /** Cost of the whole run, idle hours as well, USD. */
    const runUsd = cost.hours === null ? null : hourlyUsd * cost.hours;
    if (measuredHours === null || !terabytes)
      return { ...base, runUsd, perTerabyteUsd: null, reason: 'it is not known how much was moved' };
    // While it moved data: what a TB costs at the measured rate.
    return { ...base, runUsd, perTerabyteUsd: (hourlyUsd * measuredHours) / terabytes, reason: null };
  });
}
