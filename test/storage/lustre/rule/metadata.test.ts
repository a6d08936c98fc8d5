import { METADATA_RULES } from '../../../../lib/storage/lustre/rule/metadata';
import { MIN } from '../configurations';
import { anything, type Case, refuses } from './cases';

const REFUSED: Case[] = [
  [
    'metadata-type',
    { ...MIN.persistent1, metadata: { mode: 'AUTOMATIC' } },
    `'metadata' must be absent with PERSISTENT_1, got {"mode":"AUTOMATIC"}: a metadata configuration needs PERSISTENT_2`,
  ],
  [
    'metadata-type',
    { ...MIN.scratch2, metadata: { mode: 'USER_PROVISIONED', iops: 1500 } },
    `'metadata' must be absent with SCRATCH_2, got {"mode":"USER_PROVISIONED","iops":1500}: a metadata configuration needs PERSISTENT_2`,
  ],
  [
    'metadata-mode',
    { ...MIN.tiering, metadata: { mode: 'AUTOMATIC' } },
    "'metadata.mode' must be USER_PROVISIONED with INTELLIGENT_TIERING, got AUTOMATIC: set 'metadata' to USER_PROVISIONED with 6000 or 12000 IOPS",
  ],
  [
    'metadata-mode',
    { ...MIN.tiering, metadata: undefined },
    "'metadata.mode' must be USER_PROVISIONED with INTELLIGENT_TIERING, got nothing: set 'metadata' to USER_PROVISIONED with 6000 or 12000 IOPS",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 5000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 5000: take 6000",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 18_000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 18000: take 24000",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 204_000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 204000: take 192000",
  ],
  [
    'metadata-iops',
    { ...MIN.tiering, metadata: { mode: 'USER_PROVISIONED', iops: 24_000 } },
    "'metadata.iops' must be 6000 or 12000 with INTELLIGENT_TIERING, got 24000: 6000 is the smaller",
  ],
  [
    'metadata-iops',
    anything({ ...MIN.persistent2, metadata: { mode: 'AUTOMATIC', iops: 1500 } }),
    "'metadata.iops' must be absent with AUTOMATIC, got 1500: take USER_PROVISIONED to choose the IOPS",
  ],
  [
    'efa',
    { ...MIN.efa, metadata: undefined },
    "'efaEnabled' must be false but for PERSISTENT_2 file systems with metadata configuration, got true: set 'metadata'",
  ],
  [
    'efa',
    { ...MIN.persistent1, efaEnabled: true },
    "'efaEnabled' must be false but for PERSISTENT_2 file systems with metadata configuration, got true: take PERSISTENT_2 and set 'metadata'",
  ],
  [
    'metadata-mode',
    anything({ ...MIN.persistent2, metadata: { mode: 'MANUAL', iops: 1500 } }),
    "'metadata.mode' must be AUTOMATIC or USER_PROVISIONED, got MANUAL: name one of them",
  ],
];

refuses(METADATA_RULES, REFUSED);
