import type { FleetDefinition } from '../benchmark/benchmark';
import type { FleetKind } from './fleet';
import { FLEETS } from './registry';

/** The kind of a fleet. @throws Error for one that is not known here */
export function fleetOf({ kind = FLEETS[0].kind }: Pick<FleetDefinition, 'kind'>): FleetKind {
  const found = FLEETS.find((one) => one.kind === kind);
  if (found !== undefined) return found;
  throw new Error(`'kind' of a fleet must be one of ${FLEETS.map((one) => one.kind).join(', ')}, got '${kind}'`);
}
