import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { writeStreamed, writeWhole } from '../../lib/common/writeWhole';
import { temporaryFolder } from '../run/bench';

test('the folder is made, and a file keeps its mode', () => {
  const path = join(temporaryFolder(), 'a/b/page.html');
  writeWhole(path, 'one');
  chmodSync(path, 0o600);
  writeWhole(path, 'two');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['two', 0o600]);
});

test('a link stays, and the file that it leads to is written', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'there'));
  const [link, file] = [join(folder, 'link'), join(folder, 'there', 'file')];
  writeFileSync(file, 'one');
  symlinkSync(file, link);
  writeWhole(link, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(join(folder, 'there'))).toEqual(['file']);
  expect(readdirSync(folder, { withFileTypes: true }).filter((one) => one.isSymbolicLink())).toHaveLength(1);
});

test('a pipe is written to, not replaced', () => {
  const path = join(temporaryFolder(), 'pipe');
  const script = `require('ts-node').register({ transpileOnly: true });
    require('${join(__dirname, '../../lib/common/writeWhole.ts')}').writeWhole(process.argv[1], 'through');`;
  const command = 'mkfifo "$1" && { node -e "$2" "$1" & cat "$1"; wait; test -p "$1"; }';
  const { stdout, stderr, status } = spawnSync('bash', ['-c', command, 'pipe', path, script], { encoding: 'utf8' });
  expect([stdout, stderr, status]).toEqual(['through', '', 0]);
});

/** Root needs no namespace of users, which the kernel refuses to whoever sits in a chroot. */
const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
const inNamespace = ['unshare', ...asRoot, '--mount'] as const;
const mayMount = spawnSync(inNamespace[0], [...inNamespace.slice(1), 'true']).status === 0;

(mayMount ? test : test.skip)('a file system that is read-only is called so, whatever folder is missing there', () => {
  const folder = temporaryFolder();
  const script = `require('ts-node').register({ transpileOnly: true });
    require('${join(__dirname, '../../lib/common/writeWhole.ts')}').writeWhole(process.argv[1], 'x');`;
  const command = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && exec node -e "$2" "$1/a/b/page.html"';
  const [program, ...options] = [...inNamespace, 'bash', '-c', command, 'ro', folder, script];
  const { stderr } = spawnSync(program, options, { encoding: 'utf8' });
  expect(stderr).toContain(`'${folder}/a/b/page.html' cannot be written: EROFS: read-only file system`);
});

test('a folder in its place is named in the error', () => {
  const folder = temporaryFolder();
  expect(() => writeWhole(folder, 'x')).toThrow(`'${folder}' cannot be written: EISDIR`);
});

describe('content that comes in parts', () => {
  const parts = (): Readable => Readable.from(['one', 'two']);

  test('leaves a file its mode, and a link its place', async () => {
    const folder = temporaryFolder();
    const [link, file] = [join(folder, 'link'), join(folder, 'file')];
    writeFileSync(file, 'before', { mode: 0o600 });
    symlinkSync(file, link);
    await writeStreamed(link, parts());
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['onetwo', 0o600]);
    expect(readdirSync(folder)).toEqual(['file', 'link']);
  });

  test('is written to a pipe, which stays one', async () => {
    const path = join(temporaryFolder(), 'pipe');
    spawnSync('mkfifo', [path]);
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const read = reader.stdout.setEncoding('utf8').toArray();
    try {
      await writeStreamed(path, parts());
      expect(statSync(path).isFIFO()).toBe(true);
      expect((await read).join('')).toBe('onetwo');
    } finally {
      reader.kill();
    }
  });

  test.each([
    ['is too short', { min: 7 }, 'only 6 of 7 bytes came; repeat the command'],
    ['is not accepted', { accept: (draft: string) => readFileSync(draft, 'utf8') !== 'onetwo' }, null],
  ])('takes no file’s place where it %s', async (_, options, message) => {
    const folder = temporaryFolder();
    const path = join(folder, 'file');
    writeFileSync(path, 'before');
    const written = await writeStreamed(path, parts(), options).catch((error: Error) => error.message);
    expect(written).toEqual(message === null ? undefined : `'${path}' cannot be written: ${message}`);
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['before', ['file']]);
  });
});
