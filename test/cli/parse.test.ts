import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../run/bench';
import { fsxbench, PROJECT } from './support';

describe('parse', () => {
  const fixture = join(PROJECT, 'test/fixtures/tools/ior330_wr_fpp_4r.out');

  test('prints one document for a file and an array for several', async () => {
    const one = JSON.parse((await fsxbench('parse', '--json', fixture)).out);
    expect(one).toMatchObject({
      schema: 'fsxbench.parse/1',
      tool: 'ior',
      version: '3.3.0',
      complete: true,
      valid: true,
    });
    const two = JSON.parse((await fsxbench('parse', '--json', fixture, fixture)).out);
    expect(two).toHaveLength(2);
  });

  test('takes what comes through a pipe', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    // In separate processes: reopening a pipe after its writer is gone blocks a whole process.
    const script =
      'for _ in 1 2 3; do cp "$0" "$1" & timeout --kill-after=5 120 "$2" "$3" parse "$1" || exit; wait; done';
    const argv = [fixture, pipe, process.execPath, join(PROJECT, 'dist/fsxbench.js')];
    const { status, stdout } = spawnSync('bash', ['-c', script, ...argv], { encoding: 'utf8' });
    expect([status, stdout.match(/: ior 3\.3\.0, complete, valid/gm)?.length]).toEqual([0, 3]);
  });

  test('shows people the iterations of mdtest 3.3.0 where the output has them, else says what n counts', async () => {
    const tools = join(PROJECT, 'test/fixtures/tools');
    const verbose = (await fsxbench('parse', join(tools, 'md330_both_i5_v.out'))).out;
    expect(verbose).toMatch(/^ {2}file_create +operations +5 /m);
    expect(verbose).not.toContain('ranks');
    const brief = (await fsxbench('parse', join(tools, 'md330_dirs_only.out'))).out;
    expect(brief).toMatch(/^ {2}dir_create +operations +12 /m);
    expect(brief).toContain('  note      n is ranks × iterations, each rank by its own clock');
  });

  test('names a file that the system does not let be read; a folder beside an output is none of its files', async () => {
    // Even root cannot read the first page of memory.
    const { status, out, err } = await fsxbench('parse', '/proc/self/mem');
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^fsxbench: '\/proc\/self\/mem' cannot be read: EIO: .+\n$/);
    const file = join(temporaryFolder(), 'x.out');
    copyFileSync(fixture, file);
    for (const ending of ['cmd', 'json']) mkdirSync(file.replace('out', ending));
    expect((await fsxbench('parse', file)).out).toContain('x.out: ior 3.3.0, complete, valid');
  });

  test('of bytes that are no output answers that nothing is known, and fails', async () => {
    const file = join(temporaryFolder(), 'random.out');
    writeFileSync(file, Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251)));
    const { status, out, err } = await fsxbench('parse', '--json', file, fixture);
    expect([status, JSON.parse(out)[0]]).toEqual([
      1,
      expect.objectContaining({ complete: false, valid: false, samples: [] }),
    ]);
    expect(err).toBe(`fsxbench: ${file}: not the output of a tool that fsxbench reads (parse --help names them)\n`);
  });
});
