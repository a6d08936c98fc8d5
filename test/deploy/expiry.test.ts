import jsonata from 'jsonata';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { clusterBench } from '../../lib/benchmark/cluster';
import { compressionBench } from '../../lib/benchmark/compression';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import { expiryDefinition } from '../../lib/deploy/expiry/definition';
import { lifeOf } from '../../lib/deploy/expiry/life';
import { priceOfStack } from '../../lib/deploy/price';
import { ofType, type Resource, resourcesOf, stacksWith } from '../support/cdk';

const resources = (settings: Settings = {}, definition?: Benchmark) =>
  resourcesOf(stacksWith(settings, undefined, undefined, definition).bench);

/** What must be gone before a resource is: all that it depends on, by whichever way, stays longer. */
function neededBy(id: string, all: Readonly<Record<string, Resource>>): Set<string> {
  const found = new Set<string>();
  const follow = (name: string): void => {
    if (found.has(name) || all[name] === undefined) return;
    found.add(name);
    const { DependsOn = [] } = all[name] as Resource;
    for (const other of [DependsOn].flat()) follow(other);
    for (const [, other] of JSON.stringify(all[name]).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([A-Za-z0-9]+)"/g))
      follow(other as string);
  };
  follow(id);
  return found;
}

const BILLED = [
  'AWS::FSx::FileSystem',
  'AWS::AutoScaling::AutoScalingGroup',
  'AWS::EC2::NatGateway',
  'AWS::EC2::EIP',
  'AWS::EC2::VPCEndpoint',
  'Custom::PclusterCluster',
] as const;

test.each([
  ['a fleet', {}, compressionBench],
  ['endpoints', { egress: 'endpoints' }, compressionBench],
  ['a cluster', {}, clusterBench],
] as const)(
  'whatever costs money is gone before the machine that deletes it, and its messages: %s',
  (_, settings, definition) => {
    const all = resources({ ...settings, alarmEmail: 'ops@example.com' }, definition);
    const last = [
      'AWS::Scheduler::Schedule',
      'AWS::StepFunctions::StateMachine',
      'AWS::SNS::Topic',
      'AWS::SNS::Subscription',
    ];
    const kept = last.map((type) => (ofType(all, type)[0] as [string, Resource])[0]);
    const billed = BILLED.flatMap((type) => ofType(all, type).map(([id]) => id));
    expect(billed.length).toBeGreaterThan(2);
    for (const id of billed) expect([...neededBy(id, all)]).toEqual(expect.arrayContaining(kept));
  },
);

test('may delete nothing but its own stack, and command nothing but its own clients', () => {
  const all = resources();
  const [, role] = Object.entries(all).find(([id]) => id.startsWith('ExpiryRole')) as [string, Resource];
  const statements = role.Properties.Policies[0].PolicyDocument.Statement as {
    Sid: string;
    Action: unknown;
    Resource: unknown;
    Condition?: unknown;
  }[];
  const bySid = Object.fromEntries(statements.map((one) => [one.Sid, one]));
  expect(bySid.Stack).toMatchObject({ Resource: { Ref: 'AWS::StackId' } });
  expect(bySid.Clients).toMatchObject({
    Action: 'ssm:SendCommand',
    Condition: { StringEquals: { 'ssm:resourceTag/fsxbench:clients-of': 'CompressionBench' } },
  });
  expect(statements.filter((one) => one.Resource === '*').map(({ Action }) => Action)).toEqual([
    ['ssm:ListCommandInvocations', 'ssm:ListCommands'],
  ]);
});

describe('the state machine’s expressions', () => {
  const NOW = Date.now();
  const HOUR = 3_600_000;
  const { States } = expiryDefinition({
    ...{ partition: 'aws', stackId: 'stack', deadline: 'deadline', hours: 24, budgetHours: 5, retryHours: 1 },
    ...{ document: 'document', leaders: { role: 'leader' }, topic: 'topic', subject: 'subject', advice: 'advice' },
  });
  const states = States as Readonly<Record<string, { Arguments: { Value: string }; Choices: { Condition: string }[] }>>;
  const evaluate = (text = '', bindings: Record<string, unknown> = {}): Promise<unknown> =>
    jsonata(text.replace(/^\{% | %\}$/g, '')).evaluate({}, bindings);
  const begun = async (createdAgo: number): Promise<number> => {
    const created = new Date(NOW - createdAgo * HOUR).toISOString();
    return (Date.parse((await evaluate(states.Begin?.Arguments.Value, { created })) as string) - NOW) / HOUR;
  };

  test('can all be read', () => {
    const texts = JSON.stringify(States).match(/\{% .*? %\}/g) ?? [];
    expect(texts.length).toBeGreaterThan(15);
    for (const text of texts) jsonata((JSON.parse(`"${text}"`) as string).replace(/^\{% | %\}$/g, ''));
  });

  test.each([
    ['a new stack lives as long as its budget, if that ends first', 0, 5],
    ['a budget counts from the creation of the stack', 4, 1],
    ['a budget that is spent ends the stack at once', 6, -1],
  ])('%s', async (_, createdAgo, hours) => {
    expect(await begun(createdAgo)).toBeCloseTo(hours, 1);
  });

  test('hours count from the first look where the budget lasts longer', async () => {
    const { States: long } = expiryDefinition({
      ...{
        partition: 'aws',
        stackId: 's',
        deadline: 'd',
        hours: 24,
        budgetHours: 876_000,
        retryHours: 1,
        document: 'd',
      },
      ...{ leaders: {}, topic: 't', subject: 's', advice: 'a' },
    });
    const { Value } = (long as typeof states).Begin?.Arguments ?? { Value: '' };
    const created = new Date(NOW - 100 * HOUR).toISOString();
    expect((Date.parse((await evaluate(Value, { created })) as string) - NOW) / HOUR).toBeCloseTo(24, 1);
  });

  test.each([
    ['CREATE_COMPLETE', '24 h after the deployment', [false, true]],
    // What a hand wrote, and no time, begins anew instead of failing for ever.
    ['CREATE_COMPLETE', '2026-xx', [false, true]],
    ['CREATE_COMPLETE', '2026-13-45T00:00:00Z', [false, true]],
    ['CREATE_COMPLETE', '2026-12-24 tomorrow', [false, true]],
    ['CREATE_COMPLETE', '9999-12-24T18:00:00Z', [false, false, true]],
    ['CREATE_COMPLETE', new Date(NOW + HOUR).toISOString(), [false, false, true]],
    ['UPDATE_COMPLETE', new Date(NOW - HOUR).toISOString(), [false, false, false]],
    ['UPDATE_ROLLBACK_IN_PROGRESS', new Date(NOW - HOUR).toISOString(), [true, false, false]],
    ['DELETE_IN_PROGRESS', new Date(NOW - HOUR).toISOString(), [true, false, false]],
  ])('%s with the deadline %s is decided: in progress, not begun, not yet', async (status, deadline, decisions) => {
    const found = decisions.map((_, at) => evaluate(states.Decide?.Choices[at]?.Condition, { status, deadline }));
    expect(await Promise.all(found)).toEqual(decisions);
  });

  test('a message that a busy service refused is sent again', () => {
    expect(States).toMatchObject({ Tell: { Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 3 }] } });
  });

  test('a life that was extended while the runs ended is kept: what was told holds', async () => {
    expect(States).toMatchObject({ ReadAgain: { Next: 'StillOver' }, StillOver: { Default: 'Done' } });
    expect(states.Safe?.Choices.map((one) => (one as unknown as { Next: string }).Next)).toEqual([
      'AskClients',
      'ReadAgain',
    ]);
    const claimed = new Date(NOW + HOUR).toISOString();
    const decide = (deadline: string) => evaluate(states.StillOver?.Choices[0]?.Condition, { claimed, deadline });
    expect(await decide(claimed)).toBe(true);
    expect(await decide(new Date(NOW + 25 * HOUR).toISOString())).toBe(false);
  });

  describe('an expired stack that cannot be deleted', () => {
    const expired = new Date(NOW - HOUR).toISOString();
    const clients = (Status: string, Output = '') => [
      { InstanceId: 'i-1', Status, StatusDetails: Status, CommandPlugins: [{ Output }] },
    ];
    const stack = (StackStatus: string, StackStatusReason = '') => ({
      Stacks: [{ StackStatus, StackStatusReason, CreationTime: new Date(NOW - 25 * HOUR).toISOString() }],
    });

    /** Runs the state machine against such answers; an Error is a refusal. @returns where it ended, and the message */
    async function play(answers: Readonly<Record<string, unknown>>): Promise<{ end: string; message: string }> {
      interface State {
        readonly Type: string;
        readonly Next: string;
        readonly Default: string;
        readonly Resource?: string;
        readonly Assign?: object;
        readonly Arguments: { readonly Message: string };
        readonly Choices: readonly { readonly Condition: string; readonly Next: string }[];
        readonly Catch: readonly { readonly Assign: object; readonly Next: string }[];
      }
      const all = States as Readonly<Record<string, State>>;
      const variables: Record<string, unknown> = {};
      const filled = (value: unknown, more: object): Promise<unknown> =>
        evaluate(String(value), { ...variables, ...more });
      const assign = async (texts: object = {}, more: object = {}) => {
        const values = Object.entries(texts).map(async ([key, text]) => [key, await filled(text, more)] as const);
        for (const [key, value] of await Promise.all(values)) variables[key] = value;
      };
      const asked = new Map<string, number>();
      let [at, message] = ['ReadDeadline', ''];
      while (all[at]?.Type !== 'Fail' && all[at]?.Type !== 'Succeed') {
        const state = all[at] as State;
        const action = /[^:]+:[^:]+$/.exec(String(state.Resource))?.[0] ?? '';
        if (at === 'Tell') message = String(await filled(state.Arguments.Message, {}));
        const given = answers[action] ?? (answers.DEFAULTS as Record<string, unknown>)[action];
        const turn = asked.get(action) ?? 0;
        asked.set(action, turn + 1);
        const one = Array.isArray(given) ? given[Math.min(turn, given.length - 1)] : given;
        const answer = typeof one === 'function' ? one(variables) : one;
        if (state.Type === 'Choice') {
          let next = state.Default;
          for (const one of [...state.Choices].reverse())
            if ((await filled(one.Condition, {}).catch(() => false)) === true) next = one.Next;
          if (next === state.Default) await assign(state.Assign);
          at = next;
        } else if (answer instanceof Error) {
          const [caught] = state.Catch;
          await assign(caught?.Assign, { states: { errorOutput: { Cause: answer.message } } });
          at = caught?.Next as string;
        } else {
          await assign(state.Assign, { states: { result: answer } });
          at = state.Next;
        }
      }
      return { end: at, message };
    }
    const DEFAULTS = {
      'ssm:getParameter': [
        { Parameter: { Value: expired } },
        ({ claimed }: Record<string, unknown>) => ({ Parameter: { Value: claimed } }),
      ],
      'cloudformation:describeStacks': stack('CREATE_COMPLETE'),
      'ssm:sendCommand': { Command: { CommandId: 'c-1' } },
      'ssm:listCommands': { Commands: [{ Status: 'Success', StatusDetails: 'Success' }] },
      'ssm:listCommandInvocations': { CommandInvocations: clients('Success') },
    };

    test.each<[string, Record<string, unknown>, string]>([
      ['the role may not read the deadline', { 'ssm:getParameter': new Error('not authorized') }, 'not authorized'],
      ['nor look at the stack', { 'cloudformation:describeStacks': new Error('denied to look') }, 'denied to look'],
      ['nor claim the next hour', { 'ssm:putParameter': new Error('denied to put') }, 'denied to put'],
      ['nor command clients', { 'ssm:sendCommand': new Error('denied to send') }, 'denied to send'],
      ['nor ask how that went', { 'ssm:listCommands': new Error('denied to list') }, 'denied to list'],
      [
        'the results bucket is gone',
        {
          'ssm:listCommands': { Commands: [{ Status: 'Failed', StatusDetails: 'Failed' }] },
          'ssm:listCommandInvocations': { CommandInvocations: clients('Failed', 'NoSuchBucket') },
        },
        'i-1, Failed: NoSuchBucket',
      ],
      [
        'it is protected',
        { 'cloudformation:deleteStack': new Error('TerminationProtection is enabled') },
        'TerminationProtection is enabled',
      ],
      [
        'its bucket is not empty',
        {
          'cloudformation:describeStacks': [
            stack('CREATE_COMPLETE'),
            stack('DELETE_IN_PROGRESS'),
            stack('DELETE_FAILED', 'The bucket you tried to delete is not empty'),
          ],
        },
        'DELETE_FAILED The bucket you tried to delete is not empty',
      ],
    ])('is told of: %s', async (_, answers, reason) => {
      const { end, message } = await play({ DEFAULTS, ...answers });
      expect([end, message]).toEqual(['NotDeleted', expect.stringContaining(reason)]);
    });

    test('tries again where an earlier deletion has failed, and is silent only once it is gone', async () => {
      const states = ['DELETE_FAILED', 'DELETE_IN_PROGRESS', 'DELETE_COMPLETE'].map((status) => stack(status));
      expect(await play({ DEFAULTS, 'cloudformation:describeStacks': states })).toEqual({ end: 'Done', message: '' });
    });
  });

  test('nothing is deleted while one client has not all its results in the bucket', async () => {
    const [, safe] = states.Safe?.Choices ?? [];
    const decide = (unsafe: string[], ended: string, details = ended) =>
      evaluate(safe?.Condition, { unsafe, ended, details });
    expect(await decide([], 'Success')).toBe(true);
    expect(await decide([], 'Failed', 'NoInstancesInTag')).toBe(true);
    expect(await decide(['i-1, Failed: disk full'], 'Success')).toBe(false);
    expect(await decide([], 'TimedOut')).toBe(false);
  });
});

test('has nothing of it where the stack never expires', () => {
  const ids = Object.keys(resources({ expiresAfterHours: 'never' }));
  expect(ids.filter((id) => id.startsWith('Expiry'))).toEqual([]);
});

describe('life', () => {
  const life = (settings: Settings, region = 'us-east-1') => {
    const configuration = resolveBenchmark(compressionBench, settings, region);
    return lifeOf(configuration, priceOfStack(configuration, region));
  };

  test('a budget that nobody can reckon with is refused', () => {
    expect(() => life({ maxCostUsd: 100, purchase: 'spot' })).toThrow(
      /'maxCostUsd' must be absent where a price of CompressionBench is not known, got 100: .*Spot.*Use 'expiresAfterHours'\./,
    );
  });

  test('a budget of a stack that never expires is refused', () => {
    expect(() => life({ maxCostUsd: 100, expiresAfterHours: 'never' })).toThrow(
      "'maxCostUsd' must be absent when 'expiresAfterHours' is never, got 100.",
    );
  });

  test('a day for a study, a working day for a smoke test, and whatever is set', () => {
    expect(life({})).toEqual({ hours: 24 });
    expect(life({ scale: 'smoke' })).toEqual({ hours: 8 });
    expect(life({ expiresAfterHours: 72 })).toEqual({ hours: 72 });
    expect(life({ expiresAfterHours: 'never' })).toBeNull();
  });

  test('a budget pays for its share of the price per hour', () => {
    const configuration = resolveBenchmark(compressionBench, { maxCostUsd: 100 }, 'us-east-1');
    const { hourlyUsd } = priceOfStack(configuration, 'us-east-1');
    const hours = life({ maxCostUsd: 100 })?.budgetHours ?? 0;
    expect(hours * (hourlyUsd ?? 0)).toBeLessThanOrEqual(100);
    expect((hours + 0.01) * (hourlyUsd ?? 0)).toBeGreaterThan(100);
  });
});
