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
): PredictRequest['clients'] {
  const clients = quantity('--clients', count, CLIENTS);
  if (instance !== undefined && instanceType(instance) === null) {
    const meant = nearest(instance, instanceTypeNames());
    const next = meant === undefined ? 'use one such as c5n.9xlarge' : `did you mean ${meant}?`;
    throw new UsageError(`'--instance' must be an instance type with known network data, got '${instance}': ${next}`);
  }
  if (clients === undefined && instance === undefined) return undefined;
  if (instance === undefined)
    throw new UsageError("'--clients' needs --instance, which gives the speed of each, such as c5n.9xlarge");
  return { count: clients ?? 1, instanceType: instance, efa };
}

/** The flags of the clients' properties. */
export const CLIENT_FLAGS = {
  'clients.count': '--clients',
  'clients.instanceType': '--instance',
  'clients.efa': '--efa',
};
