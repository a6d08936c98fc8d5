import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarise as summariseRun } from '../../lib/analysis/summary';
import { type RunSummary, readRun, renderCsv, renderHtml, renderMarkdown, Scrubber, toJson } from '../../lib/report';
import { syntheticRun } from './syntheticRun';

const RUNS = join(__dirname, '..', 'fixtures', 'runs');
const folders = readdirSync(RUNS, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

/** Outputs of a report beside its page. */
const printed = (run: RunSummary): Record<string, string> => ({
  json: JSON.stringify(toJson(run)),
  markdown: renderMarkdown(run),
  samples: renderCsv([run], 'samples'),
  summary: renderCsv([run], 'summary'),
});

/** Secrets of an account, searched for without the scrubber's own patterns. */
function identities(folder: string): string[] {
  const read = (name: string): unknown => {
    const path = join(RUNS, folder, name);
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  };
  const manifest = read('manifest.json') as {
    account: string | null;
    bucket: string | null;
    stack: { id: string } | null;
    arms: { fileSystemId: string | null }[];
    fleet: { autoScalingGroup: string | null; clients: { instanceId: string; privateIp: string }[] };
  };
  const { account, bucket, stack, arms, fleet } = manifest;
  const driver = (read('status.json') as { driver?: { host: string } }).driver?.host;
  const clients = fleet.clients.flatMap(({ instanceId, privateIp }) => [instanceId, privateIp]);
  return [
    account,
    bucket,
    stack?.id,
    driver,
    fleet.autoScalingGroup,
    ...arms.map((arm) => arm.fileSystemId),
    ...clients,
  ].flatMap((one) => one ?? []);
}

const word = (name: string): RegExp => new RegExp(`(?<![\\w.-])${name.replaceAll('.', '\\.')}(?![\\w-])`);

describe.each(folders)('the run %s', (name) => {
  test('has no identity in any form, and the same figures', async () => {
    const run = summariseRun(await readRun(join(RUNS, name)));
    const scrubbed = new Scrubber().scrub(run);
    const [before, after] = [printed(run), printed(scrubbed)];
    for (const text of [await renderHtml(scrubbed), ...Object.values(after)]) {
      // One fixture has ids that look like stand-ins.
      for (const identity of identities(name).filter((one) => !/^[a-z]+-\d$/.test(one)))
        expect(text).not.toMatch(word(identity));
      expect(text).not.toMatch(/\b(fs|i|vpc|subnet|sg)-[0-9a-f]{8,17}\b|arn:aws|\/home\/(?!user-\d)/);
    }
    expect(scrubbed.cells.map(({ median, samples }) => [median, samples.length])).toEqual(
      run.cells.map(({ median, samples }) => [median, samples.length]),
    );
    expect(scrubbed.validity).toBe(run.validity);
    expect(Object.keys(toJson(scrubbed))).toEqual(Object.keys(toJson(run)));
    // Nothing but names: as many lines and cells as before.
    for (const form of ['markdown', 'samples', 'summary'] as const)
      expect(after[form]?.split('\n').length).toBe(before[form]?.split('\n').length);
  });
});

test('some fixture has each kind of identity, so that nothing above passes for want of any', () => {
  expect(folders.flatMap(identities)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^\d{12}$/),
      expect.stringMatching(/^fs-/),
      expect.stringMatching(/^i-/),
      expect.stringMatching(/^10\./),
    ]),
  );
});

describe('a text', () => {
  /** Replacement where nothing else is known of a run. */
  function scrubbed(reason: string, scrubber = new Scrubber()): string {
    const record = { plan: null, manifest: null, status: null, environment: [], samples: [{ reason }] };
    return scrubber.scrub({ record } as never).record.samples[0]?.reason ?? '';
  }

  test.each([
    ['arn:aws:iam::210987654321:role/Clients cannot', 'arn-1 cannot'],
    ['mail ops.team@example.co.uk', 'mail email-1'],
    ['ssh: ip-10-0-3-17.ec2.internal: ip-10-0-3-17.ec2.internal', 'ssh: host-1: host-1'],
    ['fs-0a1b2c3d4e5f60718.fsx.us-east-1.amazonaws.com@tcp:/abc', 'host-1@tcp:/abc'],
    ['10.0.3.17@tcp:10.0.3.18@tcp:/fsx', 'address-1@tcp:address-2@tcp:/fsx'],
    ['listen on 2001:db8::17, port 988', 'listen on address-1, port 988'],
    ['subnet-0a1b2c3d and vol-0a1b2c3d4e5f60718', 'subnet-1 and vol-1'],
    [
      '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol0a1b2c3d4e5f60718',
      '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol-1',
    ],
    ['ether 06:1a:2b:3c:4d:5e and 06-1A-2B-3C-4D-5E', 'ether address-1 and address-2'],
    ['s3://my-data/reads/x', 's3://bucket-1/reads/x'],
    ['/home/jane.doe/out', '/home/user-1/out'],
  ])('loses what identifies somebody: %s', (text, expected) => {
    expect(scrubbed(text)).toBe(expected);
  });

  test.each([
    '12:30:45 and 2026-11-22T05:47:31.885Z',
    'fio-3.33, kernel 6.1.155-176.282.amzn2023, 429496729600 bytes',
    '127.0.0.1 and ::1, aws-cdk@2.1148.1',
    'i-beam, lz4-deadbeef, task 300.25.1.0',
  ])('keeps what identifies nobody: %s', (text) => {
    expect(scrubbed(text)).toBe(text);
  });

  test('has the same stand-in in two runs of one report', () => {
    const scrubber = new Scrubber();
    expect([scrubbed('at 10.0.3.17', scrubber), scrubbed('10.0.3.18 10.0.3.17', scrubber)]).toEqual([
      'at address-1',
      'address-2 address-1',
    ]);
  });
});

test('a machine that is called as an arm is does not rename the arm, nor a field', async () => {
  const record = syntheticRun();
  const named = (host: string) => ({ ...record, status: { ...record.status, driver: { host, pid: 1 } } });
  for (const host of ['none', 'value']) {
    const run = new Scrubber().scrub(summariseRun(named(host) as never));
    expect(run.arms.map(({ name }) => name)).toContain('none');
    expect(run.record.samples.every((sample) => 'value' in sample)).toBe(true);
  }
});
