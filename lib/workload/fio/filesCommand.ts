import type { FilesPhase } from '../workload';

const ENGINES = { create: 'filecreate', stat: 'filestat', remove: 'filedelete' } as const;

/**
 * fio's file engines as a substitute for mdtest, for one client and one round. There is no engine that opens files; created files
 * are empty; all jobs share one directory. fio requires a `filesize` but does not write it.
 *
 * @throws Error for an operation without an engine, which plans never request
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
