import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { commandLine, shellWord } from '../../../lib/common/format/text';

test('a command line is what somebody would type: bare words as they are, others in quotes', () =>
  expect(commandLine(['fio', '--size=1G', '/mnt/a b', '*', "it's", ''])).toBe(
    "fio --size=1G '/mnt/a b' '*' 'it'\\''s' ''",
  ));

test('whatever the words, a shell reads them as they were', () => {
  const words = fc.sample(fc.string({ unit: 'binary-ascii', maxLength: 8 }), { numRuns: 500, seed: 7 });
  const sayable = [
    ...words.map((word) => word.replaceAll('\0', '')),
    '~',
    '$HOME',
    '`id`',
    'a\nb',
    '!x',
    'é;',
    '{a,b}',
  ];
  const script = `printf '%s\\0' ${sayable.map(shellWord).join(' ')}`;
  expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(sayable);
});
