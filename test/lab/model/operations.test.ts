import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  counted,
  type HourlyCounts,
  isReset,
  operationsReader,
  parseOperations,
} from '../../../lib/lab/model/operations';
import { temporaryFolder } from '../../run/bench';

/** Counters as MooseFS 3.0.117 prints them: statfs, getattr, setattr, lookup, mkdir, rmdir, symlink, readlink, mknod, unlink, rename … */
const PRINTED =
  'active mounts, operations:|198.18.0.2|/lab/mnt/a|39|10|1|9958|7|6|0|0|6908|6900|2|0|8|7908|3|4|31753\n';

/** The same from MooseFS 4.57.5, which has more kinds. */
const PRINTED_BY_4 =
  'active mounts, operations:|198.18.1.2|/lab/mnt/a|7|25|0|169|9|6|0|0|0|23|0|0|18|0|0|6|0|155|6|0|0|0|0|0|0|6|0|0|430\n';

const hourly = (change: Partial<HourlyCounts> = {}): HourlyCounts => {
  const zeros = parseOperations(PRINTED.replace(/\|\d+(?=[|\n])/g, '|0'));
  if (zeros === null) throw new Error('the fixture is not what mfscli prints');
  return { ...zeros.counts, ...change };
};

describe('what a metadata server says', () => {
  test('is nothing where it does not answer, or answers something else', () => {
    expect(parseOperations('')).toBeNull();
    expect(parseOperations('Connection refused\n')).toBeNull();
    expect(parseOperations('active mounts, operations:|198.18.0.2|/a|1|2|x\n')).toBeNull();
  });

  test('is read by kind, over all mounts', () => {
    const one = parseOperations(PRINTED);
    expect(one).toMatchObject({
      mounts: 1,
      counts: {
        statfs: 39,
        lookup: 9958,
        mkdir: 7,
        mknod: 6908,
        unlink: 6900,
        rename: 2,
        open: 7908,
        wchunk: 4,
        create: 0,
      },
    });
    expect(parseOperations(PRINTED + PRINTED)).toMatchObject({ mounts: 2, counts: { mknod: 13_816 } });
  });

  test('is read of MooseFS 4, too, which makes files by another operation', () =>
    expect(parseOperations(PRINTED_BY_4)).toMatchObject({
      mounts: 1,
      counts: {
        statfs: 7,
        lookup: 169,
        mknod: 0,
        unlink: 23,
        readdir: 18,
        wchunk: 6,
        write: 155,
        fsync: 6,
        create: 6,
        meta: 0,
      },
    }));

  test('goes on counting through the full hour, at which it begins anew', () => {
    const [before, now] = [hourly({ mknod: 100, open: 90 }), hourly({ mknod: 7, open: 95 })];
    expect(isReset(before, now)).toBe(true);
    expect(counted(before, now, hourly({ mknod: 130, open: 90 }))).toMatchObject({ mknod: 37, open: 95 });
    expect(isReset(now, now)).toBe(false);
    expect(counted(before, hourly({ mknod: 105, open: 90 }), null)).toMatchObject({ mknod: 5, open: 0 });
  });

  test('of a server that was started anew is what it has counted since, and never less than nothing', () =>
    expect(counted(hourly({ mknod: 100 }), hourly({ mknod: 3 }), hourly())).toMatchObject({ mknod: 3, open: 0 }));

  describe('adds up from one reading to the next', () => {
    const PATH = process.env.PATH;
    let folder: string;
    beforeEach(() => {
      folder = temporaryFolder();
      // In the place of a namespace with a server: a file for each hour that it knows.
      const script = `#!/bin/sh\nfor hour; do :; done\ncat "${folder}/$hour"\n`;
      writeFileSync(join(folder, 'nsenter'), script, { mode: 0o755 });
      process.env.PATH = `${folder}:${PATH}`;
    });
    afterEach(() => {
      process.env.PATH = PATH;
    });
    const [LAST_HOUR, THIS_HOUR] = ['0', '1'];
    /** Counters in the form that MooseFS 4 prints. */
    const says = (hour: string | undefined, change: Partial<HourlyCounts>, mounts = 1): void => {
      const counts = Object.values(hourly(change));
      const line = `active mounts, operations:|198.18.0.2|/lab/mnt/a|${[...counts, 0].join('|')}\n`;
      writeFileSync(join(folder, hour ?? ''), line.repeat(mounts));
    };
    const reader = () => operationsReader({ disk: '', metadata: '', address: '198.18.0.1', namespace: 'n' });

    test('by the metric that counts each kind; what is about data is in none', async () => {
      const read = reader();
      says(THIS_HOUR, {}, 2);
      expect(await read()).toMatchObject({ operations: { file_creates: 0 }, connections: 2 });
      const names = {
        mknod: 1,
        create: 2,
        open: 4,
        unlink: 8,
        getattr: 16,
        lookup: 32,
        rename: 64,
        mkdir: 128,
        rmdir: 256,
      };
      says(THIS_HOUR, { ...names, fsync: 1000, write: 1000, wchunk: 1000 });
      expect(await read()).toEqual({
        operations: {
          file_creates: 3,
          file_opens: 4,
          file_deletes: 8,
          stats: 48,
          renames: 64,
          dir_creates: 128,
          dir_deletes: 256,
          metadata_operations: 511,
        },
        connections: 1,
      });
    });

    test('through the full hour, with what came after the last reading before it', async () => {
      const read = reader();
      const created = async (): Promise<number | undefined> => (await read())?.operations.file_creates;
      says(THIS_HOUR, { mknod: 100 });
      expect(await created()).toBe(100);
      says(THIS_HOUR, { mknod: 7 });
      // Nothing answers for the hour before: its counts come with the next reading.
      expect(await created()).toBeUndefined();
      says(LAST_HOUR, { mknod: 130 });
      expect(await created()).toBe(137);
      says(THIS_HOUR, { mknod: 9 });
      expect(await created()).toBe(139);
    });
  });

  test('is null of a server that is gone, without an error', async () => {
    const gone = { disk: '/nowhere', metadata: '/nowhere', address: '198.18.0.1', namespace: 'fsxbench-nowhere' };
    expect(await operationsReader(gone)()).toBeNull();
  });
});
