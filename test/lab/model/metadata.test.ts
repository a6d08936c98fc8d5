import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figuresOf } from '../../../lib/lab/model/figures';
import { holdMetadata, startModel } from '../../../lib/lab/model/machine';
import { labPaths } from '../../../lib/lab/paths';
import type { LustreStorage } from '../../../lib/storage/lustre/configuration';

describe('creations', () => {
  const FIGURES = {
    iops: 12_000,
    documentedCreatesPerSecond: 24_000,
    setCreatesPerSecond: 240,
    source: 'guide/performance',
  };
  const answering = (...rates: number[]) => {
    const script = jest.fn(async (_: string, __: Readonly<Record<string, string>>) => ({
      code: 0,
      stdout: JSON.stringify({ writesPerCreate: 4, writesPerSecond: 960, createsPerSecond: rates.shift() ?? 0 }),
      stderr: '',
    }));
    return script;
  };

  test('that cannot be held within 5 % are not used, and what they came to is said', async () =>
    expect(await holdMetadata('a', FIGURES, answering(100, 227, 150, 10, 200))).toBe(
      'creates on a are limited to 240.0 per second and came to 227.0 in 5 calibrations, more than 5 % off: this computer is too busy or too slow for this scale',
    ));

  test('of a script that fails are not used, and the reason is the script’s', async () => {
    const failing = async () => ({ code: 1, stdout: '', stderr: 'model: error: the kernel takes no limits\n' });
    expect(await holdMetadata('a', FIGURES, failing)).toBe('the kernel takes no limits');
  });

  test('are held at what is documented ÷ scale; the best of several calibrations counts', async () => {
    const script = answering(100, 238);
    expect(await holdMetadata('a', FIGURES, script)).toEqual({
      ...FIGURES,
      measuredCreatesPerSecond: 238,
      writesPerCreate: 4,
      writesPerSecond: 960,
    });
    expect(script.mock.calls).toEqual(Array(2).fill(['hold-metadata', { MODEL_CREATES_PER_SECOND: '240' }]));
  });

  test('without a documented rate are not held', async () => {
    const script = answering();
    expect(await holdMetadata('a', null, script)).toBeNull();
    expect(script).not.toHaveBeenCalled();
  });
});

describe('a model by its scripts', () => {
  const root = mkdtempSync(join(tmpdir(), 'model-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const scripts = join(root, 'assets/lab/model');
  mkdirSync(scripts, { recursive: true });
  const says = (name: string, answer: object) => {
    writeFileSync(
      join(scripts, name),
      `env | grep ^MODEL_ | sort >${root}/${name}\necho '${JSON.stringify(answer)}'\n`,
    );
    chmodSync(join(scripts, name), 0o755);
  };
  const published = { kind: 'lustre', deploymentType: 'SCRATCH_2', storageCapacityGiB: 4800 } as LustreStorage;
  const figures = figuresOf(published, 100, { clients: 'c5n.large' });
  const rates = { diskReadBytesPerSecond: 9_600_000, diskWriteBytesPerSecond: 4_800_000 };
  const set = { ...rates, networkBytesPerSecond: 9_600_000, clientBytesPerSecond: 3_750_000, dirtyBytes: 1_392_000 };
  const found = {
    ...{ diskReadBytesPerSecond: 9_500_000, diskWriteBytesPerSecond: 4_700_000 },
    ...{ networkWriteBytesPerSecond: 9_400_000, networkReadBytesPerSecond: 9_300_000 },
    ...{ clientsWriteBytesPerSecond: [3_740_000, 3_600_000, 3_800_000], clientsReadBytesPerSecond: [3_760_000] },
  };
  const start = (change = {}) => {
    says('up', { ...set, ...change });
    says('calibrate', found);
    const place = {
      arm: 'none',
      mountPoint: join(root, '.lab/mnt/none'),
      image: '/i',
      imageBytes: 8,
      mountOptions: 'o',
    };
    return startModel(labPaths(root), { ...place, figures, clients: 3, stands: 'SCRATCH_2' });
  };

  test('is throttled as asked, and each figure is what was measured of it: of several clients the furthest off', async () => {
    const model = await start();
    expect(model).toMatchObject({ scale: 100, stands: 'SCRATCH_2', dirtyBytes: 1_392_000 });
    expect(
      Object.fromEntries(
        (model as Exclude<typeof model, string>).held.map((one) => [one.name, [one.setMBps, one.measuredMBps]]),
      ),
    ).toEqual({
      ...{ disk_write: [4.8, 4.7], disk_read: [9.6, 9.5], network_write: [9.6, 9.4], network_read: [9.6, 9.3] },
      ...{ client_write: [3.75, 3.6], client_read: [3.75, 3.76] },
    });
    const told = readFileSync(join(root, 'up'), 'utf8');
    for (const word of [
      'DISK_READ_BPS=9600000',
      'DISK_WRITE_BPS=4800000',
      'NETWORK_BPS=9600000',
      'CLIENTS=3',
      'CLIENT_BPS=3750000',
    ])
      expect(told).toContain(`MODEL_${word}\n`);
    expect(told).toContain('MODEL_DIRTY_BYTES=1392000\n');
  });

  test.each([
    ['diskReadBytesPerSecond', 'disk_read of none must be throttled to 9.6 MB/s, and the kernel throttles it to 1.0'],
    [
      'networkBytesPerSecond',
      'network_write of none must be throttled to 9.6 MB/s, and the kernel throttles it to 1.0',
    ],
    ['clientBytesPerSecond', 'client_write of none must be throttled to 3.8 MB/s, and the kernel throttles it to 1.0'],
  ])('whose %s is not in force is none', async (name, reason) => {
    expect(await start({ [name]: 1e6 })).toBe(reason);
  });
});
