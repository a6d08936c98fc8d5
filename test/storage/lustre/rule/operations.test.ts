import { OPERATION_RULES } from '../../../../lib/storage/lustre/rules';
import { MIN } from '../configurations';
import { anything, type Case, link, refuses, repository } from './cases';

const REFUSED: Case[] = [
  [
    'backup-retention',
    { ...MIN.persistent1, backups: { retentionDays: 91 } },
    "'backups.retentionDays' must be a whole number of days from 0 to 90, got 91. 0 means none.",
  ],
  ...[-1, 0.5].map(
    (retentionDays): Case => [
      'backup-retention',
      { ...MIN.persistent1, backups: { retentionDays } },
      `'backups.retentionDays' must be a whole number of days from 0 to 90, got ${retentionDays}. 0 means none.`,
    ],
  ),
  ...['105:00', '05:000'].map(
    (dailyStartTime): Case => [
      'backup-time',
      { ...MIN.persistent1, backups: { retentionDays: 7, dailyStartTime } },
      `'backups.dailyStartTime' must be a time as HH:MM, got ${dailyStartTime}. It is in UTC, such as 05:00.`,
    ],
  ),
  [
    'backup-type',
    { ...MIN.scratch2, backups: { retentionDays: 1 } },
    `'backups' ({"retentionDays":1}) cannot be combined with SCRATCH_2: FSx backs up only persistent types. Leave it out.`,
  ],
  [
    'backup-link',
    { ...MIN.persistent2, dataRepositories: [repository], backups: { retentionDays: 7 } },
    `'backups' ({"retentionDays":7}) cannot be combined with a link to S3: FSx does not back up linked file systems. Leave one of them out.`,
  ],
  [
    'backup-link',
    { ...MIN.persistent1, s3Link: link, backups: { retentionDays: 7 } },
    `'backups' ({"retentionDays":7}) cannot be combined with a link to S3: FSx does not back up linked file systems. Leave one of them out.`,
  ],
  [
    'backup-time',
    { ...MIN.persistent1, backups: { retentionDays: 7, dailyStartTime: '24:00' } },
    "'backups.dailyStartTime' must be a time as HH:MM, got 24:00. It is in UTC, such as 05:00.",
  ],
  [
    'backup-time',
    { ...MIN.persistent1, backups: { retentionDays: 0, dailyStartTime: '05:00' } },
    "'backups.dailyStartTime' (05:00) cannot be combined with 'backups.retentionDays' 0: that switches daily backups off. Leave it out, or set 'backups.retentionDays' to 1 or more.",
  ],
  [
    'log-level',
    anything({ ...MIN.persistent1, logLevel: 'ALL' }),
    "'logLevel' must be DISABLED, WARN_ONLY, ERROR_ONLY or WARN_ERROR, got ALL. WARN_ERROR logs the most.",
  ],
  [
    'maintenance',
    { ...MIN.persistent1, weeklyMaintenanceStartTime: '0:03:00' },
    "'weeklyMaintenanceStartTime' must be a time as d:HH:MM with d from 1 (Monday) to 7, got 0:03:00. It is in UTC, such as 7:03:00.",
  ],
];

refuses(OPERATION_RULES, REFUSED);
