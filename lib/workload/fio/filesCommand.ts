import type { FilesPhase } from '../workload';

const ENGINES = { create: 'filecreate', stat: 'filestat', remove: 'filedelete' } as const;

/**
 * Where mdtest is not there: fio's engines for files, for one client and one round. They have no engine for opening files, and create
 * empty ones; all jobs share one directory. `filesize` is not written: fio wants one, and a size that it would not fill up.
 *
 * @throws Error for an operation without an engine: a plan does not ask for it
 */
export function fioFilesCommand(operation: FilesPhase['operation'], files: number, jobs: number): string[] {
  if (operation === 'read') throw new Error("fio's 'operation' on files must be create, stat or remove, got 'read'");
  return [
    'fio',
    '--name=files',
    `--ioengine=${ENGINES[operation]}`,
    '--directory={dir}',
    '--filename_format=round{round}.client{client}.$jobnum.$filenum',
    `--nrfiles=${files}`,
    '--filesize=4k',
    '--openfiles=1',
    '--create_on_open=1',
    '--fallocate=none',
    '--thread',
    `--numjobs=${jobs}`,
    '--group_reporting',
    '--output-format=json',
  ];
}
