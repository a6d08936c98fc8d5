import type { Phrase } from '../../../common/breach';
import { isMetadataIops, kindOf, METADATA_IOPS, METADATA_IOPS_ALLOWED, nextMetadataIops } from '../documented';
import { must, oneOf, type Rules } from './rule';

const TIERING = 'PERSISTENT_2_INTELLIGENT_TIERING';

const { tiering } = METADATA_IOPS;
const TIERING_IOPS: Phrase = ({ value }) =>
  `${oneOf(tiering.map((iops) => value({ mode: 'USER_PROVISIONED', iops })))} with INTELLIGENT_TIERING`;
const ofTiering = must('metadata', TIERING_IOPS, `${tiering[0]} IOPS are the fewest.`);

export const METADATA_RULES: Rules = {
  'metadata-type': ({ deploymentType, metadata }) =>
    metadata !== undefined &&
    (deploymentType === 'PERSISTENT_1' || deploymentType === 'SCRATCH_2') &&
    must('metadata', `absent with ${deploymentType}`, 'A metadata configuration needs PERSISTENT_2.'),

  'metadata-mode': (configuration) => {
    const kind = kindOf(configuration);
    const { metadata } = configuration;
    if (kind === TIERING) return metadata?.mode !== 'USER_PROVISIONED' && ofTiering;
    if (kind !== 'PERSISTENT_2_SSD' || metadata === undefined) return undefined;
    const known = ['AUTOMATIC', 'USER_PROVISIONED'].includes(metadata.mode);
    return !known && must('metadata.mode', 'AUTOMATIC or USER_PROVISIONED', 'Name one of them.');
  },

  'metadata-iops': (configuration) => {
    const kind = kindOf(configuration);
    const { metadata } = configuration;
    if ((kind !== 'PERSISTENT_2_SSD' && kind !== TIERING) || metadata === undefined) return undefined;
    const iops: unknown = 'iops' in metadata ? metadata.iops : undefined;
    if (metadata.mode === 'AUTOMATIC') {
      const next = 'Take USER_PROVISIONED to choose the IOPS.';
      return iops !== undefined && must('metadata.iops', 'absent with AUTOMATIC', next);
    }
    if (kind === TIERING) return !(tiering as readonly unknown[]).includes(iops) && ofTiering;
    return !isMetadataIops(iops) && must('metadata.iops', METADATA_IOPS_ALLOWED, `Take ${nextMetadataIops(iops)}.`);
  },

  efa: ({ deploymentType, metadata, efaEnabled = false }) =>
    efaEnabled &&
    (deploymentType !== 'PERSISTENT_2' || metadata === undefined) &&
    must(
      'efaEnabled',
      'false but for PERSISTENT_2 file systems with metadata configuration',
      ({ name }) => `${deploymentType === 'PERSISTENT_2' ? 'Set' : 'Take PERSISTENT_2 and set'} '${name('metadata')}'.`,
    ),
};
