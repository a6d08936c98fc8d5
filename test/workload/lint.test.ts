import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { lintDocument } from '../../lib/lint';
import { BUILT } from '../../lib/workload/registry';
import { has, NEEDS } from '../lint/faults';

const GIB = 2 ** 30;

test('memory is named by whose it is, as far as it is known', () => {
  const message = (command: string, context: object) => has(command, 'data-fit-in-memory', context)?.message ?? '';
  const [clientMemoryBytes, serverMemoryBytes] = [96 * GIB, 126 * GIB];
  for (const command of [
    'ior -r -e -b 90g',
    'fio --name=a --rw=read --size=90g',
    'dd if=/fsx/a of=/dev/null bs=1M count=92160',
  ]) {
    expect(message(command, { clientMemoryBytes })).toContain('the 96 GiB of client memory');
    expect(message(command, { serverMemoryBytes })).toContain('the 126 GiB of server memory');
    expect(message(command, { clientMemoryBytes, serverMemoryBytes })).toContain(
      'the 222 GiB of client and server memory',
    );
  }
});

test.each(NEEDS)('%s: `%s` but not `%s`, and neither on POSIX', (id, faulty, sound) => {
  const files = { lacks: ['rewriting', 'renaming', 'lasting-directories'], source: 'https://files.example' } as const;
  const found = has(faulty, id, { files });
  expect(found).toMatchObject({ severity: 'error', message: expect.stringContaining('https://files.example') });
  expect(has(sound, id, { files })).toBeUndefined();
  expect(has(faulty, id)).toBeUndefined();
  if (found?.suggestion) expect(has(found.suggestion, id, { files })).toBeUndefined();
});

test('a compressing file system is assumed until told otherwise', () => {
  const zeros = 'dd if=/dev/zero of=/fsx/a bs=1M count=9';
  expect(has(zeros, 'dd-zeros-compress-away', { compresses: true })?.severity).toBe('error');
  expect(has(zeros, 'dd-zeros-compress-away', { compresses: false })).toBeUndefined();
});

test('the items suggested for a phase are the fewest that last, for the ranks of all nodes', () => {
  const suggested = (command: string) => has(command, 'phase-too-short', { createsPerSecond: 1000 })?.suggestion;
  // 300,000 creates between 7 ranks are 42,857.1 each.
  expect(suggested('mpirun -np 7 mdtest -n 42857 -u')).toBe('mpirun -np 7 mdtest -n 42858 -u');
  expect(suggested('mpirun -np 7 mdtest -n 42858 -u')).toBeUndefined();
  const onNodes = (items: number) => `srun -N 3 --ntasks-per-node=4 mdtest -n ${items} -u`;
  expect(suggested(onNodes(24_999))).toBe(onNodes(25_000));
});

test('stripe count -1 on the directory of mdtest is named with the command that gave it', () => {
  const line = (count: string) => `lfs setstripe ${count} /fsx/m; mpirun -np 4 mdtest -u -n 10 -d /fsx/m`;
  expect(has(line('-c -1'), 'mdtest-wide-stripes')?.suggestion).toBe('lfs setstripe -c 1 /fsx/m');
  expect(has(line('--stripe-count=-1'), 'mdtest-wide-stripes')?.suggestion).toBe(
    'lfs setstripe --stripe-count=1 /fsx/m',
  );
  expect(has(line('-c 1'), 'mdtest-wide-stripes')).toBeUndefined();
  expect(has('mdtest -u -n 10', 'mdtest-wide-stripes', { stripeCount: -1 })).toBeDefined();
});

test('stripe count -1 under IOR is what the published study did, and no fault', () => {
  expect(has('lfs setstripe -c -1 /fsx/m; mpirun -np 4 ior -w -o /fsx/m/f', 'mdtest-wide-stripes')).toBeUndefined();
});

test('mdtest is told to read as much as it writes', () => {
  const suggested = (command: string) => has(command, 'mdtest-read-opens-only')?.suggestion;
  expect(suggested('mdtest -u -n 10 -w 64k')).toBe('mdtest -e 64k -u -n 10 -w 64k');
});

test('no better command gives empty files data, which would be other work', () => {
  const { findings, better } = lintDocument(['mpirun -np 2 mdtest -F -n 10'], {});
  expect(findings.find(({ id }) => id === 'mdtest-read-opens-only')?.suggestion).toMatch(
    /^to read data, .*-w 3901 -e 3901/,
  );
  expect(better).toMatch(/^mpirun -np 2 mdtest .*-u/);
  expect(better).not.toMatch(/ -[we] /);
});

test('--build-tools builds every tool of its list, and no other', () => {
  const script = readFileSync(resolve(__dirname, '../../assets/client/bin/build-tools'), 'utf8');
  const [, programs = ''] = /^programs\(\) .* then echo (.+?); else/m.exec(script) ?? [];
  expect(programs.split(' ').sort()).toEqual(BUILT.map(({ id }) => id).sort());
});
