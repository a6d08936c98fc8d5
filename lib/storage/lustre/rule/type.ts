import { DEFAULT_LUSTRE_VERSION, type LustreConfiguration } from '../configuration';
import { KINDS, kindOf, STORAGE_TYPES } from '../documented';
import { must, oneOf, type Rule } from './rule';

const deploymentType: Rule = {
  id: 'fsxbench:lustre-deployment-type',
  check: ({ deploymentType }) =>
    Object.hasOwn(STORAGE_TYPES, deploymentType)
      ? undefined
      : must(
          'deploymentType',
          oneOf(Object.keys(STORAGE_TYPES)),
          deploymentType,
          'Take PERSISTENT_2 unless a published study used another.',
        ),
};

const storageType: Rule = {
  id: 'fsxbench:lustre-storage-type',
  check: ({ deploymentType, storageType = 'SSD' }) => {
    const allowed = STORAGE_TYPES[deploymentType];
    if (allowed === undefined || allowed.includes(storageType)) return undefined;
    const home = Object.entries(STORAGE_TYPES).find(([, types]) => types.includes(storageType))?.[0];
    return must(
      'storageType',
      `${oneOf(allowed)} with ${deploymentType}`,
      storageType,
      home ? `${storageType} needs ${home}.` : 'Leave it out for SSD.',
    );
  },
};

const version: Rule = {
  id: 'fsxbench:lustre-version',
  check: (configuration) => {
    const kind = kindOf(configuration);
    if (kind === null) return undefined;
    const { version = DEFAULT_LUSTRE_VERSION, metadata } = configuration;
    const { versions, label } = KINDS[kind];
    if (!versions.includes(version)) {
      return must('version', `${oneOf(versions)} with ${label}`, version, 'Leave it out for 2.15.');
    }
    return metadata !== undefined && configuration.deploymentType === 'PERSISTENT_2' && version !== '2.15'
      ? must('version', '2.15 when a metadata configuration is specified', version, 'Leave it out for 2.15.')
      : undefined;
  },
};

const compression: Rule = {
  id: 'fsxbench:lustre-compression',
  check: ({ dataCompressionType = 'NONE' }) =>
    ['NONE', 'LZ4'].includes(dataCompressionType)
      ? undefined
      : must('dataCompressionType', 'NONE or LZ4', dataCompressionType, 'LZ4 is the only algorithm of the service.'),
};

/** Scratch file systems are always encrypted with the key of the service: FSx API reference, KmsKeyId. */
const key: Rule = {
  id: 'fsxbench:lustre-key',
  check: ({ deploymentType, customerManagedKey = false }) =>
    customerManagedKey && isScratch(deploymentType)
      ? must(
          'customerManagedKey',
          'false with SCRATCH_2, which always uses the key of the service',
          customerManagedKey,
          'Take a persistent type to use a key of your own.',
        )
      : undefined,
};

/** True for the types whose data lives on one server only. */
export function isScratch(deploymentType: LustreConfiguration['deploymentType']): boolean {
  return deploymentType === 'SCRATCH_2';
}

export const TYPE_RULES: readonly Rule[] = [deploymentType, storageType, version, compression, key];
