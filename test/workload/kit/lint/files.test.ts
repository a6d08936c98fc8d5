import { has, NEEDS } from '../../../lint/faults';

test.each(NEEDS)('%s: `%s` but not `%s`, and neither on POSIX', (id, faulty, sound) => {
  const files = { lacks: ['rewriting', 'renaming', 'lasting-directories'], source: 'https://files.example' } as const;
  const found = has(faulty, id, { files });
  expect(found).toMatchObject({ severity: 'error', message: expect.stringContaining('https://files.example') });
  expect(has(sound, id, { files })).toBeUndefined();
  expect(has(faulty, id)).toBeUndefined();
  if (found?.suggestion) expect(has(found.suggestion, id, { files })).toBeUndefined();
});
