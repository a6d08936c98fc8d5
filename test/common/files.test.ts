import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { jsonElements } from '../../lib/common/jsonElements';
import { type Mount, mountAbove, mountsBelow, parseMounts, readMounts } from '../../lib/common/mounts';
import { isRunning, statOf } from '../../lib/common/processIdentity';
import { until } from '../support/patience';

const TABLE = [
  '/dev/root / ext4 rw 0 0',
  'systemd-1 /fsx autofs rw,fd=29 0 0',
  '10.0.0.15@tcp:/abcdefgh /fsx lustre rw,flock 0 0',
  '/dev/loop0 /fsx/in\\040side\\134x btrfs rw,compress-force=lzo 0 0',
  'tmpfs /fsx/inside tmpfs rw 0 0',
  '',
].join('\n');
const MOUNTS = parseMounts(TABLE);
const points = (mounts: readonly Mount[]) => mounts.map(({ mountPoint }) => mountPoint);

test('a table is read line by line, with the spaces that the kernel writes as octal', () => {
  expect(points(MOUNTS)).toEqual(['/', '/fsx', '/fsx', '/fsx/in side\\x', '/fsx/inside']);
  expect(MOUNTS[3]).toEqual({
    device: '/dev/loop0',
    mountPoint: '/fsx/in side\\x',
    type: 'btrfs',
    options: 'rw,compress-force=lzo',
  });
});

test('a line that is no mount is passed over', () => {
  expect(parseMounts('\nnonsense\n/dev/sda /a\n')).toEqual([]);
});

test.each([
  ['/', 'ext4'],
  ['/home', 'ext4'],
  ['/fsx', 'lustre'],
  ['/fsx/', 'lustre'],
  ['/fsx/data', 'lustre'],
  ['/fsx2', 'ext4'],
  ['/fsx/inside', 'tmpfs'],
  ['/fsx/inside2', 'lustre'],
  ['/fsx/in side\\x/f', 'btrfs'],
  ['/fsx/../home', 'ext4'],
])('%s lies on %s: the nearest mount, and the one that covers others', (path, type) => {
  expect(mountAbove(path, MOUNTS)?.type).toBe(type);
});

test('a path above every mount lies on none', () => {
  expect(mountAbove('/', parseMounts('tmpfs /tmp tmpfs rw 0 0'))).toBeUndefined();
});

test('below a folder are the mounts on it and in it, and not those of its neighbour', () => {
  expect(points(mountsBelow('/fsx/inside', MOUNTS))).toEqual(['/fsx/inside']);
  expect(points(mountsBelow('/fsx', MOUNTS))).toEqual(['/fsx', '/fsx', '/fsx/in side\\x', '/fsx/inside']);
  expect(points(mountsBelow('/', MOUNTS))).toHaveLength(5);
  expect(mountsBelow('/fs', MOUNTS)).toEqual([]);
});

test("this computer's own table is read whole", () => {
  const lines = readFileSync('/proc/self/mounts', 'utf8').trim().split('\n');
  expect(readMounts()).toHaveLength(lines.length);
  expect(mountAbove('/proc/self')?.type).toBe('proc');
});

/** The elements and the rest of a document that comes in pieces of so many bytes, each in the place of the one before. */
function elements(text: string, size: number, most = 1e6): { elements: string[]; rest: string } {
  const bytes = Buffer.from(text);
  const buffer = Buffer.alloc(size);
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += size)
      yield buffer.subarray(0, bytes.copy(buffer, 0, at, Math.min(bytes.length, at + size)));
  }
  const found = jsonElements(pieces(), 'series', most);
  const own: string[] = [];
  let next = found.next();
  for (; !next.done; next = found.next()) own.push(next.value);
  return { elements: own, rest: next.value };
}

const HARD = {
  window: { from: 'a', series: ['not', 'these'] },
  'x"series"': [1],
  series: [{ name: '}],"\\ é€😀', points: [['t', 1.5e-7], []] }, [], {}, 'text, "series":[', -1, null],
  after: [[{ series: [2] }]],
};

test.each([1, 2, 7, 100, 10_000])('a document in pieces of %d bytes is that of JSON.parse', (size) => {
  for (const indent of [undefined, 2]) {
    const found = elements(JSON.stringify(HARD, null, indent), size);
    expect(found.elements.map((one) => JSON.parse(one))).toEqual(HARD.series);
    expect(JSON.parse(found.rest)).toEqual({ ...HARD, series: [] });
  }
});

test.each(['{"series":[]}', '{ "series" : [ ] , "a": 1 }', '{"a":1}', '[1]', '7'])('%s has no elements', (text) => {
  const { elements: none, rest } = elements(text, 3);
  expect([none, JSON.parse(rest)]).toEqual([[], JSON.parse(text)]);
});

test.each([
  '{"series":[1,',
  '{"series":[1',
  '{"series":[1,]}',
  '{"series":[,1]}',
  '{"series":[1}}',
  '{"series":[1]',
  '',
  '{"series":["1]}',
])('what is not JSON comes out as such: %s', (text) => {
  const { elements: own, rest } = elements(text, 4);
  expect(() => [...own, rest].map((one) => JSON.parse(one))).toThrow(SyntaxError);
});

test('an element or a rest that is larger than allowed is refused, not kept', () => {
  expect(elements(`{"series":[${'1,'.repeat(1000)}1]}`, 10, 100).elements).toHaveLength(1001);
  for (const text of [`{"series":["${'x'.repeat(100)}"]}`, `{"other":"${'x'.repeat(100)}"}`])
    expect(() => elements(text, 10, 100)).toThrow(RangeError);
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of started.splice(0)) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
});

/** Starts a shell in a separate process group; returns the number that it prints. */
async function numberFrom(script: string): Promise<number> {
  const child = spawn('bash', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  return Number(await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve)));
}

test('a process that ended is dead although nobody has waited for it', async () => {
  const pid = await numberFrom('sleep 600 & echo $!; exec sleep 600');
  const before = await until('its program', () => (statOf(pid)?.name === 'sleep' && statOf(pid)) || undefined);
  // As long as its parent is a shell, that asks for its end.
  await until('its parent', () => statOf(started[0]?.pid as number)?.name === 'sleep');
  process.kill(pid, 'SIGKILL');
  // There it is for ever: its parent never asks.
  await until('the zombie', () => /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
  process.kill(pid, 0);
  expect(statOf(pid)).toBeNull();
  expect(isRunning(before)).toBe(false);
});

test('a process is known by what it is called, its parent, its group and its state, whatever its name holds', async () => {
  const pid = await numberFrom(
    'd=$(mktemp -d); cp "$(command -v sleep)" "$d/a) Z 1 ("; "$d/a) Z 1 (" 600 & echo $!; sleep 600; rm -r "$d"',
  );
  await until('the program', () => statOf(pid)?.name === 'a) Z 1 (');
  expect(statOf(pid)).toMatchObject({ pid, parent: started[0]?.pid, group: started[0]?.pid });
  await until('its sleep', () => statOf(pid)?.state === 'S');
  process.kill(pid, 'SIGSTOP');
  await until('its stop', () => statOf(pid)?.state === 'T');
});

test('a number that no process has is nothing', () => {
  expect(statOf(2 ** 30)).toBeNull();
  expect(isRunning({ pid: process.pid, startTicks: '1' })).toBe(false);
});
