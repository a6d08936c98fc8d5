import type { OfflineCheck } from '../fleet/fleet';
import type { Machine } from './machine';

export type Purpose = 'deploy' | 'local run' | 'lab';

export interface CheckResult extends Omit<OfflineCheck, 'ok'> {
  readonly neededFor: readonly Purpose[];
  /** `missing` blocks a purpose; `limited` means that it works with the limitation in `advice`. */
  readonly state: 'ok' | 'limited' | 'missing';
}

export type MachineCheck = (machine: Machine) => CheckResult;

/** The result of a check: passed unless it has advice. */
export const checked = (
  name: string,
  neededFor: readonly Purpose[],
  found: string,
  advice: string | null,
  otherwise: 'limited' | 'missing' = 'missing',
): CheckResult => ({ name, neededFor, state: advice === null ? 'ok' : otherwise, found, advice });
