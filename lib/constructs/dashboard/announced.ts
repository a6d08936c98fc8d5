import { sep } from 'node:path';
import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { LIMITS } from '../../common/aws/serviceLimits';

/** The runbook, whose sections alarms link to, from the folder of the application: a clone, or a project that has the package. */
const RUNBOOK = `${__dirname.split(sep).includes('node_modules') ? 'node_modules/fsxbench/' : ''}docs/alarms.md`;

/** An alarm's words, for the person whom it wakes. */
export interface Announcement {
  /** Its name in the console and in mail, before the stack's: `Metadata IOPS of lz4 above 90 %`. */
  readonly title: string;
  readonly meaning: string;
  /** First thing to do. @default - an input of a composite alarm, which sends no notification itself */
  readonly first?: string;
  /** Anchor of its section in the runbook. */
  readonly section: string;
}

/**
 * Name and description of an alarm. The name is a display name, and holds that of the stack, since alarms of an account and Region share
 * theirs (docs/decisions/alarm-names.md).
 *
 * @throws Error where CloudWatch would refuse the name as too long
 */
export function announced(scope: Construct, { title, meaning, first, section }: Announcement) {
  const next = first === undefined ? 'An input of another alarm; sends no notification itself.' : `First: ${first}`;
  const alarmName = `${title}${first === undefined ? ', input only' : ''} (${Stack.of(scope).stackName})`;
  const { most } = LIMITS.alarmNameCharacters;
  if (!Token.isUnresolved(alarmName) && alarmName.length > most)
    throw new Error(
      `the name of an alarm must have at most ${most} characters, got ${alarmName.length}: shorten the name of what it watches, or of the stack: ${alarmName}`,
    );
  return { alarmName, alarmDescription: `${meaning} ${next} Runbook: ${RUNBOOK}#${section}` };
}
