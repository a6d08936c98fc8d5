import type { FileSystem } from '@aws-sdk/client-fsx';
import { checkCompressionChange } from '../../lib/scale/compression';
import { checkId, type FsxApi, waitFor } from '../../lib/scale/fileSystem';
import { changeMetadata, checkMetadataChange } from '../../lib/scale/metadata';
import { type LustreAction, type LustreState, Refusal, stateOf } from '../../lib/storage/lustre/state';

const ID = 'fs-0a1b2c3d4e5f60718';
const NOW = new Date('2026-11-21T12:00:00Z');

/** Answer of DescribeFileSystems, by default with 12,000 metadata IOPS. */
function described(lustre: FileSystem['LustreConfiguration'] = {}, more: Partial<FileSystem> = {}): FileSystem {
  return {
    FileSystemId: ID,
    FileSystemType: 'LUSTRE',
    FileSystemTypeVersion: '2.15',
    Lifecycle: 'AVAILABLE',
    StorageType: 'SSD',
    StorageCapacity: 12_000,
    LustreConfiguration: {
      DeploymentType: 'PERSISTENT_2',
      PerUnitStorageThroughput: 250,
      DataCompressionType: 'NONE',
      MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: 12_000 },
      MountName: 'abcdefgh',
      ...lustre,
    },
    ...more,
  };
}

const iops = (value: number) => ({ MetadataConfiguration: { Mode: 'USER_PROVISIONED' as const, Iops: value } });

const check = (iops: number, state: LustreState = stateOf(described()), region = 'us-east-1') =>
  checkMetadataChange(state, iops, region, { now: NOW });

/** A change, so many milliseconds after a request for it. */
const changed = (status: string, after: number): LustreAction => ({
  ...{ type: 'FILE_SYSTEM_UPDATE', status, requestedAt: new Date(NOW.getTime() + after), percent: null },
  ...{ metadata: true, capacity: false, failure: null },
});
const fail = async () => expect('an update').toBe('not asked for');

const TIERING = stateOf(
  described(
    {
      PerUnitStorageThroughput: undefined,
      ThroughputCapacity: 4000,
      MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: 6000 },
      DataReadCacheConfiguration: { SizingMode: 'NO_CACHE' },
    },
    { StorageType: 'INTELLIGENT_TIERING', StorageCapacity: undefined },
  ),
);

const changedAt = (time: string, Status: 'COMPLETED' | 'FAILED' = 'COMPLETED', ...earlier: readonly string[]) =>
  stateOf(
    described(
      {},
      {
        AdministrativeActions: [...earlier, time].map((each) => ({
          AdministrativeActionType: 'FILE_SYSTEM_UPDATE',
          Status: each === time ? Status : 'COMPLETED',
          RequestTime: new Date(each),
          TargetFileSystemValues: { LustreConfiguration: { MetadataConfiguration: { Mode: 'USER_PROVISIONED' } } },
        })),
      },
    ),
  );

const growing = {
  AdministrativeActionType: 'STORAGE_OPTIMIZATION',
  Status: 'IN_PROGRESS',
  ProgressPercent: 40,
  RequestTime: new Date('2026-11-20T12:00:00Z'),
} as const;

test.each<[string, number, LustreState]>([
  ['5,000', 5000, stateOf(described())],
  ['1,500 on Intelligent-Tiering', 1500, TIERING],
  [
    'any on PERSISTENT_1',
    12_000,
    stateOf(described({ DeploymentType: 'PERSISTENT_1', MetadataConfiguration: undefined })),
  ],
  ['any where none were configured at creation', 12_000, stateOf(described({ MetadataConfiguration: undefined }))],
  ['fewer than there are', 6000, stateOf(described())],
  ['fewer than AUTOMATIC may give to the capacity', 24_000, stateOf(described({}, { StorageCapacity: 50_400 }))],
  ['fewer than the most', 180_000, stateOf(described(iops(192_000)))],
  ['while it is being changed', 24_000, stateOf(described({}, { Lifecycle: 'UPDATING' }))],
  ['during an increase of capacity', 24_000, stateOf(described({}, { AdministrativeActions: [growing] }))],
  ['within 6 hours of the last change', 24_000, changedAt('2026-11-21T09:30:00Z')],
])('refuses %s, with what is allowed, in the words of the snapshot', (_, count, state) => {
  expect(() => check(count, state)).toThrow(Refusal);
  expect(() => check(count, state)).toThrowErrorMatchingSnapshot();
});

test('knows no other file systems', () => {
  const ontap = { FileSystemId: ID, FileSystemType: 'ONTAP' as const };
  expect(() => stateOf(ontap)).toThrow(`the file system must be FSx for Lustre, got ${ID} of type ONTAP`);
});

test('allows a change 6 hours after the last one, and at once after one that failed', () => {
  expect(check(24_000, changedAt('2026-11-21T06:00:00Z')).nothing).toBe(false);
  expect(check(24_000, changedAt('2026-11-21T11:59:00Z', 'FAILED')).nothing).toBe(false);
  const grown = changedAt('2026-11-21T11:00:00Z');
  const actions = grown.actions.map((action) => ({ ...action, metadata: false, capacity: true }));
  expect(check(24_000, { ...grown, actions }).nothing).toBe(false);
  // The latest of several counts, wherever FSx lists it.
  const [first, second] = ['2026-11-20T06:00:00Z', '2026-11-21T09:30:00Z'] as const;
  for (const state of [changedAt(first, 'COMPLETED', second), changedAt(second, 'COMPLETED', first)]) {
    expect(state.actions.map(({ requestedAt }) => +requestedAt)).toEqual([Date.parse(second), Date.parse(first)]);
    expect(() => check(24_000, state)).toThrow('at 2026-11-21 09:30 UTC');
  }
  expect(() => check(24_000, changedAt('2026-11-21T11:59:00Z', 'FAILED', second))).toThrow('at 2026-11-21 09:30 UTC');
});

test('finds that there is nothing to do, also while something else is done', () => {
  expect(check(12_000, changedAt('2026-11-21T11:00:00Z')).nothing).toBe(true);
});

describe('what it costs a month', () => {
  // facts: 0.055 USD for each IOPS above those that the capacity includes, 12,000 at 12,000 GiB.
  test('is that of the IOPS above those that the price of the storage includes', () => {
    expect(check(192_000).monthlyUsd).toEqual({ before: 2520, after: 12_420, difference: 9900, reason: null });
  });

  test('is nothing up to the included ones', () => {
    const small = stateOf(described({ MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: 1500 } }));
    expect(check(12_000, small).monthlyUsd.difference).toBe(0);
  });

  test('is the difference alone where the whole is not known', () => {
    const { before, difference } = check(12_000, TIERING).monthlyUsd;
    expect(before).toBeNull();
    expect(difference).not.toBe(0);
  });

  test('is not known in a Region without a known price', () => {
    const { difference, reason } = check(192_000, stateOf(described()), 'sa-east-1').monthlyUsd;
    expect([difference, reason]).toEqual([null, expect.stringContaining('sa-east-1')]);
  });

  test('is not known on Intelligent-Tiering, for which nobody publishes a price of metadata IOPS: that is the reason, not the Region', () => {
    const { difference, reason } = check(12_000, TIERING).monthlyUsd;
    expect([difference, reason]).toEqual([null, expect.stringContaining('metadata IOPS')]);
  });
});

test('explains that AUTOMATIC ends, how many targets there will be, and that it cannot be undone', () => {
  const automatic = stateOf(described({ MetadataConfiguration: { Mode: 'AUTOMATIC', Iops: 12_000 } }));
  const { from, to, metadataTargets, notes } = check(48_000, automatic);
  expect([from, to]).toEqual([
    { mode: 'AUTOMATIC', iops: 12_000 },
    { mode: 'USER_PROVISIONED', iops: 48_000 },
  ]);
  expect(metadataTargets).toEqual({ before: 1, after: 4 });
  expect(notes).toEqual([
    'It cannot be undone: metadata IOPS only rise, and the next change is possible after 6 h.',
    'Its mode becomes USER_PROVISIONED: until now AUTOMATIC gave 12000 and would have raised them with the capacity, at no extra price.',
    'It gets 4 metadata targets in place of 1. Directories stay where they are: only new ones use the new targets (lfs mkdir -i, lfs migrate -m).',
    'Settings of clients (lctl set_param mdc.*) hold for the targets that they knew: make them again; on clients of fsxbench, systemctl restart fsxbench-tuning.',
  ]);
});

test('knows what AUTOMATIC gives where FSx does not say', () => {
  expect(stateOf(described({ MetadataConfiguration: { Mode: 'AUTOMATIC' } })).metadataIops).toBe(12_000);
});

/** An API whose file system goes through the given states, one each time it is asked. */
function apiWith(...states: readonly FileSystem[]) {
  const updates: unknown[] = [];
  let asked = 0;
  const api: FsxApi = {
    region: 'us-east-1',
    describe: async () => stateOf(states[Math.min(asked++, states.length - 1)] as FileSystem),
    update: async (input) => {
      updates.push(input);
    },
  };
  return { api, updates };
}

const action = (Status: 'PENDING' | 'IN_PROGRESS' | 'FAILED' | 'COMPLETED', more = {}) => ({
  AdministrativeActions: [
    { AdministrativeActionType: 'FILE_SYSTEM_UPDATE' as const, Status, RequestTime: new Date(), ...more },
  ],
});

test('asks for the change once, tells how it goes, and returns when the IOPS are there', async () => {
  const { api, updates } = apiWith(
    described(),
    described({}, { Lifecycle: 'UPDATING', ...action('IN_PROGRESS', { ProgressPercent: 30 }) }),
    described(iops(24_000), { Lifecycle: 'UPDATING', ...action('IN_PROGRESS', { ProgressPercent: 90 }) }),
    described(iops(24_000), action('COMPLETED')),
  );
  const messages: string[] = [];
  await changeMetadata(api, check(24_000), { everySeconds: 0, onProgress: (message) => messages.push(message) });
  expect(updates).toEqual([
    { FileSystemId: ID, LustreConfiguration: { MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: 24_000 } } },
  ]);
  expect(messages).toEqual([
    `${ID} AVAILABLE, change not begun, 0 s`,
    `${ID} UPDATING, change IN_PROGRESS 30 %, 0 s`,
    `${ID} UPDATING, change IN_PROGRESS 90 %, 0 s`,
  ]);
});

test('goes on waiting where the network is away for a while', async () => {
  const { api } = apiWith(
    described({}, { Lifecycle: 'UPDATING', ...action('IN_PROGRESS', { ProgressPercent: 30 }) }),
    described(iops(24_000), action('COMPLETED')),
  );
  let asked = 0;
  const describeState: FsxApi['describe'] = (id) => {
    asked++;
    if (asked === 2) return Promise.reject(new Error('getaddrinfo ENOTFOUND fsx.us-east-1.amazonaws.com'));
    return api.describe(id);
  };
  const messages: string[] = [];
  const waiting = { everySeconds: 0, onProgress: (message: string) => void messages.push(message) };
  await changeMetadata({ ...api, describe: describeState }, check(24_000), waiting);
  expect(messages).toEqual([
    `${ID} UPDATING, change IN_PROGRESS 30 %, 0 s`,
    expect.stringMatching(/ENOTFOUND.*; trying again for 180 s$/),
  ]);
});

test("says why FSx could not change it, in FSx's words", async () => {
  const failed = action('FAILED', { FailureDetails: { Message: 'not enough capacity' } });
  const { api } = apiWith(described({}, failed));
  await expect(changeMetadata(api, check(24_000), { everySeconds: 0 })).rejects.toThrow(
    `FSx could not change ${ID}: not enough capacity`,
  );
});

test.each(['fs-0a1b2c3', 'xfs-0a1b2c3d', 'fs-0a1b2c3d.fsx', 'fs-0A1B2C3D', ''])(
  '%s is not an id of a file system',
  (id) => {
    expect(() => checkId(id)).toThrow(`must be an id such as fs-0a1b2c3d4e5f60718, got ${id}: aws fsx`);
  },
);

test.each<[string, Partial<LustreState>, string | null]>([
  ['a change in the very moment of the request counts', { actions: [changed('FAILED', 0)] }, 'it gives no reason'],
  ['an earlier failure does not', { actions: [changed('FAILED', -1)] }, null],
  ['the youngest change decides', { actions: [changed('COMPLETED', 2), changed('FAILED', 1)] }, null],
  ['a file system that is misconfigured', { lifecycle: 'MISCONFIGURED' }, `${ID} is MISCONFIGURED: see`],
  ['a file system that is being deleted', { lifecycle: 'DELETING' }, `${ID} is DELETING: see`],
  ['one that is updated may take longer', { lifecycle: 'UPDATING' }, 'has not changed after 0 s; the change continues'],
])('a wait for a change: %s', async (_, state, message) => {
  const api: FsxApi = { region: '', describe: async () => ({ ...stateOf(described()), ...state }), update: fail };
  const wait = waitFor(api, ID, { since: NOW, isAsWanted: () => true }, { timeoutSeconds: 0, everySeconds: 0 });
  await (message === null ? expect(wait).resolves.toMatchObject(state) : expect(wait).rejects.toThrow(message));
});

test.each([
  ['LZ4', undefined, 'NONE', false, /^Only what is written from now on is compressed;/],
  ['NONE', 'LZ4', 'LZ4', false, /stored as it is; what is there stays compressed/],
  ['LZ4', 'LZ4', 'LZ4', true, /is compressed/],
  ['NONE', undefined, 'NONE', true, /stored as it is/],
] as const)('compression %s of a file system with %s', (to, now, from, nothing, note) => {
  const state = stateOf(described({ DataCompressionType: now }));
  const notes = [expect.stringMatching(note), expect.stringContaining('price stays the same')];
  expect(checkCompressionChange(state, to)).toEqual({ fileSystemId: ID, from, to, nothing, notes });
  const busy = () => checkCompressionChange({ ...state, lifecycle: 'UPDATING' }, to);
  if (nothing) expect(busy().nothing).toBe(true);
  else expect(busy).toThrow(`${ID} must be AVAILABLE, got UPDATING`);
});
