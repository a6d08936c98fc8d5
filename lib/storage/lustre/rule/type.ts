import { DEFAULT_LUSTRE_VERSION, type LustreConfiguration } from '../configuration';
import { DEPLOYMENT_TYPES, DEPLOYMENTS, storageTypesOf, typeOf } from '../types';
import { must, oneOf, type Rules } from './rule';

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
