import { nearest } from '../../config/nearest';
import { instanceType, instanceTypeNames } from '../../fleet/instanceTypes';
import type { PredictRequest } from '../../predict';
import { UsageError } from '../context';
import { CLIENTS, quantity } from './quantity';

/** The clients: both flags or neither. @throws UsageError */
export function clientsOf(
  count: string | undefined,
  instance: string | undefined,
  efa: boolean,
  name: (option: string) => string = (option) => option,
): PredictRequest['clients'] {
  const clients = quantity(name('--clients'), count, CLIENTS);
  if (instance !== undefined && instanceType(instance) === null) {
    const meant = nearestSize(instance) ?? nearest(instance, instanceTypeNames());
    const next = meant === undefined ? 'use one such as c5n.9xlarge' : `did you mean ${meant}?`;
    throw new UsageError(
      `'${name('--instance')}' must be an instance type with known network data, got '${instance}': ${next}`,
    );
  }
  if (clients === undefined && instance === undefined) return undefined;
  if (instance === undefined)
    throw new UsageError(
      `'${name('--clients')}' needs ${name('--instance')}, which gives the speed of each, such as c5n.9xlarge`,
    );
  return { count: clients ?? 1, instanceType: instance, efa };
}

/** The flags of the clients' properties. */
export const CLIENT_FLAGS = {
  'clients.count': '--clients',
  'clients.instanceType': '--instance',
  'clients.efa': '--efa',
};

const TYPE = /^([^.]+)\.(\d*)xlarge$/;

/** The type of the same family whose size is nearest; `undefined` where the name has no known family, or no size. */
function nearestSize(name: string): string | undefined {
  const [, family, size] = TYPE.exec(name) ?? [];
  const away = (other: string): number => Math.abs(Math.log(Number(other || 1) / Number(size || 1)));
  const sizes = instanceTypeNames().flatMap((type) => {
    const [, itsFamily, itsSize = ''] = TYPE.exec(type) ?? [];
    return itsFamily !== undefined && itsFamily === family ? [{ type, distance: away(itsSize) }] : [];
  });
  return sizes.sort((a, b) => a.distance - b.distance)[0]?.type;
}
