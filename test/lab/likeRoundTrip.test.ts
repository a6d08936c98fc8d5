import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseText } from '../../lib/parse';
import { recordedIn } from '../../lib/parse/recorded';
import { hasIor, PROJECT, startFsxbench, TOOLS } from './support';

/** `ordering in a file  : random offsets`: a line of what IOR says it does. */
const said = (text: string, name: string): string => new RegExp(`^${name} *: (.*)$`, 'm').exec(text)?.[1]?.trim() ?? '';

(hasIor ? describe : describe.skip)('what a Darshan log says, driven by IOR on a directory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-like-'));
  const directory = mkdtempSync(join(tmpdir(), 'fsxbench-like-fsx-'));
  afterAll(() => {
    for (const one of [folder, directory]) rmSync(one, { recursive: true, force: true });
  });

  test.each([
    ['fpp', 'file-per-process', 'sequential'],
    ['shared', 'single-shared-file', 'random'],
  ])('has the sizes, the files and the order of %s by IOR’s own output', async (name, access, ordering) => {
    const log = join(PROJECT, `test/fixtures/tools/darshan_ior_${name}.out`);
    const work = recordedIn(log);
    const results = join(folder, name);
    const like = ['run', '--on', directory, '--like', log, '--set', 'repeats=1', '--results', results];
    const { status, output } = await startFsxbench(PROJECT, like, {
      ...process.env,
      PATH: `${TOOLS}:${process.env.PATH}`,
    }).ended;
    expect(`${status}\n${output}`).toMatch(/^0\n/);
    const path = /^run \S+ in (.+)$/m.exec(output)?.[1] ?? '';
    const printed = readdirSync(join(path, 'raw'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /measure\/.*-(?:write|read)-?.*\.out$/.test(file))
      .map((file) => readFileSync(join(path, 'raw', file), 'utf8'));
    expect(printed).toHaveLength(2);
    for (const [operation, transfers] of [
      ['write', work.write],
      ['read', work.read],
    ] as const) {
      const text = printed.find((one) => new RegExp(`^${operation} +[\\d.]`, 'm').test(one)) ?? '';
      const [test] = parseText('ior.out', text).tests;
      expect({ operation, ...test }).toMatchObject({
        operation,
        tasks: work.processes,
        transferBytes: transfers?.transferBytes,
        aggregateBytes: transfers?.bytes,
        blockBytes: (transfers?.bytes ?? 0) / work.processes,
      });
      expect([said(text, 'access'), said(text, 'ordering in a file'), said(text, 'type')]).toEqual([
        ...[access, expect.stringContaining(ordering), 'independent'],
      ]);
    }
    expect(readdirSync(directory, { recursive: true }).filter((file) => file !== 'fsxbench')).toEqual([]);
  });
});
