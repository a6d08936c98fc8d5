import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describeEach, unfinishedChanges } from '../../lib/storage/common/fsx';
import { chanceOfMaintenance, describeMaintenance, maintenanceWithin } from '../../lib/storage/common/maintenance';
import { capacityByDf, inBlocks, spaceFromDu, spaceOf } from '../../lib/storage/common/space';
import { idByDnsName } from '../../lib/storage/common/substitutes';
import { describeLimit, LIMIT_NAMES, limitLabel } from '../../lib/storage/limitNames';
import { STORAGES } from '../../lib/storage/registry';
import { temporaryFolder } from '../run/bench';

describe('maintenance', () => {
  const at = (iso: string): number => Date.parse(`${iso}:00Z`);
  const within = (from: string, to: string, weekly: string): string | null => {
    const found = maintenanceWithin({ from: at(from), to: at(to) }, weekly);
    return found && new Date(found.from).toISOString().slice(0, 16);
  };

  // 22 November 2026 is a Sunday.
  test.each([
    ['2026-11-22T05:00', '2026-11-22T06:01', '2026-11-22T06:00'],
    ['2026-11-22T05:00', '2026-11-22T06:00', null],
    ['2026-11-22T06:29', '2026-11-22T07:00', '2026-11-22T06:00'],
    ['2026-11-22T06:30', '2026-11-22T18:30', null],
    ['2026-11-22T06:30', '2026-11-29T06:01', '2026-11-29T06:00'],
  ])('from %s to %s the window of Sunday 06:00 is met at %s', (from, to, expected) => {
    expect(within(from, to, '7:06:00')).toBe(expected);
  });

  test('the week begins on Monday, and times that are none meet nothing', () => {
    expect(within('2026-11-23T00:00', '2026-11-23T00:01', '1:00:00')).toBe('2026-11-23T00:00');
    expect(describeMaintenance('1:00:00')).toBe('Monday 00:00 UTC');
    for (const wrong of ['', '8:06:00', '7:24:00', '7:06:60', '7:06:000', '17:06:00', '0:01:00', 'Sunday'])
      expect(within('2026-11-01T00:00', '2026-12-01T00:00', wrong)).toBeNull();
  });

  test('a run of twelve hours meets a window as often as is said', () => {
    const chance = chanceOfMaintenance(12 * 3600);
    expect(chance).toBeCloseTo(0.074, 3);
    const starts = Array.from({ length: 7 * 24 * 60 }, (_, minute) => at('2026-11-23T00:00') + minute * 60_000 + 1);
    const met = starts.filter((from) => maintenanceWithin({ from, to: from + 12 * 3600_000 }, '4:13:30') !== null);
    expect(met.length / starts.length).toBeCloseTo(chance, 3);
  });

  test('what is found always touches the time, and a week touches every window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: 7 * 86_400_000 }),
        fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })),
        (from, length, [day, hour, minute]) => {
          const weekly = `${day}:${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
          const found = maintenanceWithin({ from, to: from + length }, weekly);
          if (found !== null) expect(found.from < from + length && found.to > from).toBe(true);
          expect(maintenanceWithin({ from, to: from + 7 * 86_400_000 }, weekly)).not.toBeNull();
        },
      ),
    );
  });
});

describe('NFS', () => {
  const idOf = (service: string, device: string) => idByDnsName(service)({ type: 'nfs4', device } as never);

  test.each([
    ['efs', 'fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/'],
    ['efs', 'fs-0123456789abcdef0.efs.cn-north-1.amazonaws.com.cn:/'],
    ['fsx', 'fs-0123456789abcdef0.fsx.eusc-de-east-1.amazonaws.eu:/fsx'],
    ['fsx', 'fs-0123456789abcdef0.fsx.us-iso-east-1.c2s.ic.gov:/fsx'],
  ])('tells the id of %s from %s, in every partition', async (service, device) => {
    expect(await idOf(service, device)).toBe('fs-0123456789abcdef0');
    expect(await idOf(service === 'efs' ? 'fsx' : 'efs', device)).toBeNull();
  });

  test.each(['fs-0123456789abcdef0:/', 'server.example.com:/export', 'fs-x.efs.us-east-1.amazonaws.com:/'])(
    'takes %s for none',
    async (device) => expect(await idOf('efs', device)).toBeNull(),
  );
});

describe('names of limits', () => {
  const page = readFileSync(join(__dirname, '../../docs/prediction.md'), 'utf8');

  test('the page says of each id what reports and pages call it', () => {
    const rows = [...page.matchAll(/^- `(\w+)`: ([^.\n]+)$/gm)].map(([, id = '', words = '']) => [id, words]);
    expect(Object.fromEntries(rows.filter(([id = '']) => id in LIMIT_NAMES))).toEqual(
      Object.fromEntries(Object.entries(LIMIT_NAMES).map(([id, { words }]) => [id, words])),
    );
  });

  test('no storage gives another meaning to an id, and one without words stands for itself', () => {
    const ids = STORAGES.flatMap(({ documented }) => Object.keys(documented.limitNames ?? {}));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids)
      expect([describeLimit(id), limitLabel(id)]).toEqual([
        expect.stringContaining(' '),
        expect.not.stringContaining('_'),
      ]);
    expect([limitLabel('fabric'), describeLimit('fabric')]).toEqual(['fabric', 'fabric']);
  });
});

test.each([
  [8, 4, 2],
  [0, 4, 0],
  [8, 0, null],
  [null, 4, null],
  [8, null, null],
])('%s bytes that take %s are compressed %s:1', (apparent, allocated, ratio) => {
  const found = spaceOf(apparent, allocated, 'why');
  expect(found.map(({ value }) => value)).toEqual([apparent, allocated, ratio]);
  expect(found.map(({ reason }) => reason)).toEqual(
    [apparent, allocated, ratio].map((value) => (value === null ? 'why' : undefined)),
  );
  expect([0, 1, 4096, 4097].map(inBlocks(4096, 100))).toEqual([100, 4196, 4196, 8292]);
});

const readsDf = async (text: string) => {
  const commands = { each: async () => null, run: async () => null, text } as unknown as Parameters<
    typeof capacityByDf.read
  >[0]['commands'];
  const look = { commands, mountPoint: '/fsx', seconds: 9 } as unknown as Parameters<typeof capacityByDf.read>[0];
  return (await capacityByDf.read(look)).measured.map(({ value }) => value);
};
test.each([
  ['  1B-blocks Used Avail\n 100 60 40\n 7 8 9\n', [100, 60, 40]],
  ['df: /fsx: stale\n100 60\n', [null, null, null]],
  ['100 - 40\n', [null, null, null]],
])('df printing %j', async (text, figures) => {
  expect(await readsDf(text)).toEqual(figures);
});

test.each([
  [[['PENDING', 'FILE_SYSTEM_UPDATE', undefined]], 'FILE_SYSTEM_UPDATE'],
  [
    [
      ['IN_PROGRESS', 'STORAGE_OPTIMIZATION', 0],
      ['UPDATED_OPTIMIZING', undefined, 37],
    ],
    'STORAGE_OPTIMIZATION (0 %), a change (37 %)',
  ],
  [
    [
      ['OPTIMIZING', 'X', 99],
      ['COMPLETED', 'Y', 100],
      ['FAILED', 'Z', 1],
    ],
    'X (99 %)',
  ],
  [
    [
      ['COMPLETED', 'Y', 100],
      [undefined, 'Z', 1],
    ],
    null,
  ],
])('changes %j are unfinished: %s', (changes, words) => {
  const AdministrativeActions = changes.map(([Status, AdministrativeActionType, ProgressPercent]) => ({
    ...{ Status, AdministrativeActionType, ProgressPercent },
  }));
  expect(unfinishedChanges({ AdministrativeActions })).toBe(words);
});

test('the bytes of all files count, and of lines of another form none', () => {
  const files = ['5\t/a\n7\t/b c\ndu: /d: stale\n', '1\t/a\n2\t/b c\n', ''].map((text, at) => {
    const file = join(temporaryFolder(), `${at}`);
    writeFileSync(file, text);
    return file;
  });
  const [apparent = '', allocated = '', none = ''] = files;
  expect(spaceFromDu(apparent, allocated, null).map(({ value }) => value)).toEqual([12, 3, 4]);
  const unknown = { value: null, reason: 'du named no file' };
  expect(spaceFromDu(none, none, null)).toEqual(Array(3).fill(expect.objectContaining(unknown)));
});

test('a file system that its service does not know is left out, and no other failure is', async () => {
  const ask = (failure: string) => async (id: string) => {
    if (id === 'gone') throw Object.assign(new Error(failure), { name: failure });
    return [{ id }];
  };
  expect([...(await describeEach(['gone', 'here'], ask('FileSystemNotFound')))]).toEqual([['here', { id: 'here' }]]);
  await expect(describeEach(['gone', 'here'], ask('AccessDenied'))).rejects.toThrow('AccessDenied');
});
