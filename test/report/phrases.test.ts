import { past } from '../../lib/report/title';

test.each([
  [{ id: 'write' }, 'wrote'],
  [{ id: 'write', fileBytes: 2 ** 25, threads: 4 }, 'wrote files of 32 MiB by 4 threads'],
  [{ id: 'file_create', fileBytes: 4096 }, 'created files of 4 KiB'],
  [{ id: 'dir_rename' }, 'renamed directories'],
  // Those of one tool alone bring their verb with them.
  [{ id: 'stream_write' }, 'wrote streams'],
  [{ id: 'second_read' }, 'read again'],
  // Of another release, or of an output that no plan asks for.
  [{ id: 'random_write' }, 'did random write'],
])('%j is said as "%s"', (kind, words) => {
  expect(past(kind)).toBe(words);
});
