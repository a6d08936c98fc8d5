import { type Findings, violationMessage, type Warning } from '../../common/violation';
import { MAINTENANCE_TIME } from '../common/maintenance';
import type { LustreConfiguration } from './configuration';
import { describeLustre } from './documented';
import { ADVICE } from './rule/advice';
import { METADATA_RULES, TIERING_RULES } from './rule/metadata';
import { isLinked, REPOSITORY_RULES } from './rule/repositories';
import { ID_PREFIX, LEAVE_OUT, must, type Rules } from './rule/rule';
import { isScratch, SIZE_RULES, TYPE_RULES } from './rule/type';

const LONGEST_RETENTION_DAYS = 90;

const keepsBackups = ({ backups }: LustreConfiguration): boolean =>
  backups !== undefined && backups.retentionDays !== 0;

const OPERATION_RULES: Rules = {
  'backup-retention': ({ backups: { retentionDays: days } = { retentionDays: 0 } }) =>
    !(Number.isInteger(days) && days >= 0 && days <= LONGEST_RETENTION_DAYS) &&
    must('backups.retentionDays', `a whole number of days from 0 to ${LONGEST_RETENTION_DAYS}`, '0 means none.'),

  'backup-type': (configuration) =>
    keepsBackups(configuration) &&
    isScratch(configuration.deploymentType) &&
    must('backups', { conflict: `${configuration.deploymentType}: FSx backs up only persistent types` }, LEAVE_OUT),

  'backup-link': (configuration) =>
    keepsBackups(configuration) &&
    isLinked(configuration) &&
    must('backups', { conflict: 'a link to S3: FSx does not back up linked file systems' }, 'Leave one of them out.'),

  'backup-time': ({ backups }) => {
    const time = backups?.dailyStartTime;
    if (time === undefined) return undefined;
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
      return must('backups.dailyStartTime', 'a time as HH:MM', 'It is in UTC, such as 05:00.');
    return (
      backups?.retentionDays === 0 &&
      must(
        'backups.dailyStartTime',
        { conflict: ({ name }) => `'${name('backups.retentionDays')}' 0: that switches daily backups off` },
        ({ name }) => `Leave it out, or set '${name('backups.retentionDays')}' to 1 or more.`,
      )
    );
  },

  maintenance: ({ weeklyMaintenanceStartTime: time }) =>
    time !== undefined &&
    !MAINTENANCE_TIME.test(time) &&
    must(
      'weeklyMaintenanceStartTime',
      'a time as d:HH:MM with d from 1 (Monday) to 7',
      'It is in UTC, such as 7:03:00.',
    ),
};

/** Rules whose violation AWS reports minutes after a deployment began, often without the property. cfn-lint and CDK miss most of them. */
export const LUSTRE_RULES: Rules = {
  ...TYPE_RULES,
  ...SIZE_RULES,
  ...TIERING_RULES,
  ...METADATA_RULES,
  ...REPOSITORY_RULES,
  ...OPERATION_RULES,
};

/** Findings on a configuration: AWS would refuse its `errors`, `warnings` are unwise. */
export function checkLustre(configuration: LustreConfiguration): Findings {
  const errors = findings(LUSTRE_RULES, configuration).map(([id, refused]) => ({
    id,
    got: valueAt(configuration, refused.property),
    ...refused,
  }));
  // Advice on a configuration that cannot exist would only distract.
  return { errors, warnings: errors.length > 0 ? [] : adviceOn(configuration) };
}

/** Advice on a configuration that AWS accepts. */
const adviceOn = (configuration: LustreConfiguration, rules = ADVICE): Warning[] =>
  findings(rules, configuration).map(([id, message]) => ({ id, message }));

/** Throws an error that lists every rule that the configuration breaks; returns the warnings. */
export function validateLustre(configuration: LustreConfiguration): readonly Warning[] {
  const { errors, warnings } = checkLustre(configuration);
  if (errors.length === 0) return warnings;
  const list = errors.map((violation) => `- ${violationMessage(violation)}`).join('\n');
  throw new Error(`AWS would refuse this file system (${describeLustre(configuration)}):\n${list}`);
}

const findings = <Finding>(rules: Rules<Finding>, configuration: LustreConfiguration) =>
  Object.entries(rules).flatMap(([id, check]): (readonly [id: string, found: Finding])[] => {
    const found = check(configuration);
    return found === undefined || found === false ? [] : [[`${ID_PREFIX}${id}`, found]];
  });

/** The value of a property by its path: `metadata.iops`. */
const valueAt = (configuration: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], configuration);
