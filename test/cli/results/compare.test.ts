import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summarise as summariseRun } from '../../../lib/analysis/summary';
import { toJson } from '../../../lib/report';
import { soundRun, withSamples } from '../../analysis/runs';
import { writeRun } from '../../report/writeRun';
import { fsxbenchIn } from '../support';

describe('fsxbench compare', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-compare-'));
  const local = (record: ReturnType<typeof soundRun>) => ({
    ...record,
    manifest: record.manifest && { ...record.manifest, bucket: null },
    raw: [],
  });
  const good = local(soundRun({ seed: 1 }));
  const slow = withSamples(local(soundRun({ seed: 2 })), (sample) =>
    sample.source === 'client' && sample.value !== null ? { ...sample, value: sample.value * 0.8 } : sample,
  );
  const [a, b] = [join(folder, 'a'), join(folder, 'b')];
  beforeAll(() => {
    writeRun(good, a);
    writeRun(slow, b);
    writeFileSync(join(folder, 'baseline.json'), JSON.stringify(toJson(summariseRun(good))));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const fsxbench = (...argv: string[]) => fsxbenchIn({}, argv);

  test('exits 0 for a run against itself, and says what the tolerance could be', async () => {
    const { status, out } = await fsxbench('compare', a, a);
    expect(status).toBe(0);
    expect(out).toContain('No regression.');
    expect(out).toMatch(/a tolerance below \d\.\d % would be exceeded by chance/);
  });

  test('exits 1 for a slower run, and names each place', async () => {
    const { status, out } = await fsxbench('compare', a, b);
    expect(status).toBe(1);
    expect(out).toContain('FAIL: write at 2.6:1 on lz4 is slower than the tolerance allows');
    expect((await fsxbench('compare', a, b, '--tolerance', '30%')).out).not.toContain('slower than the tolerance');
  });

  test('exits 3 where nothing is settled, and says how many repeats would settle it', async () => {
    const noisy = (seed: number) => local(soundRun({ seed, repeats: 3, variation: 0.3 }));
    const [c, d] = [join(folder, 'c'), join(folder, 'd')];
    writeRun(noisy(3), c);
    writeRun(noisy(4), d);
    const { status, out } = await fsxbench('compare', c, d, '--tolerance', '30%');
    expect(out).toMatch(
      /^INCONCLUSIVE: a slowdown of more than 30.0 % is neither shown nor ruled out in \d cells of 8/m,
    );
    expect(out).toMatch(/ (\d+) repeats of each run would settle it four times in five: --set repeats=\1\.$/m);
    expect(out).not.toContain('No regression');
    expect(status).toBe(3);
    const json = await fsxbench('compare', c, d, '--tolerance', '30%', '--json');
    expect([json.status, JSON.parse(json.out).verdict]).toEqual([3, 'inconclusive']);
    expect(json.err).toContain('fsxbench: INCONCLUSIVE');
  });

  test('takes a baseline that was kept as a file, and prints one document with --json', async () => {
    const compared = async (...flags: string[]) =>
      JSON.parse((await fsxbench('compare', join(folder, 'baseline.json'), a, '--json', ...flags)).out);
    expect(await compared()).toMatchObject({ schema: 'fsxbench.compare/1', pass: true, tolerance: 0.05 });
    expect(await compared('--tolerance', '0.5%')).toMatchObject({ tolerance: 0.005 });
  });

  test.each([
    [['compare', a, b, '--tolerance', '5 apples'], "'--tolerance' must be a share such as 5% or 0.05"],
    [['compare', a, b, '--tolerance', '100%'], "'--tolerance' must be a share"],
    [['compare', a, b, '--tolerance', '5'], "'--tolerance' must be a share"],
    [['compare', 'nowhere.json', b], 'no such file; make one with npx fsxbench report RUN --json'],
    [['compare', join(folder, 'a', 'plan.json'), b], 'must be the output of npx fsxbench report RUN --json'],
  ])('refuses %j in one line, with exit status 2', async (argv, message) => {
    const { status, err } = await fsxbench(...argv);
    expect(status).toBe(2);
    expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
