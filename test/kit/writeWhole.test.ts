import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../lib/kit/writeWhole';
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
    require('${join(__dirname, '../../lib/kit/writeWhole.ts')}').writeWhole(process.argv[1], 'through');`;
  const command = 'mkfifo "$1" && { node -e "$2" "$1" & cat "$1"; wait; test -p "$1"; }';
  const { stdout, stderr, status } = spawnSync('bash', ['-c', command, 'pipe', path, script], { encoding: 'utf8' });
  expect([stdout, stderr, status]).toEqual(['through', '', 0]);
});

test('a folder in its place is named in the error', () => {
  const folder = temporaryFolder();
  expect(() => writeWhole(folder, 'x')).toThrow(`'${folder}' cannot be written: EISDIR`);
});
