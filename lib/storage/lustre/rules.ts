import { type Findings, violationMessage, type Warning } from '../../common/violation';
import { MAINTENANCE_TIME } from '../common/maintenance';
import { DEFAULT_LUSTRE_VERSION, type LustreConfiguration } from './configuration';
import { automaticMetadataIops, describeLustre } from './documented';
import { METADATA_RULES, TIERING_RULES } from './rule/metadata';
import { isLinked, REPOSITORY_RULES } from './rule/repositories';
import { ID_PREFIX, LEAVE_OUT, must, oneOf, type Rules } from './rule/rule';
import { isScratch, SIZE_RULES, TYPE_RULES } from './rule/type';
import { serversOf } from './servers';
import { TIERING, typeOf } from './types';

const LONGEST_RETENTION_DAYS = 90;
const LOG_LEVELS = ['DISABLED', 'WARN_ONLY', 'ERROR_ONLY', 'WARN_ERROR'];

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

/** Rules whose violation AWS reports minutes after a deployment began, often without the property. cfn-lint and CDK miss most of them. */
export const LUSTRE_RULES: Rules = {
  ...TYPE_RULES,
  ...SIZE_RULES,
  ...TIERING_RULES,
  ...METADATA_RULES,
  ...REPOSITORY_RULES,
  ...OPERATION_RULES,
};

/** Rules on configurations that AWS accepts and a benchmark should avoid. */
export const ADVICE: Rules<string> = {
  scratch: ({ deploymentType }) =>
    isScratch(deploymentType) &&
    `'deploymentType' ${deploymentType} does not replicate data: if a file server fails, its files are lost and the run ends; prefer a persistent type for runs of several hours`,

  'old-version': ({ version = DEFAULT_LUSTRE_VERSION }) =>
    version !== DEFAULT_LUSTRE_VERSION &&
    `'version' ${version} is not the current version${version === '2.10' ? ', and Amazon Linux 2023 cannot mount it' : ''}; leave it out for ${DEFAULT_LUSTRE_VERSION}`,

  'no-metadata-configuration': (configuration) =>
    typeOf(configuration)?.metadata === 'optional' &&
    configuration.metadata === undefined &&
    "no metadata IOPS are set: AWS publishes no metadata rate for such a file system, and they cannot be added after creation; set 'metadata' to USER_PROVISIONED with the required IOPS",

  'automatic-metadata': ({ metadata, storageCapacityGiB }) =>
    metadata?.mode === 'AUTOMATIC' &&
    storageCapacityGiB !== undefined &&
    `'metadata' AUTOMATIC gives ${automaticMetadataIops(storageCapacityGiB)} IOPS at ${storageCapacityGiB} GiB and changes them with the capacity; use USER_PROVISIONED if results are to be compared`,

  /** Sizes since November 2026 (botocore 1.44.8); older CloudFormation and clients still have the old minimum. */
  'new-tiering': ({ storageType, throughputCapacity = 0, metadata }) =>
    storageType === 'INTELLIGENT_TIERING' &&
    (throughputCapacity < TIERING.throughput.step ||
      (metadata !== undefined && (metadata.mode === 'AUTOMATIC' || ![6000, 12_000].includes(metadata.iops)))) &&
    `INTELLIGENT_TIERING with less than ${TIERING.throughput.step} MB/s, 'metadata' AUTOMATIC, or other metadata IOPS than 6000 and 12000 is new in November 2026, and CloudFormation may refuse it in some Regions`,

  /** TCP between a client and a server is limited to 5 Gbit/s: https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html. */
  'one-server': (configuration) =>
    serversOf(configuration)?.oss === 1 &&
    !configuration.efaEnabled &&
    'one file server holds all data, so each client gets at most 5 Gbit/s (625 MB/s) whatever its network; take more capacity to measure the tier',

  'hdd-without-cache': ({ driveCacheType }) =>
    driveCacheType === 'NONE' &&
    "'driveCacheType' NONE sends every read that misses memory to the hard disks; use READ if the data that are read repeatedly fit into a fifth of the capacity",

  'no-read-cache': ({ dataReadCache }) =>
    dataReadCache?.sizingMode === 'NO_CACHE' &&
    "'dataReadCache' NO_CACHE makes each read that misses memory take tens of milliseconds; use PROPORTIONAL_TO_THROUGHPUT_CAPACITY unless such reads are measured",

  /** Source: DeleteFileSystem in the FSx API reference, "Any existing automatic backups and snapshots are also deleted". */
  backups: ({ backups: { retentionDays } = { retentionDays: 0 } }) =>
    retentionDays > 0 &&
    "'backups' may run during a measurement, are billed by what they store, and are deleted with the file system, so they preserve nothing; omit them in a benchmark",

  linked: (configuration) =>
    isLinked(configuration) &&
    'the link to S3 moves data over the network of the file servers, which counts as theirs in the metrics; keep measured directories outside it',
};

/** Findings on a configuration: AWS would refuse its `errors`, `warnings` are unwise. */
export function checkLustre(configuration: LustreConfiguration): Findings {
  const errors = findings(LUSTRE_RULES, configuration).map(([id, refused]) => ({
    id,
    got: valueAt(configuration, refused.property),
    ...refused,
  }));
  // Advice on a configuration that cannot exist would only distract.
  const advice = errors.length > 0 ? [] : findings(ADVICE, configuration);
  return { errors, warnings: advice.map(([id, message]) => ({ id, message })) };
}

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
