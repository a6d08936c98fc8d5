import { MAINTENANCE_TIME } from '../../common/maintenance';
import type { LustreConfiguration } from '../configuration';
import { isLinked } from './repositories';
import { must, oneOf, type Rules } from './rule';
import { isScratch } from './type';

const LONGEST_RETENTION_DAYS = 90;
const LOG_LEVELS = ['DISABLED', 'WARN_ONLY', 'ERROR_ONLY', 'WARN_ERROR'];

const keepsBackups = ({ backups }: LustreConfiguration): boolean =>
  backups !== undefined && backups.retentionDays !== 0;

export const OPERATION_RULES: Rules = {
  'backup-retention': ({ backups: { retentionDays: days } = { retentionDays: 0 } }) =>
    !(Number.isInteger(days) && days >= 0 && days <= LONGEST_RETENTION_DAYS) &&
    must('backups.retentionDays', `a whole number of days from 0 to ${LONGEST_RETENTION_DAYS}`, '0 means none.'),

  'backup-type': (configuration) =>
    keepsBackups(configuration) &&
    isScratch(configuration.deploymentType) &&
    must('backups', `absent with ${configuration.deploymentType}`, 'Take a persistent type for backups.'),

  'backup-link': (configuration) =>
    keepsBackups(configuration) &&
    isLinked(configuration) &&
    must('backups', 'absent with a link to S3', 'Backups cannot be created on S3-linked file systems.'),

  'backup-time': ({ backups }) => {
    const time = backups?.dailyStartTime;
    if (time === undefined) return undefined;
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
      return must('backups.dailyStartTime', 'a time as HH:MM', 'It is in UTC, such as 05:00.');
    return (
      backups?.retentionDays === 0 &&
      must(
        'backups.dailyStartTime',
        'absent when no backup is retained',
        ({ name }) => `Set '${name('backups.retentionDays')}' to 1 or more.`,
      )
    );
  },

  'log-level': ({ logLevel = 'DISABLED' }) =>
    !LOG_LEVELS.includes(logLevel) && must('logLevel', oneOf(LOG_LEVELS), 'WARN_ERROR logs the most.'),

  maintenance: ({ weeklyMaintenanceStartTime: time }) =>
    time !== undefined &&
    !MAINTENANCE_TIME.test(time) &&
    must(
      'weeklyMaintenanceStartTime',
      'a time as d:HH:MM with d from 1 (Monday) to 7',
      'It is in UTC, such as 7:03:00.',
    ),
};
