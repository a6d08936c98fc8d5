import { askedOf, optionOf } from '../common/asked';
import { accessTo, wordBeginning } from '../common/lint/access';
import type { LintFinding } from '../common/lint/finding';
import { type IniSection, iniSections } from '../common/lint/ini';
import { quote } from '../common/lint/shell';
import { filesOperations, READ, WRITE } from '../common/operations';
import type { FileCommand } from '../tool';
import type { FilesPhase, Workload } from '../workload';
import { FIO_DATA, fioCommand, fioSmallFilesCommand } from './command';
import { isFioJson, parseFioJson } from './json';
import { FIO_RULES } from './lint';
import { fioOptions } from './options';
import { isFioText, parseFioText } from './text';
import { fioValues } from './values';

const ENGINES = { create: 'filecreate', stat: 'filestat', remove: 'filedelete' } as const;

/**
 * fio's file engines as a substitute for mdtest, for one client and one round. There is no engine that opens files; created files
 * are empty; all jobs share one directory. fio requires a `filesize` but does not write it.
 *
 * @throws Error for an operation without an engine, which plans never request
 */
function fioFilesCommand(operation: FilesPhase['operation'], files: number, jobs: number): string[] {
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

// The bytes that it counts for file operations are not used.
const files = filesOperations(['fictitious_bytes']);

/** fio: data of any compressibility, and file operations, by the processes of each client. */
export const fio: Workload = {
  id: 'fio',
  label: 'fio',
  // fio(1), `directory`.
  launch: { by: 'each-client', separators: ':' },
  version: { argv: ['fio', '--version'], version: /^fio-([\w.-]+)/m, builds: true },
  installed: { uses: ['fio'], without: null, argv: ['fio', '--version'] },
  operations: [WRITE, READ, files.create, files.stat, files.remove],
  reports: {
    processes: true,
    machines: { silent: 'each client runs it by itself' },
    bytes: true,
    // `runtime` counts milliseconds.
    clockStep: 0.001,
    stragglers: {
      of: 'clients',
      silence: ({ clients }) =>
        clients < 2 ? 'fio reports the processes of a client as one, and there was one client' : null,
    },
  },
  values: fioValues,
  data: {
    maxTarget: FIO_DATA.maxTarget,
    ofRatio: (target) => {
      const pattern = FIO_DATA.ofRatio(target);
      return (
        pattern && {
          pattern,
          command: ({ operation, seconds, maxBytesPerProcess, processesPerClient, direct }) =>
            fioCommand({
              operation,
              seconds,
              direct,
              percent: pattern.percent,
              maxBytesPerJob: maxBytesPerProcess,
              jobs: processesPerClient,
            }),
          ofSmallFiles: (phase) => fioSmallFilesCommand({ ...phase, percent: pattern.percent }),
        }
      );
    },
    knownPattern: (id) => FIO_DATA.known(id),
    asked: (command) => {
      const files = optionOf(command, '--nrfiles');
      const sizes = files === undefined ? [optionOf(command, '--size')] : [files, optionOf(command, '--filesize')];
      return askedOf(sizes, optionOf(command, '--runtime'));
    },
  },
  files: {
    operations: { files: ['create', 'stat', 'remove'], directories: [] },
    fills: false,
    command: ({ operation, count, processesPerClient }) => fioFilesCommand(operation, count, processesPerClient),
    standsIn: {
      as: 'fio filecreate, filestat and filedelete',
      message: 'no phase that opens files, empty files only, and no MPI barrier between processes',
    },
  },
  output: {
    formats: [
      { recognizes: isFioJson, parse: parseFioJson, ofJson: true, byElement: true },
      { recognizes: isFioText, unless: isFioJson, parse: parseFioText },
    ],
  },
  lint: {
    options: fioOptions,
    rules: FIO_RULES,
    commandsOf: fioCommands,
    fileFindings: jobsAtOnce,
    versionedName: true,
    access: (launched) => {
      const { word, prefix } = wordBeginning(launched, '--directory=', '--filename=');
      const kind = wordBeginning(launched, '--rw=', '--readwrite=').word?.value.split('=')[1] ?? 'read';
      return accessTo(launched, word, prefix, !/^(rand)?read$/.test(kind));
    },
  },
};

/** The jobs of a job file as commands, each with what `global` says before it; `null` for another text. */
function fioCommands(text: string): FileCommand[] | null {
  const sections = iniSections(text);
  if (sections === null || !sections.some(({ options }) => options.some(([name]) => /^(?:rw|readwrite)$/.test(name))))
    return null;
  const global: string[] = [];
  return sections.flatMap(({ name, line, options }) => {
    const words = options.map(([key, value]) => `--${key}${value === null ? '' : `=${value}`}`);
    if (name === 'global') global.push(...words);
    return name === 'global'
      ? []
      : [{ command: ['fio', `--name=${name}`, ...global, ...words].map(quote).join(' '), line }];
  });
}

/** Jobs of a file that write while others read: without `stonewall` or `wait_for` fio starts all at once. */
function jobsAtOnce(text: string): LintFinding[] {
  const sections = iniSections(text) ?? [];
  const shared = sections.find(({ name }) => name === 'global')?.options ?? [];
  const kindOf = ({ options }: IniSection): string =>
    [...shared, ...options].findLast(([key]) => /^(?:rw|readwrite)$/.test(key))?.[1] ?? 'read';
  const waits = ({ options }: IniSection): boolean =>
    [...shared, ...options].some(
      ([key, value]) => /^(?:stonewall|wait_for|startdelay|new_group_wait)$/.test(key) && value !== '0',
    );
  const jobs = sections.filter(({ name }) => name !== 'global');
  const found = jobs.find((job, at) => {
    const before = jobs[at - 1];
    if (before === undefined || waits(job)) return false;
    return /write/.test(kindOf(job)) !== /write/.test(kindOf(before));
  });
  if (found === undefined) return [];
  return [
    {
      id: 'fio-jobs-at-once',
      severity: 'warning',
      message: `Jobs that write and jobs that read run at the same time: '${found.name}' does not wait for the job before it.`,
      suggestion: `add stonewall to [${found.name}]`,
      line: found.line,
    },
  ];
}
