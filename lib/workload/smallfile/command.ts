import type { FilesPhase } from '../workload';

const OPERATIONS = { create: 'create', stat: 'stat', read: 'read', remove: 'delete' } as const;

/** smallfile takes sizes of files in KiB. */
export const FILE_BYTES_STEP = 1024;

/**
 * smallfile's arguments for one operation on one client and one round (tried with 3.2).
 *
 * - `--stonewall N`: else a phase ends with the first thread, and part of the files are not counted.
 * - `--network-sync-dir`: the clients do not wait for each other, and must not clean up one directory.
 * - Below `--top` each client has a directory by its host name, and each thread one in it.
 */
export function smallfileCommand({ operation, count, fileBytes, processesPerClient }: FilesPhase): string[] {
  return [
    'smallfile_cli.py',
    ...['--top', '{dir}', '--network-sync-dir', '{dir}/sync.client{client}', '--prefix', 'round{round}.'],
    ...['--operation', OPERATIONS[operation], '--threads', String(processesPerClient), '--files', String(count)],
    ...['--files-per-dir', String(count), '--file-size', String(fileBytes / FILE_BYTES_STEP), '--stonewall', 'N'],
  ];
}
