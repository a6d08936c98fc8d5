import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import { casesOf, FIXTURES } from './corpus';
import { expectedVerdict, verdictOf } from './verdict';

const FIELDS: Readonly<Record<string, string>> = {
  seconds: 'wall_s',
  user_seconds: 'user_s',
  system_seconds: 'system_s',
  bytes_read: 'read_bytes',
  bytes_written: 'written_bytes',
  exit_status: 'exit_status',
};

test.each(casesOf('command', 'command-of-a-tool'))('$id gives its times, bytes and status', ({ path, expected }) => {
  const document = parseFile(path);
  expect(document.tool).toBe('command');
  expect(verdictOf(document, expected)).toEqual(expectedVerdict(expected));
  expect(document.samples.map(({ metric, value }) => [FIELDS[metric], value])).toEqual(
    Object.entries(expected.figures),
  );
  for (const { value, reason } of document.samples)
    expect(value === null ? reason : 'a value').toBe(value === null ? 'not reported by the kernel' : 'a value');
});

test('what the program itself printed is not its measurement: dd in it is no dd', () => {
  const path = join(FIXTURES, 'command_dd_inside.out');
  expect(parseFile(path).samples.map(({ operation }) => operation)).toEqual(Array(6).fill('run'));
});

test('talk of errors is the program’s own, and its status decides', () => {
  const measured = readFileSync(join(FIXTURES, 'command_cp_verbose.out'), 'utf8');
  const document = parseText('x.out', `ERROR: No space left on device\n${measured}`);
  expect(document).toMatchObject({ complete: true, valid: true, problems: [] });
});

test.each([
  ['a line that is cut', '{"schema":"fsxbench.command/1","exit_status":0,"wall_s":1.2'],
  ['a line before the end', '{"schema":"fsxbench.command/1","exit_status":0,"wall_s":1.2}\nmore\n'],
])('%s is no measurement', (_, text) => {
  expect(parseText('x.out', text, undefined, '', 'command')).toMatchObject({
    complete: false,
    valid: false,
    samples: [],
  });
});

test('a figure that is no number is null with its reason', () => {
  const text = '{"schema":"fsxbench.command/1","exit_status":0,"wall_s":"soon","user_s":-1}\n';
  const { samples } = parseText('x.out', text, undefined, '', 'command');
  expect(samples.map(({ value }) => value)).toEqual([null, null, null, null, null, 0]);
  for (const { value, reason } of samples) expect(reason).toBe(value === null ? 'not printed' : undefined);
});
