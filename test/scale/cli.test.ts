import { DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import {
  CreateFileSystemCommand,
  DescribeFileSystemsCommand,
  FSxClient,
  type LustreDeploymentType,
} from '@aws-sdk/client-fsx';
import { fsxbenchIn } from '../cli/support';
import { labForTests } from '../lab/support';

const lab = labForTests();
let fsx: FSxClient;

beforeAll(() => {
  fsx = new FSxClient({});
});

async function made(
  options: { type?: LustreDeploymentType; iops?: number; compression?: 'NONE' | 'LZ4' } = {},
): Promise<string> {
  const { type = 'PERSISTENT_2', iops, compression = 'NONE' } = options;
  const { Subnets } = await new EC2Client({}).send(new DescribeSubnetsCommand({}));
  const { FileSystem } = await fsx.send(
    new CreateFileSystemCommand({
      FileSystemType: 'LUSTRE',
      FileSystemTypeVersion: '2.15',
      StorageType: 'SSD',
      StorageCapacity: 1200,
      SubnetIds: [Subnets?.[0]?.SubnetId ?? ''],
      LustreConfiguration: {
        DeploymentType: type,
        PerUnitStorageThroughput: type === 'PERSISTENT_1' ? 50 : 125,
        DataCompressionType: compression,
        ...(iops !== undefined && { MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: iops } }),
      },
    }),
  );
  return FileSystem?.FileSystemId ?? '';
}

const lustre = async (id: string) =>
  (await fsx.send(new DescribeFileSystemsCommand({ FileSystemIds: [id] }))).FileSystems?.[0]?.LustreConfiguration;

const scale = (...argv: string[]) => fsxbenchIn({ root: lab().root, environment: process.env }, ['scale', ...argv]);

describe('scale metadata', () => {
  test('raises the IOPS of a file system, says what it costs, and refuses the next change for 6 hours', async () => {
    const id = await made({ iops: 1500 });
    const { status, out } = await scale('metadata', id, '--iops', '12000', '--yes');
    expect(status).toBe(0);
    expect(out).toContain(`${id}: 1500 metadata IOPS (USER_PROVISIONED) → 12000 (USER_PROVISIONED)\n`);
    // 10,500 above those that 1,200 GiB include, at 0.055 USD.
    expect(out).toContain('577.50 USD more per month at list prices');
    expect((await lustre(id))?.MetadataConfiguration).toMatchObject({ Mode: 'USER_PROVISIONED', Iops: 12_000 });
    const again = await scale('metadata', id, '--iops', '24000', '--yes');
    expect(again.status).toBe(2);
    expect(again.err).toContain(`${id} had a change of its metadata IOPS at`);
  });

  test('prints one document', async () => {
    const id = await made({ iops: 1500 });
    const { status, out } = await scale('metadata', id, '--iops', '24000', '--yes', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      schema: 'fsxbench.scale/1',
      action: 'metadata',
      fileSystemId: id,
      from: { mode: 'USER_PROVISIONED', iops: 1500 },
      to: { mode: 'USER_PROVISIONED', iops: 24_000 },
      metadataTargets: { before: 1, after: 2 },
      monthlyUsd: { difference: 1237.5 },
      dryRun: false,
      changed: true,
    });
  });

  test('changes nothing in a dry run, without an answer, or where there is nothing to do', async () => {
    const id = await made({ iops: 1500 });
    const dry = await scale('metadata', id, '--iops', '3000', '--dry-run', '--json');
    expect(JSON.parse(dry.out)).toMatchObject({ dryRun: true, changed: false });
    const unanswered = await scale('metadata', id, '--iops', '3000');
    expect(unanswered.status).toBe(2);
    expect(unanswered.err).toContain(
      'Raise them for an extra 82.50 USD per month? There is no terminal to ask on: add --yes',
    );
    const same = await scale('metadata', id, '--iops', '1500');
    expect([same.status, same.out]).toEqual([
      0,
      `${id} already has 1500 metadata IOPS, USER_PROVISIONED: nothing to do\n`,
    ]);
    expect((await lustre(id))?.MetadataConfiguration?.Iops).toBe(1500);
  });

  test('refuses what AWS refuses, with status 2 and before it is asked', async () => {
    const [p1, p2] = [await made({ type: 'PERSISTENT_1' }), await made({ iops: 6000 })];
    for (const [id, iops, message] of [
      [p1, '12000', 'is PERSISTENT_1, and only PERSISTENT_2 has metadata IOPS'],
      [p2, '3000', "'--iops' must be at least the 6000"],
      ['fs-0000000000000dead', '3000', 'must be one of this account and Region, got fs-0000000000000dead'],
      ['vol-1', '3000', 'must be an id such as fs-0a1b2c3d4e5f60718, got vol-1'],
      [p2, 'many', "'--iops' must be a whole number from 1, got 'many'"],
    ] as const) {
      const { status, err } = await scale('metadata', id, '--iops', iops, '--yes');
      expect([status, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe('scale compression', () => {
  test('switches it, and says that old data stay as they are', async () => {
    const id = await made();
    const { status, out } = await scale('compression', id, '--type', 'LZ4', '--yes');
    expect(status).toBe(0);
    expect(out).toContain(`${id}: compression NONE becomes LZ4\n`);
    expect(out).toContain('what is there stays as it is until it is rewritten');
    expect((await lustre(id))?.DataCompressionType).toBe('LZ4');
    const back = await scale('compression', id, '--type', 'NONE', '--yes', '--json');
    expect(JSON.parse(back.out)).toMatchObject({
      schema: 'fsxbench.scale/1',
      action: 'compression',
      from: 'LZ4',
      to: 'NONE',
      changed: true,
      recompress: null,
    });
  });

  test('switches nothing when the files cannot be rewritten from here', async () => {
    const id = await made();
    const { status, err } = await scale('compression', id, '--type', 'LZ4', '--recompress', '/tmp/', '--yes');
    expect([status, err]).toEqual([
      2,
      expect.stringContaining(`must be on a mount of ${id} on this computer, got /tmp:`),
    ]);
    expect((await lustre(id))?.DataCompressionType).toBe('NONE');
  });

  test('refuses a directory that is not there, and a layout that it does not know', async () => {
    const recompress = (...options: string[]) =>
      scale('compression', 'fs-0a1b2c3d4e5f60718', '--type', 'LZ4', ...options);
    for (const [options, message] of [
      [['--recompress', 'data'], "'--recompress' must begin with /, got data"],
      [['--recompress', '/no/such'], "'--recompress' must be a directory on this computer, got /no/such (ENOENT)"],
      [['--layout', 'own'], "'--layout' must be keep or default, got 'own'"],
      [['--type', 'zstd'], "'--type' must be LZ4 or NONE, got 'zstd'"],
    ] as const) {
      const { status, err } = await recompress(...options);
      expect([status, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});
