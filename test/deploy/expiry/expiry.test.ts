import jsonata from 'jsonata';
import type { Benchmark } from '../../../lib/benchmark/benchmark';
import { clusterBench } from '../../../lib/benchmark/cluster';
import { compressionBench } from '../../../lib/benchmark/compression';
import { resolveBenchmark } from '../../../lib/config/benchmark';
import type { Settings } from '../../../lib/config/fields';
import { expiryDefinition } from '../../../lib/deploy/expiry/definition';
import { lifeOf, priceOfStack } from '../../../lib/deploy/price';
import { ofType, type Resource, resourcesOf, stacksWith } from '../../support/cdk';

const resources = (settings: Settings = {}, definition?: Benchmark) =>
  resourcesOf(stacksWith(settings, undefined, undefined, definition).bench);

/** Resources that must be gone before another is: all that it depends on, by whichever way, stays longer. */
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
    const failures = Object.keys(all).filter((id) => /^Expiry(Failed|TimedOut)/.test(id));
    expect(failures).toHaveLength(2);
    const last = [
      'AWS::Scheduler::Schedule',
      'AWS::StepFunctions::StateMachine',
      'AWS::SNS::Topic',
      'AWS::SNS::Subscription',
    ];
    const own = (type: string): [string, Resource] | undefined =>
      ofType(all, type).find(([id]) => /^(Expiry|Alarms)/.test(id));
    const kept = [...last.map((type) => (own(type) as [string, Resource])[0]), ...failures];
    const billed = BILLED.flatMap((type) => ofType(all, type).map(([id]) => id));
    expect(billed.length).toBeGreaterThan(2);
    for (const id of billed) expect([...neededBy(id, all)]).toEqual(expect.arrayContaining(kept));
  },
);

test.each([
  ['a fleet', compressionBench],
  ['a cluster', clusterBench],
] as const)('the state machine of %s can be read once CloudFormation has filled it in', (_, definition) => {
  const machines = ofType(resources({}, definition), 'AWS::StepFunctions::StateMachine');
  const [, machine] = machines.find(([id]) => id.startsWith('Expiry')) ?? [];
  const parts = machine?.Properties.DefinitionString['Fn::Join'][1] as readonly unknown[];
  const text = parts.map((part) => (typeof part === 'string' ? part : 'filled-in')).join('');
  const { States } = JSON.parse(text) as { States: { FindClients: { Arguments: string } } };
  expect(() => jsonata(States.FindClients.Arguments.replace(/^\{% | %\}$/g, ''))).not.toThrow();
});

test('a deletion that failed is tried again after an hour, though the stack was to live a day', () => {
  const [, machine] =
    ofType(resources(), 'AWS::StepFunctions::StateMachine').find(([id]) => id.startsWith('Expiry')) ?? [];
  const text = JSON.stringify(machine?.Properties.DefinitionString);
  expect(text.match(/\$millis\(\) \+ (\d+)/g)).toContain('$millis() + 86400000');
  expect(/claimed[^}]*?\$fromMillis\(\$millis\(\) \+ (\d+)\)/.exec(text)?.[1]).toBe('3600000');
});

describe('the state machine’s expressions', () => {
  const NOW = Date.now();
  const HOUR = 3_600_000;
  const definitionOf = (budgetHours: number) =>
    expiryDefinition({
      ...{ partition: 'aws', stackId: 'stack', deadline: 'deadline', hours: 24, budgetHours, retryHours: 1 },
      runs: { document: 'document', leaders: { role: 'leader' } },
      ...{ topic: 'topic', subject: 'subject', advice: 'advice' },
    });
  const definition = definitionOf(5);
  const { States } = definition;
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
    for (const text of texts.map((one) => JSON.parse(`"${one}"`) as string)) {
      jsonata(text.replace(/^\{% | %\}$/g, ''));
      // The context is not there in Step Functions (developer guide, transforming-data).
      expect(text.replaceAll(/\/\^[^/]*\//g, '')).not.toMatch(/[$]{1,2}[^$\w]/);
    }
  });

  test.each([
    ['a new stack lives as long as its budget, if that ends first', 0, 5],
    ['a budget counts from the creation of the stack', 4, 1],
    ['a budget that is spent ends the stack at once', 6, -1],
  ])('%s', async (_, createdAgo, hours) => {
    expect(await begun(createdAgo)).toBeCloseTo(hours, 1);
  });

  test('hours count from the first look where the budget lasts longer', async () => {
    const { States: long } = definitionOf(876_000);
    const { Value } = (long as typeof states).Begin?.Arguments ?? { Value: '' };
    const created = new Date(NOW - 100 * HOUR).toISOString();
    expect((Date.parse((await evaluate(Value, { created })) as string) - NOW) / HOUR).toBeCloseTo(24, 1);
  });

  test.each([
    ['CREATE_COMPLETE', '24 h after the deployment', [false, true]],
    // An invalid time, written by hand, starts again instead of failing for ever.
    ['CREATE_COMPLETE', '2026-xx', [false, true]],
    ['CREATE_COMPLETE', '2026-13-45T00:00:00Z', [false, true]],
    ['CREATE_COMPLETE', '2026-02-30T00:00:00Z', [false, true]],
    ['CREATE_COMPLETE', '2026-12-24T18:00:00', [false, true]],
    ['CREATE_COMPLETE', '2026-12-24 tomorrow', [false, true]],
    ['CREATE_COMPLETE', '9999-12-24T18:00:00Z', [false, false, true]],
    ['CREATE_COMPLETE', new Date(NOW + HOUR).toISOString(), [false, false, true]],
    ['UPDATE_COMPLETE', new Date(NOW - HOUR).toISOString(), [false, false, false]],
    ['UPDATE_ROLLBACK_IN_PROGRESS', new Date(NOW - HOUR).toISOString(), [true, false, false]],
    ['UPDATE_FAILED', new Date(NOW + HOUR).toISOString(), [false, false, true]],
    ['UPDATE_ROLLBACK_FAILED', new Date(NOW + 9 * HOUR).toISOString(), [false, false, true]],
    ['ROLLBACK_IN_PROGRESS', new Date(NOW - HOUR).toISOString(), [true, false, false]],
    ['DELETE_IN_PROGRESS', new Date(NOW - HOUR).toISOString(), [true, false, false]],
    ['DELETE_COMPLETE', new Date(NOW - HOUR).toISOString(), [true, false, false]],
    // With any deadline; an attempt claims the next hour.
    ...['CREATE_FAILED', 'ROLLBACK_FAILED', 'ROLLBACK_COMPLETE', 'DELETE_FAILED'].flatMap((status) => [
      [status, new Date(NOW + 23 * HOUR).toISOString(), [false, false, false]] as const,
      [status, new Date(NOW + HOUR / 2).toISOString(), [false, false, true]] as const,
      [status, new Date(NOW - HOUR).toISOString(), [false, false, false]] as const,
    ]),
  ] as [string, string, boolean[]][])(
    '%s with the deadline %s is decided: in progress, not begun, not yet',
    async (status, deadline, decisions) => {
      const found = decisions.map((_, at) => evaluate(states.Decide?.Choices[at]?.Condition, { status, deadline }));
      expect(await Promise.all(found)).toEqual(decisions);
    },
  );

  test('clients are found by all their tags, whatever state their disks are kept in', async () => {
    const asked = (token: string) => evaluate(states.FindClients?.Arguments as unknown as string, { token });
    const Filters = [
      { Name: 'tag:role', Values: ['leader'] },
      { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] },
    ];
    expect(await asked('')).toEqual({ MaxResults: 10, Filters });
    expect(await asked('page 2')).toEqual({ MaxResults: 10, Filters, NextToken: 'page 2' });
  });

  test('a client that fails keeps the command from no other client of a large fleet', () => {
    expect(States).toMatchObject({ EndRuns: { Arguments: { MaxErrors: '100%' } } });
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

  describe('an expired stack', () => {
    const expired = new Date(NOW - HOUR).toISOString();
    const running = (...ids: string[]) => ({
      Reservations: ids.map((InstanceId) => ({ Instances: [{ InstanceId, State: { Name: 'running' } }] })),
    });
    const client = (InstanceId: string, Status: string, Output = '') => ({
      InstanceId,
      Status,
      StatusDetails: Status,
      CommandPlugins: [{ Output }],
    });
    const ended = (Status: string, StatusDetails = Status) => ({ Commands: [{ Status, StatusDetails }] });
    const stack = (StackStatus: string, StackStatusReason = '') => ({
      Stacks: [{ StackStatus, StackStatusReason, CreationTime: new Date(NOW - 25 * HOUR).toISOString() }],
    });

    /** Runs the state machine against such answers, of which the last repeats; an Error is a refusal. */
    async function play(
      answers: Readonly<Record<string, unknown>>,
    ): Promise<{ end: string; message: string; asked: readonly string[] }> {
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
        const given = answers[action] ?? DEFAULTS[action];
        const turn = asked.get(action) ?? 0;
        if (action !== '') asked.set(action, turn + 1);
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
      return { end: at, message, asked: [...asked.keys()] };
    }
    const DEFAULTS: Readonly<Record<string, unknown>> = {
      'ssm:getParameter': [
        { Parameter: { Value: expired } },
        ({ claimed }: Record<string, unknown>) => ({ Parameter: { Value: claimed } }),
      ],
      'cloudformation:describeStacks': [
        stack('CREATE_COMPLETE'),
        stack('DELETE_IN_PROGRESS'),
        stack('DELETE_COMPLETE'),
      ],
      'ec2:describeInstances': running('i-1'),
      'ssm:sendCommand': { Command: { CommandId: 'c-1' } },
      'ssm:listCommands': ended('Success'),
      'ssm:listCommandInvocations': { CommandInvocations: [client('i-1', 'Success')] },
    };
    const DELETE = 'cloudformation:deleteStack';
    const AT_ONCE = {
      'ssm:getParameter': [
        { Parameter: { Value: new Date(NOW + 23 * HOUR).toISOString() } },
        (DEFAULTS['ssm:getParameter'] as unknown[])[1],
      ],
    };
    const statuses = (...all: string[]) => ({ 'cloudformation:describeStacks': all.map((one) => stack(one)) });

    test('is deleted as soon as its clients have answered, and the end is waited for', async () => {
      const { end, message, asked } = await play({});
      expect([end, message]).toEqual(['Done', '']);
      expect(asked.indexOf('ssm:listCommandInvocations')).toBeGreaterThan(asked.indexOf('ssm:sendCommand'));
      expect(asked.at(-1)).toBe(DELETE);
    });

    test('is deleted where clients are gone, or were never there', async () => {
      const nobody = { 'ec2:describeInstances': running(), 'ssm:listCommands': ended('Success', 'NoInstancesInTag') };
      expect(await play({ ...nobody, 'ssm:listCommandInvocations': { CommandInvocations: [] } })).toMatchObject({
        end: 'Done',
        message: '',
        asked: expect.arrayContaining([DELETE]),
      });
    });

    test('asks every client of a large fleet, page by page', async () => {
      const ids = Array.from({ length: 25 }, (_, at) => `i-${at}`);
      const answers = {
        'ec2:describeInstances': [
          { ...running(...ids.slice(0, 10)), NextToken: 'b' },
          { ...running(...ids.slice(10, 20)), NextToken: 'c' },
          running(...ids.slice(20)),
        ],
        'ssm:listCommandInvocations': [
          { CommandInvocations: ids.slice(0, 20).map((id) => client(id, 'Success')), NextToken: 'b' },
          { CommandInvocations: ids.slice(20).map((id) => client(id, 'Success')) },
        ],
      };
      expect(await play(answers)).toMatchObject({ end: 'Done', message: '' });
      const [first, second] = answers['ssm:listCommandInvocations'] as [object, { CommandInvocations: object[] }];
      const missing = { CommandInvocations: second.CommandInvocations.slice(1) };
      expect(await play({ ...answers, 'ssm:listCommandInvocations': [first, missing] })).toMatchObject({
        end: 'NotDeleted',
        message: expect.stringMatching(/or may have: i-20 is not reached by Systems Manager$/),
      });
    });

    test.each<[string, Record<string, unknown>, string]>([
      ['the role may not read the deadline', { 'ssm:getParameter': new Error('not authorized') }, 'not authorized'],
      ['nor look at the stack', { 'cloudformation:describeStacks': new Error('denied to look') }, 'denied to look'],
      ['nor claim the next hour', { 'ssm:putParameter': new Error('denied to put') }, 'denied to put'],
      ['nor find clients', { 'ec2:describeInstances': new Error('denied to find') }, 'denied to find'],
      ['nor command clients', { 'ssm:sendCommand': new Error('denied to send') }, 'denied to send'],
      ['nor ask how that went', { 'ssm:listCommands': new Error('denied to list') }, 'denied to list'],
      [
        'the results bucket is gone',
        {
          'ssm:listCommands': ended('Failed'),
          'ssm:listCommandInvocations': { CommandInvocations: [client('i-1', 'Failed', 'NoSuchBucket\n')] },
        },
        'i-1, Failed: NoSuchBucket',
      ],
      [
        'a client has lost its agent',
        {
          'ssm:listCommands': ended('TimedOut', 'DeliveryTimedOut'),
          'ssm:listCommandInvocations': { CommandInvocations: [{ ...client('i-1', 'TimedOut'), CommandPlugins: [] }] },
        },
        'i-1, TimedOut: ',
      ],
      [
        'one client of two never had an agent',
        { 'ec2:describeInstances': running('i-1', 'i-2') },
        'i-2 is not reached by Systems Manager',
      ],
      [
        'no client has an agent',
        {
          'ssm:listCommands': ended('Success', 'NoInstancesInTag'),
          'ssm:listCommandInvocations': { CommandInvocations: [] },
        },
        'i-1 is not reached by Systems Manager',
      ],
      [
        'it is protected',
        { [DELETE]: new Error('TerminationProtection is enabled') },
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
    ])('is not deleted, and somebody is told: %s', async (_, answers, reason) => {
      const { end, message, asked } = await play(answers);
      expect([end, message]).toEqual(['NotDeleted', expect.stringContaining(reason)]);
      const deletes = [DELETE, 'cloudformation:describeStacks'].some((action) => answers[action] !== undefined);
      if (!deletes) expect(asked).not.toContain(DELETE);
    });

    test.each(['CREATE_FAILED', 'ROLLBACK_FAILED', 'ROLLBACK_COMPLETE'])(
      'goes at once in %s: no run was ever started there, so no client is asked',
      async (status) => {
        const silent = { 'ssm:listCommandInvocations': { CommandInvocations: [] } };
        const answers = { ...AT_ONCE, ...silent, ...statuses(status, 'DELETE_IN_PROGRESS', 'DELETE_COMPLETE') };
        const { end, message, asked } = await play(answers);
        expect([end, message]).toEqual(['Done', '']);
        expect(asked).toContain(DELETE);
        expect(asked).not.toContain('ssm:sendCommand');
      },
    );

    test('goes at once where an earlier deletion has failed, once its clients have answered', async () => {
      const failed = { ...AT_ONCE, ...statuses('DELETE_FAILED', 'DELETE_IN_PROGRESS', 'DELETE_COMPLETE') };
      const { end, message, asked } = await play(failed);
      expect([end, message]).toEqual(['Done', '']);
      expect(asked).toEqual(expect.arrayContaining(['ssm:sendCommand', DELETE]));
      const unsafe = { CommandInvocations: [client('i-1', 'Failed', 'disk full')] };
      expect(await play({ ...failed, 'ssm:listCommandInvocations': unsafe })).toMatchObject({ end: 'NotDeleted' });
    });

    test('an execution that hangs ends as one that failed', () => {
      expect(definition.TimeoutSeconds).toBeLessThanOrEqual(24 * 3600);
      expect(definition.TimeoutSeconds).toBeGreaterThan(3 * 3600);
    });
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
      /'maxCostUsd' requires known prices, but one is missing for CompressionBench: .*Spot.*Use 'expiresAfterHours'\./,
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
