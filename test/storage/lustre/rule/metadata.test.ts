import { METADATA_RULES } from '../../../../lib/storage/lustre/rule/metadata';
import { MIN } from '../configurations';
import { anything, type Case, refuses } from './cases';

const TIERING =
  '{"mode":"USER_PROVISIONED","iops":6000} or {"mode":"USER_PROVISIONED","iops":12000} with INTELLIGENT_TIERING';

const REFUSED: Case[] = [
  [
    'metadata-type',
    { ...MIN.persistent1, metadata: { mode: 'AUTOMATIC' } },
    `'metadata' must be absent with PERSISTENT_1, got {"mode":"AUTOMATIC"}. A metadata configuration needs PERSISTENT_2.`,
  ],
  [
    'metadata-type',
    { ...MIN.scratch2, metadata: { mode: 'USER_PROVISIONED', iops: 1500 } },
    `'metadata' must be absent with SCRATCH_2, got {"mode":"USER_PROVISIONED","iops":1500}. A metadata configuration needs PERSISTENT_2.`,
  ],
  [
    'metadata-mode',
    { ...MIN.tiering, metadata: { mode: 'AUTOMATIC' } },
    `'metadata' must be ${TIERING}, got {"mode":"AUTOMATIC"}. 6000 IOPS are the fewest.`,
  ],
  [
    'metadata-mode',
    { ...MIN.tiering, metadata: undefined },
    `'metadata' must be ${TIERING}, got nothing. 6000 IOPS are the fewest.`,
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 5000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 5000. Take 6000.",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 18_000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 18000. Take 24000.",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 204_000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 204000. Take 192000.",
  ],
  [
    'metadata-iops',
    { ...MIN.tiering, metadata: { mode: 'USER_PROVISIONED', iops: 24_000 } },
    `'metadata' must be ${TIERING}, got {"mode":"USER_PROVISIONED","iops":24000}. 6000 IOPS are the fewest.`,
  ],
  [
    'metadata-iops',
    anything({ ...MIN.persistent2, metadata: { mode: 'AUTOMATIC', iops: 1500 } }),
    "'metadata.iops' must be absent with AUTOMATIC, got 1500. Take USER_PROVISIONED to choose the IOPS.",
  ],
  [
    'efa',
    { ...MIN.efa, metadata: undefined },
    "'efaEnabled' must be false but for PERSISTENT_2 file systems with metadata configuration, got true. Set 'metadata'.",
  ],
  [
    'efa',
    { ...MIN.persistent1, efaEnabled: true },
    "'efaEnabled' must be false but for PERSISTENT_2 file systems with metadata configuration, got true. Take PERSISTENT_2 and set 'metadata'.",
  ],
  [
    'metadata-mode',
    anything({ ...MIN.persistent2, metadata: { mode: 'MANUAL', iops: 1500 } }),
    "'metadata.mode' must be AUTOMATIC or USER_PROVISIONED, got MANUAL. Name one of them.",
  ],
];

refuses(METADATA_RULES, REFUSED);
