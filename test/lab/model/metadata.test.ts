import { holdMetadata } from '../../../lib/lab/model/machine';

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
    expect(await holdMetadata('a', FIGURES, answering(100, 200, 150, 10, 227))).toBe(
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
