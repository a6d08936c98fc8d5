import { ofArm } from './arm';
import type { Subject } from './subject';

export interface ArmCost {
  readonly arm: string;
  /** Hours in which the arm moved data for the measurement. */
  readonly measuredHours: number | null;
  /** TB (10^12 bytes) moved in them, written and read. */
  readonly terabytes: number | null;
  /** The file system and its share of the clients, an hour. */
  readonly hourlyUsd: number | null;
  /** Over the whole run, idle hours as well. */
  readonly runUsd: number | null;
  /** While it moved data: what a TB costs at the measured rate. */
  readonly perTerabyteUsd: number | null;
  readonly reason: string | null;
}

/** Each arm's part of the cost: its own file system, and an equal part of the clients that the arms shared. */
export function armCosts({ plan, manifest, arms, measured, elsewhere, cost }: Subject): ArmCost[] {
  return arms.map(({ name: arm, deployed }): ArmCost => {
    const own = ofArm(measured, arm);
    const known = own.filter(({ bytes }) => bytes !== null);
    const windows = [...Map.groupBy(known, ({ step }) => step).values()].map((group) => [
      Math.min(...group.map(({ from }) => from)),
      Math.max(...group.map(({ to }) => to)),
    ]);
    const seconds = windows.reduce((sum, [from = 0, to = 0]) => sum + (to - from) / 1000, 0);
    const measuredHours = known.length === 0 ? null : seconds / 3600;
    const terabytes = known.length === 0 ? null : known.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) / 1e12;
    const [storage, fleet] = [deployed?.hourlyUsd ?? null, manifest?.fleet.hourlyUsd ?? null];
    // Arms that work at the same time share the clients; an arm that takes its turn has all of them.
    const clients = plan?.fleet.clients ?? manifest?.fleet.clients.length ?? 0;
    const share = clients > 0 ? Math.min(1, (own[0]?.clients ?? clients) / clients) : 1;
    const hourlyUsd = storage === null || fleet === null ? null : storage + fleet * share;
    const base = { arm, measuredHours, terabytes, hourlyUsd };
    const without = (reason: string): ArmCost => ({ ...base, runUsd: null, perTerabyteUsd: null, reason });
    if (elsewhere !== null) return without(elsewhere.cost);
    if (hourlyUsd === null)
      return without(deployed?.hourlyReason ?? manifest?.fleet.hourlyReason ?? 'a list price is not known');
    const runUsd = cost.hours === null ? null : hourlyUsd * cost.hours;
    if (measuredHours === null || !terabytes)
      return { ...base, runUsd, perTerabyteUsd: null, reason: 'it is not known how much was moved' };
    return { ...base, runUsd, perTerabyteUsd: (hourlyUsd * measuredHours) / terabytes, reason: null };
  });
}
