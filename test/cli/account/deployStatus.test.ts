import { deployStatusCommand } from '../../../lib/cli/account/deployStatus';
import type { Account } from '../../../lib/common/aws/account';
import { recordedAccount } from '../../doctor/recorded';

const recorded = (name: string): Account => recordedAccount(name, 'deployments').account;

/** An account that is another one from each look at the stack to the next. */
function changing(...names: readonly string[]): Account {
  let look = -1;
  const accounts = names.map(recorded);
  return {
    region: 'us-east-1',
    ask: (call, input) => {
      if (call === 'cloudformation:DescribeStacks') look++;
      return (accounts[Math.min(Math.max(look, 0), accounts.length - 1)] as Account).ask(call, input);
    },
  };
}

async function deployStatus(
  account: Account,
  options: { once?: boolean; json?: boolean } = {},
  at = '2026-11-23T09:17:00Z',
) {
  const out: string[] = [];
  const err: string[] = [];
  const context = {
    root: '/',
    environment: {},
    interactive: false,
    out: (text: string) => out.push(text),
    err: (text: string) => err.push(text),
  };
  const ended = deployStatusCommand(context as never, 'CompressionBench', options, {
    account,
    lookEvery: 1,
    now: () => new Date(at),
  });
  const error = await ended.then(
    () => null,
    (failure: Error) => failure.message,
  );
  return { out: out.join(''), err: err.join(''), error };
}

test('follows a deployment until it is done, and tells each thing once', async () => {
  const { out, err, error } = await deployStatus(changing('quota', 'quota', 'booting', 'booting', 'done'));
  expect(error).toBeNull();
  expect(err.match(/CompressionBench builder: the build cache is filled\n/g)).toHaveLength(1);
  expect(err).toContain('FleetGroupASGF037160E: 1 of 2 instances in service, 0 ready\n');
  expect(err).toContain('current vCPU limit of 5');
  expect(err).toContain('CompressionBench client: step mount-arms\n');
  expect(out).toMatch(/^CompressionBench: CREATE_COMPLETE; 4 resources done\n/);
});

test('goes on following where the network is away for a while', async () => {
  const account = changing('quota', 'booting', 'done');
  let looks = 0;
  const ask: Account['ask'] = (call, input) => {
    if (call === 'cloudformation:DescribeStacks') looks++;
    if (looks === 2 || looks === 3)
      return Promise.reject(new Error('getaddrinfo ENOTFOUND cloudformation.us-east-1.amazonaws.com'));
    return account.ask(call, input);
  };
  const { out, err, error } = await deployStatus({ ...account, ask });
  expect(error).toBeNull();
  expect(
    err.match(/AWS cannot be reached at cloudformation\S+ \(ENOTFOUND\).*; trying again for 180 s\n/g),
  ).toHaveLength(1);
  expect(out).toMatch(/^CompressionBench: CREATE_COMPLETE/);
});

test('ends when a deployment cannot succeed any more, and says what to do', async () => {
  const { out, error } = await deployStatus(recorded('no-capacity'), {}, '2026-11-23T09:24:00Z');
  expect(error).toBe(
    'CompressionBench cannot be deployed as it is, and costs money until it ends: npx cdk destroy CompressionBench ends it now',
  );
  expect(out).toMatch(/^waiting for *\nFleetGroupASGF037160E {2}AWS::AutoScaling::AutoScalingGroup {2}/m);
  expect(out).toMatch(/^FleetGroupASGF037160E {2}0 of 2 +0 +0 +3$/m);
  expect(out).toMatch(
    /^FleetGroupASGF037160E: 0 of 2 instances, 09:13:42Z: We currently do not have sufficient .*\n {4}the zone has no capacity .*\n {4}use another .*\n {4}npx fsxbench doctor --aws CompressionBench\n$/m,
  );
});

test('as one document', async () => {
  const { out, error } = await deployStatus(recorded('boot-failed'), { json: true });
  expect(error).toBe('');
  expect(JSON.parse(out)).toMatchObject({
    schema: 'fsxbench.deploy-status/1',
    stack: 'CompressionBench',
    outcome: 'failed',
    problems: [{ found: expect.stringContaining('is port 988 open to it?') }, { final: true }],
  });
});

test('says once how it stands, and waits for nothing', async () => {
  const { out, err, error } = await deployStatus(recorded('quota'), { once: true });
  expect([error, err]).toEqual([null, '']);
  expect(out).toContain('a quota on vCPUs');
});

test('a stack that never was is told with the command that deploys it', async () => {
  expect((await deployStatus(recorded('none'))).error).toContain('deploy it with npx cdk deploy CompressionBench');
});

test('machines in the same state share a row', async () => {
  const { out } = await deployStatus(recorded('done'));
  expect(out).toMatch(/^i-0c1b2c3d4e5f60711 and 1 more +CompressionBench client +running +\S/m);
  expect(out.match(/CompressionBench client/g)).toHaveLength(1);
});
