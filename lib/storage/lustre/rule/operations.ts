import { MAINTENANCE_TIME } from '../../kit/maintenance';
import { isLinked } from './repositories';
import { must, oneOf, type Rule } from './rule';
import { isScratch } from './type';

const LONGEST_RETENTION_DAYS = 90;
const LOG_LEVELS = ['DISABLED', 'WARN_ONLY', 'ERROR_ONLY', 'WARN_ERROR'];

const backupRetention: Rule = {
  id: 'fsxbench:lustre-backup-retention',
  check: ({ backups }) => {
    if (backups === undefined) return undefined;
    const { retentionDays: days } = backups;
    return Number.isInteger(days) && days >= 0 && days <= LONGEST_RETENTION_DAYS
      ? undefined
      : must(
          'backups.retentionDays',
          `a whole number of days from 0 to ${LONGEST_RETENTION_DAYS}`,
          days,
          '0 means none.',
        );
  },
};

const backupType: Rule = {
  id: 'fsxbench:lustre-backup-type',
  check: ({ deploymentType, backups }) =>
    backups && backups.retentionDays !== 0 && isScratch(deploymentType)
      ? must('backups', `absent with ${deploymentType}`, backups, 'Take a persistent type for backups.')
      : undefined,
};

const backupLink: Rule = {
  id: 'fsxbench:lustre-backup-link',
  check: (configuration) =>
    configuration.backups && configuration.backups.retentionDays !== 0 && isLinked(configuration)
      ? must(
          'backups',
          'absent with a link to S3',
          configuration.backups,
          'Backups cannot be created on S3-linked file systems.',
        )
      : undefined,
};

const backupTime: Rule = {
  id: 'fsxbench:lustre-backup-time',
  check: ({ backups }) => {
    const time = backups?.dailyStartTime;
    if (time === undefined) return undefined;
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) {
      return must('backups.dailyStartTime', 'a time as HH:MM', time, 'It is in UTC, such as 05:00.');
    }
    return backups?.retentionDays === 0
      ? must(
          'backups.dailyStartTime',
          'absent when no backup is retained',
          time,
          ({ name }) => `Set '${name('backups.retentionDays')}' to 1 or more.`,
        )
      : undefined;
  },
};

const logLevel: Rule = {
  id: 'fsxbench:lustre-log-level',
  check: ({ logLevel = 'DISABLED' }) =>
    LOG_LEVELS.includes(logLevel)
      ? undefined
      : must('logLevel', oneOf(LOG_LEVELS), logLevel, 'WARN_ERROR logs the most.'),
};

const maintenance: Rule = {
  id: 'fsxbench:lustre-maintenance',
  check: ({ weeklyMaintenanceStartTime: time }) =>
    time === undefined || MAINTENANCE_TIME.test(time)
      ? undefined
      : must(
          'weeklyMaintenanceStartTime',
          'a time as d:HH:MM with d from 1 (Monday) to 7',
          time,
          'It is in UTC, such as 7:03:00.',
        ),
};

export const OPERATION_RULES: readonly Rule[] = [
  backupRetention,
  backupType,
  backupLink,
  backupTime,
  logLevel,
  maintenance,
];
