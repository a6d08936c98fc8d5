/** What the state machine works with. */
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
  /** Document that ends the runs of a client, and fails unless their results are safe. */
  readonly document: string;
  /** Tags of the machines on which drivers run. */
  readonly leaders: Readonly<Record<string, string>>;
  readonly topic: string;
  /** Of the messages. */
  readonly subject: string;
  /** How to keep the stack, for people. */
  readonly advice: string;
}

/** Variables, each with an expression of JSONata. */
type Variables = Readonly<Record<string, string>>;

const expression = (text: string): string => `{% ${text} %}`;

const assigned = (variables: Variables): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, expression(text)]));

/** The first branch that holds. */
function choice(
  branches: readonly (readonly [condition: string, next: string])[],
  otherwise: string,
  then: Variables = {},
) {
  return {
    Type: 'Choice',
    Choices: branches.map(([condition, next]) => ({ Condition: expression(condition), Next: next })),
    Assign: assigned(then),
    Default: otherwise,
  };
}

const wait = (seconds: number, next: string) => ({ Type: 'Wait', Seconds: seconds, Next: next });

/** For a service that is busy. */
const RETRY = [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 5, MaxAttempts: 3, BackoffRate: 2 }];

/** A time as `$fromMillis` and `fsxbench extend` write it. */
const TIME = '/^[0-9]{4}-(0[1-9]|1[0-2])-([0-2][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?Z$/';

/** A time so many hours from another, in milliseconds. */
const hoursAfter = (hours: number, from = '$millis()'): string => `${from} + ${Math.round(hours * 3_600_000)}`;

/**
 * The state machine that a schedule starts every few minutes. It looks whether the stack's time is over; if it is, ends the runs, and
 * deletes the stack as soon as every client has all its results in the bucket. What prevents that is told to the topic, and tried again.
 *
 * In JSONata, since JSONPath cannot add hours to a time (https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html).
 */
export function expiryDefinition(expiry: ExpiryFacts): Record<string, unknown> {
  const { partition, stackId, deadline, hours, budgetHours, retryHours, document, leaders, topic } = expiry;

  /** Asks a service; whatever fails is told. */
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

  return {
    QueryLanguage: 'JSONata',
    StartAt: 'ReadDeadline',
    States: {
      ReadDeadline: read('Look'),
      Look: look('Decide'),
      // CloudFormation refuses to delete a stack that it is updating.
      Decide: choice(
        [
          ['$contains($status, /^(DELETE|UPDATE.*)_IN_PROGRESS$/)', 'Done'],
          // What a hand may have written would fail here each time, and the stack would stand for ever.
          [`$not($contains($deadline, ${TIME}))`, 'Begin'],
          ['$toMillis($deadline) > $millis()', 'Done'],
        ],
        'Claim',
        { claimed: `$fromMillis(${hoursAfter(retryHours)})` },
      ),
      Begin: set(
        `$fromMillis($min([${hoursAfter(hours)}, ${hoursAfter(budgetHours, '$toMillis($created)')}]))`,
        'Done',
      ),
      // No other execution tries until then, and a failed attempt is repeated.
      Claim: set('$claimed', 'EndRuns'),
      EndRuns: call(
        'ssm:sendCommand',
        {
          DocumentName: document,
          Targets: Object.entries(leaders).map(([tag, value]) => ({ Key: `tag:${tag}`, Values: [value] })),
          TimeoutSeconds: 120,
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
            "$append($unsafe, [$states.result.CommandInvocations[Status != 'Success'].(InstanceId & ', ' & StatusDetails & ': ' & CommandPlugins[0].Output)])",
          token: "$exists($states.result.NextToken) ? $states.result.NextToken : ''",
        },
      ),
      Safe: choice(
        [
          ["$token != ''", 'AskClients'],
          ["$count($unsafe) = 0 and ($ended = 'Success' or $details = 'NoInstancesInTag')", 'ReadAgain'],
        ],
        'Tell',
        {
          why: "'Its clients have results that are not in the bucket. ' & ($count($unsafe) = 0 ? 'The command that asks them ended with: ' & $details : $join($unsafe, '; '))",
        },
      ),
      // To end the runs takes minutes, in which somebody may have extended the stack's life, and was told so.
      ReadAgain: read('StillOver'),
      StillOver: choice([['$deadline = $claimed', 'Delete']], 'Done'),
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
