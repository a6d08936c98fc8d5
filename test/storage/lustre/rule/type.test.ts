import { TYPE_RULES } from '../../../../lib/storage/lustre/rule/type';
import { MIN } from '../configurations';
import { anything, type Case, refuses } from './cases';

const REFUSED: Case[] = [
  [
    'deployment-type',
    anything({ ...MIN.scratch2, deploymentType: 'SCRATCH_1' }),
    "'deploymentType' must be SCRATCH_2, PERSISTENT_1 or PERSISTENT_2, got SCRATCH_1. Take PERSISTENT_2 unless a published study used another.",
  ],
  [
    'storage-type',
    { ...MIN.persistent2, storageType: 'HDD' },
    "'storageType' must be SSD or INTELLIGENT_TIERING with PERSISTENT_2, got HDD. HDD needs PERSISTENT_1.",
  ],
  [
    'storage-type',
    { ...MIN.scratch2, storageType: 'INTELLIGENT_TIERING' },
    "'storageType' must be SSD with SCRATCH_2, got INTELLIGENT_TIERING. INTELLIGENT_TIERING needs PERSISTENT_2.",
  ],
  [
    'storage-type',
    anything({ ...MIN.scratch2, storageType: 'NVME' }),
    "'storageType' must be SSD with SCRATCH_2, got NVME. Leave it out for SSD.",
  ],
  [
    'version',
    { ...MIN.persistent2, metadata: undefined, version: '2.10' },
    "'version' must be 2.12 or 2.15 with PERSISTENT_2 SSD, got 2.10. Leave it out for 2.15.",
  ],
  [
    'version',
    { ...MIN.persistent2, version: '2.12' },
    "'version' must be 2.15 when a metadata configuration is specified, got 2.12. Leave it out for 2.15.",
  ],
  [
    'version',
    { ...MIN.tiering, version: '2.12' },
    "'version' must be 2.15 with PERSISTENT_2 INTELLIGENT_TIERING, got 2.12. Leave it out for 2.15.",
  ],
  [
    'version',
    anything({ ...MIN.persistent1, version: '2.16' }),
    "'version' must be 2.10, 2.12 or 2.15 with PERSISTENT_1 SSD, got 2.16. Leave it out for 2.15.",
  ],
  [
    'compression',
    anything({ ...MIN.persistent1, dataCompressionType: 'ZSTD' }),
    "'dataCompressionType' must be NONE or LZ4, got ZSTD. LZ4 is the only algorithm of the service.",
  ],
];

refuses(TYPE_RULES, REFUSED);
