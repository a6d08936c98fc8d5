import { DEADLINE } from '../../schema/deployment';

export interface ExpiryFacts {
  readonly partition: string;
  readonly stackId: string;
  /** Name of the parameter that holds when the stack expires, or anything else before that has begun. */
  readonly deadline: string;
  /** From the first look at the stack. */
  readonly hours: number;
  /** From the creation of the stack: what the budget pays for. */
  readonly budgetHours: number;
  /** Between two attempts to delete the stack. */
  readonly retryHours: number;
  /** Runs that are ended first. @default - the stack has no runs, and is deleted at once */
  readonly runs?: {
    /** Document that ends the runs of a client, and fails unless their results are safe. */
    readonly document: string;
    /** Tags of the machines on which drivers run. */
    readonly leaders: Readonly<Record<string, string>>;
  };
  readonly topic: string;
  readonly subject: string;
  /** Advice on keeping the stack, for people. */
  readonly advice: string;
}

type Variables = Readonly<Record<string, string>>;

const expression = (text: string): string => `{% ${text} %}`;

const assigned = (variables: Variables): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, expression(text)]));

/** The first branch that holds. */
const choice = (
  branches: readonly (readonly [condition: string, next: string])[],
  otherwise: string,
  then: Variables = {},
) => ({
  Type: 'Choice',
  Choices: branches.map(([condition, next]) => ({ Condition: expression(condition), Next: next })),
  Assign: assigned(then),
  Default: otherwise,
});

const wait = (seconds: number, next: string) => ({ Type: 'Wait', Seconds: seconds, Next: next });

/** For a service that is busy. */
const RETRY = [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 5, MaxAttempts: 3, BackoffRate: 2 }];

/** Status of a stack whose creation failed: it never had the outputs with which runs are started, so nothing was measured on it. */
const NEVER_COMPLETE = '/^(CREATE_FAILED|ROLLBACK_FAILED|ROLLBACK_COMPLETE)$/';

/** Status of a useless stack: it is deleted at once, whatever its deadline, and again an hour after each attempt. */
const FAILED = '/^(CREATE|ROLLBACK|DELETE)_FAILED$|^ROLLBACK_COMPLETE$/';

/** Longer than runs take to end and a stack to be deleted; whatever hangs ends as a failed execution, which raises the alarm. */
const TIMEOUT_SECONDS = 6 * 3600;

/** Clients of a page: a page of 256 KiB, which is what a state may hand on, has room for twice as many. */
const PAGE = 10;

/** The token of an answer's next page; empty after the last. */
const NEXT_TOKEN = "$exists($states.result.NextToken) ? $states.result.NextToken : ''";

/** A time so many hours from another, in milliseconds. */
const hoursAfter = (hours: number, from = '$millis()'): string => `${from} + ${Math.round(hours * 3_600_000)}`;

/**
 * The state machine that a schedule starts every few minutes. If the stack's time is over, or its creation or deletion has failed, it ends the runs, if any,
 * and deletes the stack once every client has all its results in the bucket: one that never booted has no results, a silent one may have some. The topic
 * learns of a problem, and the deletion is tried again. In JSONata, since JSONPath cannot add hours to a time
 * (https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html).
 */
export function expiryDefinition(expiry: ExpiryFacts): Record<string, unknown> {
  const { partition, stackId, deadline, hours, budgetHours, retryHours, runs, topic } = expiry;

  const call = (action: string, request: unknown, next: string, keeps: Variables = {}) => ({
    Type: 'Task',
    Resource: `arn:${partition}:states:::aws-sdk:${action}`,
    Arguments: request,
    Assign: assigned(keeps),
    Output: {},
    Retry: RETRY,
    Catch: [{ ErrorEquals: ['States.ALL'], Assign: assigned({ why: '$states.errorOutput.Cause' }), Next: 'Tell' }],
    Next: next,
  });
  const read = (next: string) =>
    call('ssm:getParameter', { Name: deadline }, next, { deadline: '$states.result.Parameter.Value' });
  const set = (time: string, next: string) =>
    call('ssm:putParameter', { Name: deadline, Value: expression(time), Overwrite: true }, next);
  const look = (next: string) =>
    call('cloudformation:describeStacks', { StackName: stackId }, next, {
      status: '$states.result.Stacks[0].StackStatus',
      created: '$states.result.Stacks[0].CreationTime',
      why: "$states.result.Stacks[0].(StackStatus & ' ' & StackStatusReason)",
    });

  const endOfRuns = ({ document, leaders }: NonNullable<ExpiryFacts['runs']>) => {
    const tags = Object.entries(leaders);
    return {
      HasRuns: choice([[`$contains($status, ${NEVER_COMPLETE})`, 'ReadAgain']], 'FindClients', {
        silent: '[]',
        token: "''",
      }),
      // Systems Manager leaves out machines that are not, or no longer, registered with it, and calls a command a success without them.
      FindClients: call(
        'ec2:describeInstances',
        expression(
          `$merge([{'MaxResults': ${PAGE}, 'Filters': ${JSON.stringify([
            ...tags.map(([tag, value]) => ({ Name: `tag:${tag}`, Values: [value] })),
            { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] },
          ])}}, $token = '' ? {} : {'NextToken': $token}])`,
        ),
        'FoundClients',
        {
          silent: "$append($silent, [$states.result.Reservations.Instances.{'InstanceId': InstanceId}])",
          token: NEXT_TOKEN,
        },
      ),
      FoundClients: choice([["$token != ''", 'FindClients']], 'EndRuns'),
      EndRuns: call(
        'ssm:sendCommand',
        {
          DocumentName: document,
          Targets: tags.map(([tag, value]) => ({ Key: `tag:${tag}`, Values: [value] })),
          TimeoutSeconds: 120,
          // By default one failure among the first fifty clients keeps the command from all others (Systems Manager API, SendCommand).
          MaxErrors: '100%',
          Comment: 'The stack expires',
        },
        'Ending',
        { command: '$states.result.Command.CommandId' },
      ),
      Ending: wait(10, 'AskCommand'),
      AskCommand: call('ssm:listCommands', { CommandId: expression('$command') }, 'Ended', {
        ended: '$states.result.Commands[0].Status',
        details: '$states.result.Commands[0].StatusDetails',
        unsafe: '[]',
        token: "''",
      }),
      Ended: choice([["$ended in ['Pending', 'InProgress', 'Delayed', 'Cancelling']", 'Ending']], 'AskClients'),
      // The status of a command leaves out clients that it did not reach (Systems Manager user guide, monitor-commands).
      AskClients: call(
        'ssm:listCommandInvocations',
        expression("$merge([{'CommandId': $command, 'Details': true}, $token = '' ? {} : {'NextToken': $token}])"),
        'Safe',
        {
          unsafe:
            "$append($unsafe, [$states.result.CommandInvocations[Status != 'Success'].(InstanceId & ', ' & StatusDetails & ': ' & $trim(CommandPlugins[0].Output))])",
          silent: '[$silent[$not(InstanceId in $states.result.CommandInvocations.InstanceId)]]',
          token: NEXT_TOKEN,
        },
      ),
      Safe: choice(
        [
          ["$token != ''", 'AskClients'],
          [
            "$count($unsafe) = 0 and $count($silent) = 0 and ($ended = 'Success' or $details = 'NoInstancesInTag')",
            'ReadAgain',
          ],
        ],
        'Tell',
        {
          why: `'Its clients have results that are not in the bucket, or may have: ' & ($count($unsafe) + $count($silent) = 0 ? 'the command that asks them ended with ' & $details : $join($append($unsafe, [$silent.(InstanceId & ' is not reached by Systems Manager')]), '; '))`,
        },
      ),
      // Ending the runs takes minutes, in which somebody may have successfully extended the stack's life.
      ReadAgain: read('StillOver'),
      StillOver: choice([['$deadline = $claimed', 'Delete']], 'Done'),
    };
  };

  return {
    QueryLanguage: 'JSONata',
    StartAt: 'ReadDeadline',
    TimeoutSeconds: TIMEOUT_SECONDS,
    States: {
      ReadDeadline: read('Look'),
      Look: look('Decide'),
      // CloudFormation refuses to delete a stack that it is updating; a roll-back ends in a state that is decided then.
      Decide: choice(
        [
          ['$contains($status, /^(DELETE|ROLLBACK|UPDATE.*)_IN_PROGRESS$|^DELETE_COMPLETE$/)', 'Done'],
          // A deadline edited by hand may be unreadable. It would fail here each time, and the stack would never be deleted.
          [`$not($contains($deadline, ${DEADLINE}))`, 'Begin'],
          // After a failure only what an attempt claimed is waited for.
          [
            `$toMillis($deadline) > $millis() and ($not($contains($status, ${FAILED})) or $toMillis($deadline) <= ${hoursAfter(retryHours)})`,
            'Done',
          ],
        ],
        'Claim',
        { claimed: `$fromMillis(${hoursAfter(retryHours)})` },
      ),
      Begin: set(
        `$fromMillis($min([${hoursAfter(hours)}, ${hoursAfter(budgetHours, '$toMillis($created)')}]))`,
        'Done',
      ),
      // No other execution tries until then, and a failed attempt is repeated.
      Claim: set('$claimed', runs === undefined ? 'Delete' : 'HasRuns'),
      ...(runs === undefined ? {} : endOfRuns(runs)),
      Delete: call('cloudformation:deleteStack', { StackName: stackId }, 'Deleting'),
      Deleting: wait(20, 'LookAgain'),
      LookAgain: look('Deleted'),
      Deleted: choice(
        [
          ["$status = 'DELETE_IN_PROGRESS'", 'Deleting'],
          ["$status = 'DELETE_COMPLETE'", 'Done'],
        ],
        'Tell',
      ),
      Tell: {
        Type: 'Task',
        Resource: `arn:${partition}:states:::aws-sdk:sns:publish`,
        Arguments: {
          TopicArn: topic,
          Subject: expiry.subject,
          Message: expression(`${JSON.stringify(`${expiry.advice}\n\nReason: `)} & $why`),
        },
        Retry: RETRY,
        Next: 'NotDeleted',
      },
      NotDeleted: { Type: 'Fail', Error: 'NotDeleted', Cause: expression('$why') },
      Done: { Type: 'Succeed' },
    },
  };
}
