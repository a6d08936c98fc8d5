import { type Phrase, shown } from '../../../kit/breach';
import { isMetadataIops, kindOf, METADATA_IOPS, METADATA_IOPS_ALLOWED, nextMetadataIops } from '../documented';
import { must, oneOf, type Rule } from './rule';

const TIERING = 'PERSISTENT_2_INTELLIGENT_TIERING';

const { tiering } = METADATA_IOPS;
const TIERING_IOPS: Phrase = ({ value }) =>
  `${oneOf(tiering.map((iops) => value({ mode: 'USER_PROVISIONED', iops })))} with INTELLIGENT_TIERING`;
const SMALLER = `${tiering[0]} IOPS are the fewest.`;

const metadataType: Rule = {
  id: 'fsxbench:lustre-metadata-type',
  check: ({ deploymentType, metadata }) =>
    metadata !== undefined && (deploymentType === 'PERSISTENT_1' || deploymentType === 'SCRATCH_2')
      ? must('metadata', `absent with ${deploymentType}`, metadata, 'A metadata configuration needs PERSISTENT_2.')
      : undefined,
};

const metadataMode: Rule = {
  id: 'fsxbench:lustre-metadata-mode',
  check: (configuration) => {
    const kind = kindOf(configuration);
    if (kind !== 'PERSISTENT_2_SSD' && kind !== TIERING) return undefined;
    const { metadata } = configuration;
    if (kind === TIERING) {
      return metadata?.mode === 'USER_PROVISIONED' ? undefined : must('metadata', TIERING_IOPS, metadata, SMALLER);
    }
    return metadata === undefined || ['AUTOMATIC', 'USER_PROVISIONED'].includes(metadata.mode)
      ? undefined
      : must('metadata.mode', 'AUTOMATIC or USER_PROVISIONED', shown(modeOf(metadata)), 'Name one of them.');
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
        : must('metadata.iops', 'absent with AUTOMATIC', iops, 'Take USER_PROVISIONED to choose the IOPS.');
    }
    if (kind === TIERING) {
      return (tiering as readonly unknown[]).includes(iops)
        ? undefined
        : must('metadata', TIERING_IOPS, metadata, SMALLER);
    }
    return isMetadataIops(iops)
      ? undefined
      : must('metadata.iops', METADATA_IOPS_ALLOWED, iops, `Take ${nextMetadataIops(iops)}.`);
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
          ({ name }) =>
            `${deploymentType === 'PERSISTENT_2' ? 'Set' : 'Take PERSISTENT_2 and set'} '${name('metadata')}'.`,
        )
      : undefined,
};

function modeOf(metadata: object): unknown {
  return 'mode' in metadata ? metadata.mode : undefined;
}

export const METADATA_RULES: readonly Rule[] = [metadataType, metadataMode, metadataIops, efa];
