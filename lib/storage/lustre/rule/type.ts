import type { Labels } from '../../../common/violation';
import { DEFAULT_LUSTRE_VERSION, type LustreConfiguration } from '../configuration';
import { capacityStep } from '../documented';
import { DEPLOYMENT_TYPES, DEPLOYMENTS, MOST_CAPACITY_GIB, perUnitsOf, storageTypesOf, typeOf } from '../types';
import { LEAVE_OUT, must, oneOf, type Rules } from './rule';

/** True for the types whose data lives on one server only. */
export const isScratch = (deploymentType: LustreConfiguration['deploymentType']): boolean =>
  DEPLOYMENTS[deploymentType]?.replicated === false;

export const TYPE_RULES: Rules = {
  'deployment-type': ({ deploymentType }) =>
    !DEPLOYMENT_TYPES.includes(deploymentType) &&
    must('deploymentType', oneOf(DEPLOYMENT_TYPES), 'Take PERSISTENT_2 unless a published study used another.'),

  'storage-type': ({ deploymentType, storageType = 'SSD' }) => {
    const allowed = storageTypesOf(deploymentType);
    if (allowed.length === 0 || allowed.includes(storageType)) return undefined;
    const home = DEPLOYMENT_TYPES.find((type) => storageTypesOf(type).includes(storageType));
    const next = home ? `${storageType} needs ${home}.` : 'Leave it out for SSD.';
    return must('storageType', `${oneOf(allowed)} with ${deploymentType}`, next);
  },

  version: (configuration) => {
    const type = typeOf(configuration);
    if (type === null) return undefined;
    const { version = DEFAULT_LUSTRE_VERSION, metadata } = configuration;
    const { versions, label } = type;
    const next = 'Leave it out for 2.15.';
    if (!versions.includes(version)) return must('version', `${oneOf(versions)} with ${label}`, next);
    const needed = metadata !== undefined && type.metadata !== 'none';
    return needed && version !== '2.15' && must('version', '2.15 when a metadata configuration is specified', next);
  },

  compression: ({ dataCompressionType = 'NONE' }) =>
    !['NONE', 'LZ4'].includes(dataCompressionType) &&
    must('dataCompressionType', 'NONE or LZ4', 'LZ4 is the only algorithm of the service.'),
};

export const SIZE_RULES: Rules = {
  'throughput-tier': (configuration) => {
    const type = typeOf(configuration);
    if (type === null) return undefined;
    const perUnit = perUnitsOf(type);
    const { label } = type;
    const value = configuration.perUnitStorageThroughput;
    if (perUnit.length > 0)
      return (
        (value === undefined || !perUnit.includes(value)) &&
        must('perUnitStorageThroughput', `${oneOf(perUnit)} MB/s/TiB with ${label}`, nearest(perUnit, value))
      );
    const next =
      type.elastic === undefined
        ? LEAVE_OUT
        : ({ name }: Labels) => `Leave it out and set '${name('throughputCapacity')}'.`;
    const why = type.elastic === undefined ? 'its throughput per TiB is fixed' : 'it has no throughput per TiB';
    return value !== undefined && must('perUnitStorageThroughput', { conflict: `${label}: ${why}` }, next);
  },

  capacity: (configuration) => {
    const type = typeOf(configuration);
    if (type === null) return undefined;
    const { storageCapacityGiB: value, perUnitStorageThroughput, efaEnabled } = configuration;
    const { label } = type;
    if (type.elastic !== undefined)
      return value !== undefined && must('storageCapacityGiB', { conflict: `${label}: it is elastic` }, LEAVE_OUT);
    const valid = capacityStep(configuration);
    // The throughput tier decides the step; its own rule speaks first.
    if (valid === null) return undefined;
    const { first, step } = valid;
    if (isMultiple(value, step) || value === first) return undefined;
    const tier = type.driveCache || efaEnabled ? ` at ${perUnitStorageThroughput} MB/s/TiB` : '';
    const what = `${label}${tier}${efaEnabled && type.efa ? ' and EFA' : ''}`;
    const requirement = first === step ? `a multiple of ${step}` : `${first} or a multiple of ${step}`;
    const below = typeof value === 'number' && value > step ? Math.floor(value / step) * step : first;
    const above = typeof value === 'number' && value > first ? Math.floor(value / step) * step + step : first;
    const next = `Take ${oneOf([...new Set([below, above])])} (GiB).`;
    return must('storageCapacityGiB', `${requirement} with ${what}`, next);
  },

  'capacity-unit': ({ storageCapacityGiB: value = 0 }) =>
    value > MOST_CAPACITY_GIB && must('storageCapacityGiB', `at most ${MOST_CAPACITY_GIB}`, 'It is in GiB.'),

  'drive-cache': (configuration) => {
    const type = typeOf(configuration);
    const { driveCacheType: value } = configuration;
    if (type === null) return undefined;
    if (!type.driveCache)
      return (
        value !== undefined &&
        must('driveCacheType', { conflict: `${type.label}: only storage type HDD has it` }, LEAVE_OUT)
      );
    const next = 'READ adds an SSD read cache of 20 % of the capacity.';
    return value !== 'NONE' && value !== 'READ' && must('driveCacheType', 'NONE or READ with storage type HDD', next);
  },
};

/** True for 1 × step, 2 × step and so on. */
export const isMultiple = (value: unknown, step: number): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) % step === 0;

function nearest(allowed: readonly number[], value: unknown): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return `Set ${allowed[0]} or more.`;
  const best = allowed.reduce((a, b) => (Math.abs(b - value) < Math.abs(a - value) ? b : a));
  return `The nearest is ${best}.`;
}
