import type { Benchmark } from '../../lib/benchmark/benchmark';
import { clusterBench } from '../../lib/benchmark/cluster';
import { compressionBench } from '../../lib/benchmark/compression';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
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
