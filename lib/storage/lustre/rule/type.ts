import { DEFAULT_LUSTRE_VERSION, type LustreConfiguration } from '../configuration';
import { KINDS, kindOf, STORAGE_TYPES } from '../documented';
import { must, oneOf, type Rules } from './rule';

/** True for the types whose data lives on one server only. */
export const isScratch = (deploymentType: LustreConfiguration['deploymentType']): boolean =>
  deploymentType === 'SCRATCH_2';

export const TYPE_RULES: Rules = {
  'deployment-type': ({ deploymentType }) =>
    !Object.hasOwn(STORAGE_TYPES, deploymentType) &&
    must(
      'deploymentType',
      oneOf(Object.keys(STORAGE_TYPES)),
      'Take PERSISTENT_2 unless a published study used another.',
    ),

  'storage-type': ({ deploymentType, storageType = 'SSD' }) => {
    const allowed = STORAGE_TYPES[deploymentType];
    if (allowed === undefined || allowed.includes(storageType)) return undefined;
    const home = Object.entries(STORAGE_TYPES).find(([, types]) => types.includes(storageType))?.[0];
    const next = home ? `${storageType} needs ${home}.` : 'Leave it out for SSD.';
    return must('storageType', `${oneOf(allowed)} with ${deploymentType}`, next);
  },

  version: (configuration) => {
    const kind = kindOf(configuration);
    if (kind === null) return undefined;
    const { version = DEFAULT_LUSTRE_VERSION, metadata, deploymentType } = configuration;
    const { versions, label } = KINDS[kind];
    const next = 'Leave it out for 2.15.';
    if (!versions.includes(version)) return must('version', `${oneOf(versions)} with ${label}`, next);
    const needed = metadata !== undefined && deploymentType === 'PERSISTENT_2';
    return needed && version !== '2.15' && must('version', '2.15 when a metadata configuration is specified', next);
  },

  compression: ({ dataCompressionType = 'NONE' }) =>
    !['NONE', 'LZ4'].includes(dataCompressionType) &&
    must('dataCompressionType', 'NONE or LZ4', 'LZ4 is the only algorithm of the service.'),

  /** Scratch file systems are always encrypted with the key of the service: FSx API reference, KmsKeyId. */
  key: ({ deploymentType, customerManagedKey = false }) =>
    customerManagedKey &&
    isScratch(deploymentType) &&
    must(
      'customerManagedKey',
      'false with SCRATCH_2, which always uses the key of the service',
      'Take a persistent type to use a key of your own.',
    ),
};
