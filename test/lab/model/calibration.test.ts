import { calibrated, describeThrottled, failureOf, fewAtOnce, notAsAsked } from '../../../lib/lab/model/calibration';
import type { ScaleModel } from '../../../lib/schema/model';

/** A model whose disk and link are throttled to 100 MB/s. */
const measuring = (disk: number, network: number): ScaleModel => ({
  scale: 100,
  stands: 'PERSISTENT_2',
  held: (['disk_write', 'network_write'] as const).map((name, index) => ({
    name,
    documentedMBps: 10_000,
    setMBps: 100,
    measuredMBps: [disk, network][index] ?? Number.NaN,
    source: 'guide/performance',
  })),
  dirtyBytes: 1,
  free: [],
});

/** The outcome of calibrations that measure these in turn, and their number. */
async function of(...found: (ScaleModel | string)[]) {
  const left = [...found];
  const result = await calibrated('lz4', async () => left.shift() ?? 'measured too often');
  return {
    result: typeof result === 'string' ? result : result.held.map(({ measuredMBps }) => measuredMBps),
    calibrations: found.length - left.length,
  };
}

describe('a calibration', () => {
  test.each([95.1, 104.9])('is over once all is within 5 %: %s of 100 MB/s', async (disk) =>
    expect(await of(measuring(disk, 100))).toEqual({ result: [disk, 100], calibrations: 1 }),
  );

  test.each([94.9, 105.1])('is repeated while a figure is further off: %s of 100 MB/s', async (disk) =>
    expect(await of(measuring(disk, 100), measuring(99, 101))).toEqual({ result: [99, 100], calibrations: 2 }),
  );

  test('takes the nearest of each figure, whichever calibration it is of', async () =>
    expect(await of(measuring(99, 80), measuring(70, 98))).toEqual({ result: [99, 98], calibrations: 2 }));

  test('ends after five, and says how far off the figure was at best', async () => {
    const found = [90, 80, 70, 85, 60].map((disk) => measuring(disk, 100));
    expect(await of(...found, measuring(100, 100))).toEqual({
      result:
        'disk_write of lz4 is limited to 100.0 MB/s and came to 90.0 in 5 calibrations, more than 5 % off: this computer is too busy or too slow for this scale',
      calibrations: 5,
    });
  });

  test('that cannot be made is the last, with its reason', async () =>
    expect(await of(measuring(90, 100), 'the disk is gone')).toEqual({ result: 'the disk is gone', calibrations: 2 }));
});

test('a figure that the kernel rounds is refused with what was wanted and what there is', () =>
  expect(notAsAsked('lz4', 'disk_read', 6_000_000, 5_000_000)).toBe(
    'disk_read of lz4 must be throttled to 6.0 MB/s, and the kernel throttles it to 5.0',
  ));

describe('several models', () => {
  test('are worked on three at a time; results come in the order of the models', async () => {
    let [now, most] = [0, 0];
    const waits = [4, 1, 3, 2, 0];
    const done = await fewAtOnce(waits, async (wait) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5 * wait));
      now -= 1;
      return 10 * wait;
    });
    expect([done, most]).toEqual([[40, 10, 30, 20, 0], 3]);
  });

  test('are not begun any more after one that failed', async () => {
    const begun: number[] = [];
    await fewAtOnce([0, 1, 2, 3, 4, 5], async (index) => {
      begun.push(index);
      return index === 0 ? 'the disk is gone' : null;
    });
    expect(begun).toEqual([0, 1, 2]);
  });
});

test('a script’s reason is its last line, without its name; one that says nothing has the status', () => {
  const ended = (stderr: string, code = 1) => failureOf('up', { code, stdout: '', stderr });
  expect(ended('model: making a disk\nmodel: error: no loop device is free\n')).toBe('no loop device is free');
  expect(ended('model: no loop device is free')).toBe('no loop device is free');
  expect(ended('\n')).toBe('assets/lab/model/up ended with status 1');
  expect(ended('model: a disk is slow\n', 0)).toBeNull();
});

test('the limits in words are those of writing, set and measured, and creates where they are limited', () => {
  const metadata = {
    iops: 1,
    documentedCreatesPerSecond: 1,
    setCreatesPerSecond: 240,
    measuredCreatesPerSecond: 238.16,
  };
  const model = {
    ...measuring(99, 98),
    metadata: { ...metadata, writesPerCreate: 4, writesPerSecond: 960, source: '' },
  };
  expect(describeThrottled(model)).toBe(
    'disk 100.0 MB/s (measured 99.0), network 100.0 MB/s (measured 98.0), creates 240/s (measured 238.2)',
  );
});
