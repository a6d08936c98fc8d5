import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { CloudWatchClient, PutMetricDataCommandInput } from '@aws-sdk/client-cloudwatch';
import type { ArmDefinition } from '../../lib/benchmark/benchmark';
import { mountsBelow } from '../../lib/common/mounts';
import { createPublisher } from '../../lib/lab/metrics/publisher';
import { loopDevicesOf } from '../../lib/lab/mounts';
import { type LabPaths, labPaths } from '../../lib/lab/paths';
import { endProcesses, processesOfLab } from '../../lib/lab/processes';
import { removeStorages } from '../../lib/lab/removeStorages';
import type { LabStorage } from '../../lib/lab/state';
import { makeStorages } from '../../lib/lab/storages';
import { PLAIN_DIRECTORY, XFS_ON_LOOP } from '../../lib/storage/common/substitutes';
import { storageNamed } from '../../lib/storage/lookup';
import type { MetricRole, MetricsCapability, Substitute } from '../../lib/storage/storage';
import { ARMS, PROJECT } from './support';

const PATH = process.env.PATH;

let paths: LabPaths;
let recorded: (readonly LabStorage[])[];

beforeEach(() => {
  paths = labPaths(mkdtempSync(join(tmpdir(), 'fsxbench-storages-')));
  symlinkSync(join(PROJECT, 'assets'), join(paths.root, 'assets'));
  recorded = [];
});
afterEach(async () => {
  process.env.PATH = PATH;
  jest.restoreAllMocks();
  expect(await removeStorages(paths)).toEqual([]);
  rmSync(paths.root, { recursive: true });
});

interface Options {
  readonly arms?: readonly ArmDefinition[];
  readonly sizeGiB?: number;
  readonly directories?: boolean;
  readonly about?: readonly MetricRole[];
}

const make = (options: Options = {}) =>
  makeStorages({
    paths,
    arms: ARMS,
    record: async (storages) => {
      // Written down first: nothing of it may exist yet.
      if (recorded.length === 0 && storages[0]?.kind !== 'directory') expect(mountsBelow(paths.mounts)).toEqual([]);
      recorded.push(storages);
    },
    sizeGiB: 1,
    ...options,
  });

/** Puts a program before the system's own. */
function shadow(name: string, script: string): void {
  const folder = join(paths.root, 'shadow');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  process.env.PATH = `${folder}${delimiter}${PATH}`;
}

test('says what is missing and takes plain directories where it may not mount', async () => {
  jest.spyOn(process, 'getuid').mockReturnValue(1000);
  const { storages, notices } = await make();
  expect(storages.map(({ kind }) => kind)).toEqual(['directory', 'directory']);
  expect(notices[0]).toBe('No Btrfs on loop devices here: only root may mount.');
  expect(notices[1]).toContain('nothing is compressed');
});

describe('an arm', () => {
  const [first, second] = ARMS as [ArmDefinition, ArmDefinition];
  const program = { path: 'lab/loop', variables: { LOOP_TYPE: 'zfs' } };
  const impossible: Substitute = { ...XFS_ON_LOOP, name: 'zfs', label: 'ZFS on loop devices', program };
  const standIns = (of: (arm: ArmDefinition['storage']) => Substitute[]) =>
    jest.spyOn(storageNamed('lustre'), 'substitutes').mockImplementation(of);

  test('with nothing to stand in for it is left out with the reason, and costs the other nothing', async () => {
    jest.spyOn(process, 'getuid').mockReturnValue(0);
    standIns((configuration) => [configuration === second.storage ? impossible : PLAIN_DIRECTORY]);
    const { storages, notices } = await make();
    expect(storages.map(({ arm }) => arm)).toEqual([first.name]);
    expect(notices).toEqual([
      "No ZFS on loop devices here: LOOP_TYPE must be btrfs or xfs, got 'zfs'.",
      'lz4 is left out: nothing here can stand in for FSx for Lustre.',
    ]);
  });

  test('is not alone in the lab with nothing in any place', async () => {
    standIns(() => [impossible]);
    await expect(make()).rejects.toThrow(
      /^this computer has nothing to stand in for any arm: No ZFS on loop devices here: /,
    );
  });

  test('whose program makes nothing gets what comes next, and the program takes away what it began', async () => {
    jest.spyOn(process, 'getuid').mockReturnValue(0);
    const log = join(paths.root, 'log');
    writeFileSync(join(paths.root, 'program'), `echo "$1" "$(basename "$STAND_IN_FOLDER")" >>${log}`);
    standIns(() => [{ ...impossible, program: { path: '../program', variables: {} } }, PLAIN_DIRECTORY]);
    const { storages, notices } = await make();
    expect(storages.map(({ kind }) => kind)).toEqual(['directory', 'directory']);
    expect(notices[0]).toBe(`ZFS on loop devices failed: nothing is mounted at ${join(paths.mounts, 'none')}.`);
    expect(readFileSync(log, 'utf8')).toBe('check check\nup none\ndown none\n');
    expect(recorded.map((storages) => storages.map(({ kind }) => kind))).toEqual([
      ['zfs', 'zfs'],
      ['directory', 'directory'],
    ]);
  });
});

describe('where root may mount', () => {
  const root = process.getuid?.() === 0;
  const testAsRoot = root ? test : test.skip;

  testAsRoot('a mount that fails leaves nothing, and plain directories take its place', async () => {
    // The first works, the second does not.
    shadow('mount', 'case "$*" in *lz4*) echo "mount: no luck" >&2; exit 32;; *) exec /usr/bin/mount "$@";; esac');
    const { storages, notices } = await make();
    if (recorded[0]?.[0]?.kind !== 'btrfs') return;
    expect(storages.map(({ kind }) => kind)).toEqual(['directory', 'directory']);
    expect(notices[0]).toBe('Btrfs on loop devices failed: mount: no luck.');
    expect(mountsBelow(paths.mounts)).toEqual([]);
    expect(await loopDevicesOf(paths.substitutes)).toEqual([]);
    expect(recorded).toHaveLength(2);
  });

  testAsRoot('arms that are alike here are told to be, since their question cannot be asked', async () => {
    const [none] = ARMS;
    if (none === undefined) throw new Error('there is no arm');
    const { storages, notices } = await make({ arms: [none, { ...none, name: 'again' }] });
    if (storages[0]?.kind !== 'btrfs') return;
    expect(notices).toEqual([
      'none and again are each Btrfs without compression on a loop device, without limits: the arms should not differ.',
    ]);
  });

  testAsRoot('images that would not fit the disk are made smaller, and that is said', async () => {
    const { notices, storages } = await make({ sizeGiB: 1_000_000 });
    if (storages[0]?.kind !== 'btrfs') return;
    expect(notices[0]).toMatch(/^The images hold \d+ GiB instead of 1000000 GiB: the disk is nearly full\.$/);
  });
});

describe('the metrics', () => {
  interface Datum {
    readonly name: string;
    readonly value: number;
    readonly target: string | undefined;
    readonly unit: string | undefined;
    readonly at: number | undefined;
  }

  /** A publisher whose points are kept instead of sent. */
  function publisher(storages: readonly LabStorage[], periodSeconds: number) {
    const put: Datum[][] = [];
    const client = {
      send: async ({ input }: { input: PutMetricDataCommandInput }) => {
        expect(input.Namespace).toBe('AWS/FSx');
        put.push(
          (input.MetricData ?? []).map(({ MetricName = '', Value = Number.NaN, Unit, Timestamp, Dimensions = [] }) => ({
            name: MetricName,
            value: Value,
            target: Dimensions.find(({ Name }) => Name === 'StorageTargetId')?.Value,
            unit: Unit,
            at: Timestamp?.getTime(),
          })),
        );
      },
    } as unknown as CloudWatchClient;
    const [storage] = storages;
    if (!storage) throw new Error('there is no storage');
    const service = storageNamed('lustre').monitoring?.metrics as MetricsCapability;
    const published = [{ fileSystemId: 'fs-1', mountPoint: storage.mountPoint, compressed: true, service }];
    const publishClients = async (): Promise<number> => 3;
    const options = { client, storages: published, periodSeconds, publishClients };
    return { put, publish: createPublisher(options).publishOnce };
  }

  const at = (seconds: number) => jest.spyOn(Date, 'now').mockReturnValue(seconds * 1000);

  test('hold each period once, and of a plain directory only what can be measured there', async () => {
    const { storages } = await make({ directories: true });
    const { put, publish } = publisher(storages, 5);
    at(1_000_001);
    // With three of the clients.
    expect(await publish()).toBe(7);
    at(1_000_004);
    expect(await publish()).toBe(0);
    at(1_000_005);
    expect(await publish()).toBe(7);
    // Each by the beginning of the period that is over, as CloudWatch names periods.
    const whole = (second: number) => [
      ['FreeDataStorageCapacity', 'Bytes', 1000 * second],
      ['FreeDataStorageCapacity', 'Bytes', 1000 * second],
      ['StorageCapacityUtilization', 'Percent', 1000 * second],
      ['StorageCapacityUtilizationWithCachedWrites', 'Percent', 1000 * second],
    ];
    const rows = put.map((data) => data.map(({ name, unit, at: moment }) => [name, unit, moment]));
    expect(rows).toEqual([whole(999_995), whole(1_000_000)]);
    const { bavail, bsize } = statfsSync(paths.root);
    // Others write to the same disk meanwhile.
    expect((put[0]?.[0]?.value ?? 0) / (bavail * bsize)).toBeCloseTo(1, 1);
  });

  test('of a Btrfs are what its disk counted and what compsize found', async () => {
    const { storages } = await make();
    const lz4 = storages.filter(({ arm }) => arm === 'lz4');
    if (lz4[0]?.kind !== 'btrfs') return;
    const { put, publish } = publisher(lz4, 5);
    at(1_000_000);
    await publish();
    const [zeros, noise] = [Buffer.alloc(32 * 2 ** 20), randomBytes(8 * 2 ** 20)];
    for (const [name, data] of Object.entries({ noise, zeros }))
      writeFileSync(join(lz4[0].mountPoint, name), data, { flush: true });
    at(1_000_005);
    await publish();
    const found = Object.fromEntries(
      (put[1] ?? []).map(({ name, target, value }) => [`${name} ${target ?? ''}`.trim(), value]),
    );
    const { PhysicalDiskUsage: stored = Number.NaN } = found;
    expect(found.LogicalDiskUsage).toBe(zeros.length + noise.length);
    expect(stored - noise.length).toBeLessThan(zeros.length / 10);
    expect(found['DiskWriteBytes OST0000']).toBeGreaterThan(stored);
    expect(found['DiskWriteBytes OST0000']).toBeLessThan(2 * stored);
    expect(found['DiskWriteOperations OST0000']).toBeGreaterThan(0);
    // Nobody here counts what clients sent.
    expect(Object.keys(found).join()).not.toMatch(/Data(Read|Write)Bytes|Utilization .*OSS/);
  });

  test('of an XFS are what was created and removed, each once', async () => {
    const { storages } = await make({ about: ['metadata_operations'] });
    expect(storages.map(({ kind }) => kind)).toEqual([storages[0]?.kind, storages[0]?.kind]);
    const [first] = storages;
    // If the kernel or the tools lack XFS, Btrfs or directories replace it.
    if (first?.kind !== 'xfs') return;
    const { put, publish } = publisher(storages, 5);
    at(1_000_000);
    await publish();
    const file = (index: number): string => join(first.mountPoint, `f${index}`);
    for (let index = 0; index < 30; index++) writeFileSync(file(index), '');
    // Looked up, and not created.
    for (let index = 30; index < 35; index++) expect(existsSync(file(index))).toBe(false);
    for (let index = 0; index < 12; index++) rmSync(file(index));
    at(1_000_005);
    await publish();
    const found = Object.fromEntries((put[1] ?? []).map(({ name, target, value }) => [`${name} ${target}`, value]));
    expect(found['FileCreateOperations MDT0000']).toBe(30);
    expect(found['FileDeleteOperations MDT0000']).toBe(12);
    expect(found['DiskWriteOperations MDT0000']).toBe(found['DiskWriteOperations OST0000']);
    at(1_000_010);
    await publish();
    expect(put[2]?.find(({ name }) => name === 'FileCreateOperations')?.value).toBe(0);
    expect(await removeStorages(paths)).toEqual([]);
    expect(await loopDevicesOf(paths.substitutes)).toEqual([]);
  });

  test('where XFS cannot be made, Btrfs takes its place, and that is said', async () => {
    shadow('mkfs.xfs', 'exit 1');
    const { storages, notices } = await make({ about: ['metadata_operations'] });
    if (storages[0]?.kind !== 'btrfs') return;
    expect(notices).toEqual(['XFS on loop devices failed: it ended with status 1.']);
  });
});

test('in the place of EFS is NFS over loopback, or nothing: another file system would say nothing of it', async () => {
  jest.spyOn(process, 'getuid').mockReturnValue(1000);
  const efs: ArmDefinition = { name: 'efs', storage: { kind: 'efs' } };
  const { storages, notices } = await make({ arms: [...ARMS, efs] });
  expect(storages.map(({ arm }) => arm)).toEqual(['none', 'lz4']);
  expect(notices).toEqual(
    expect.arrayContaining([
      'No NFS over loopback here: only root may mount.',
      'efs is left out: nothing here can stand in for EFS.',
    ]),
  );
});

const mooseFsTest = process.getuid?.() === 0 && existsSync('/usr/sbin/mfsmaster') ? test : test.skip;

mooseFsTest('what made a stand-in says which release it is, and the results name it', async () => {
  const storage = { kind: 'moosefs', chunkservers: 2, instanceType: 'c5.xlarge', volumeGiB: 50 };
  const { storages } = await make({ arms: [{ name: 'moosefs', storage }] });
  await endProcesses(() => processesOfLab(paths.lab));
  expect(storages[0]?.actually).toMatch(/^MooseFS \d+\.\d+\.\d+: master and two chunkservers /);
  expect(recorded.at(-1)).toEqual(storages);
});
