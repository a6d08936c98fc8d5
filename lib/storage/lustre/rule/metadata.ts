import { isMetadataIops, kindOf, METADATA_IOPS, METADATA_IOPS_ALLOWED, nextMetadataIops } from '../documented';
import { must, oneOf, type Rule } from './rule';

const TIERING = 'PERSISTENT_2_INTELLIGENT_TIERING';

const metadataType: Rule = {
  id: 'fsxbench:lustre-metadata-type',
  check: ({ deploymentType, metadata }) =>
    metadata !== undefined && (deploymentType === 'PERSISTENT_1' || deploymentType === 'SCRATCH_2')
      ? must('metadata', `absent with ${deploymentType}`, metadata, 'a metadata configuration needs PERSISTENT_2')
      : undefined,
};

const metadataMode: Rule = {
  id: 'fsxbench:lustre-metadata-mode',
  check: (configuration) => {
    const kind = kindOf(configuration);
    if (kind !== 'PERSISTENT_2_SSD' && kind !== TIERING) return undefined;
    const { metadata } = configuration;
    if (kind === TIERING) {
      return metadata?.mode === 'USER_PROVISIONED'
        ? undefined
        : must(
            'metadata.mode',
            'USER_PROVISIONED with INTELLIGENT_TIERING',
            metadata?.mode,
            `set 'metadata' to USER_PROVISIONED with ${oneOf(METADATA_IOPS.tiering)} IOPS`,
          );
    }
    return metadata === undefined || ['AUTOMATIC', 'USER_PROVISIONED'].includes(metadata.mode)
      ? undefined
      : must('metadata.mode', 'AUTOMATIC or USER_PROVISIONED', given(metadata), 'name one of them');
  },
};

const metadataIops: Rule = {
  id: 'fsxbench:lustre-metadata-iops',
  check: (configuration) => {
    const kind = kindOf(configuration);
    const { metadata } = configuration;
    if ((kind !== 'PERSISTENT_2_SSD' && kind !== TIERING) || metadata === undefined) return undefined;
    const iops: unknown = 'iops' in metadata ? metadata.iops : undefined;
    if (metadata.mode === 'AUTOMATIC') {
      return iops === undefined
        ? undefined
        : must('metadata.iops', 'absent with AUTOMATIC', iops, 'take USER_PROVISIONED to choose the IOPS');
    }
    const { tiering } = METADATA_IOPS;
    if (kind === TIERING) {
      return (tiering as readonly unknown[]).includes(iops)
        ? undefined
        : must('metadata.iops', `${oneOf(tiering)} with INTELLIGENT_TIERING`, iops, `${tiering[0]} is the smaller`);
    }
    return isMetadataIops(iops)
      ? undefined
      : must('metadata.iops', METADATA_IOPS_ALLOWED, iops, `take ${nextMetadataIops(iops)}`);
  },
};

const efa: Rule = {
  id: 'fsxbench:lustre-efa',
  check: ({ deploymentType, metadata, efaEnabled = false }) =>
    efaEnabled && (deploymentType !== 'PERSISTENT_2' || metadata === undefined)
      ? must(
          'efaEnabled',
          'false but for PERSISTENT_2 file systems with metadata configuration',
          efaEnabled,
          deploymentType === 'PERSISTENT_2' ? "set 'metadata'" : "take PERSISTENT_2 and set 'metadata'",
        )
      : undefined,
};

function given(metadata: object): unknown {
  return 'mode' in metadata ? metadata.mode : undefined;
}

export const METADATA_RULES: readonly Rule[] = [metadataType, metadataMode, metadataIops, efa];
