import type { ParseDocument } from '../../schema/parse';
import { askedOf, dataOfClients, optionOf } from '../common/asked';
import {
  accessTo,
  binarySize,
  cacheMemory,
  humanBytes,
  needing,
  wholeNumber,
  wordBeginning,
} from '../common/lint/access';
import {
  type Edit,
  edited,
  type LintedFile,
  type LintedTool,
  type LintFinding,
  type LintRule,
  type Options,
  readOptions,
  rule,
} from '../common/lint/rule';
import { type IniSection, iniSections, quote, type ShellWord } from '../common/lint/shell';
import { countedRate, ends, FILES, type Measured, printedValues, READ, WRITE } from '../common/measured';
import type { FilesPhase, Workload } from '../workload';
import { fioCommand, fioPattern, knownFioPattern } from './command';
import { isFioJson, parseFioJson } from './json';
import names from './options.json';
import { isFioText, parseFioText } from './text';

/** Options of fio 3.33: those of jobs (its help on commands), of the command line (`fio --help`), other names of them, and those of common engines. */
const NAMES: ReadonlySet<string> = new Set(names);

/** Options without a value: the word after them is not theirs. Anything else may be given as `--name value`. */
const FLAGS = new Set([
  ...['group_reporting', 'refill_buffers', 'time_based', 'thread', 'end_fsync', 'stonewall', 'readonly', 'minimal'],
  ...['zero_buffers', 'scramble_buffers', 'norandommap', 'direct', 'invalidate', 'create_on_open', 'unlink'],
  ...['eta-newline', 'showcmd', 'parse-only', 'help', 'version', 'append-terse'],
]);

/** fio takes its options with one dash, too (getopt_long_only): `-name=data` is `--name=data`. */
const doubled = (word: ShellWord): ShellWord =>
  /^-[a-z][\w-]/.test(word.value) ? { ...word, value: `-${word.value}` } : word;

const fioOptions = (words: readonly ShellWord[]): Options =>
  readOptions(words.map(doubled), '', (name) => !FLAGS.has(name));

/** The option that a misspelt name is nearest to; `null` for a name that fio knows, or that is near to none. */
export function misspelt(name: string): string | null {
  const own = name.replaceAll('-', '_');
  if (NAMES.has(name) || NAMES.has(own)) return null;
  const near = [...NAMES].filter((each) => isNear(own, each));
  return near.length === 1 ? (near[0] as string) : (near.find((each) => each.length === own.length) ?? near[0] ?? null);
}

/** True for two names that differ by one letter that is left out, added or replaced, or by two that are swapped. */
function isNear(one: string, other: string): boolean {
  if (one.length < 3 || Math.abs(one.length - other.length) > 1) return false;
  let from = 0;
  while (one[from] !== undefined && one[from] === other[from]) from += 1;
  const rest = (text: string, skipped: number): string => text.slice(from + skipped);
  return (
    rest(one, 1) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0) ||
    rest(one, 0) === rest(other, 1) ||
    (one[from] === other[from + 1] && one[from + 1] === other[from] && rest(one, 2) === rest(other, 2))
  );
}

const on = ({ options }: LintedTool, name: string): boolean =>
  options.has(name) && !/^(0|false|no)$/.test(options.value(name) ?? '1');
const writes = ({ options }: LintedTool): boolean =>
  /write|rw/.test(options.value('rw') ?? options.value('readwrite') ?? '');
const behindAll = ({ options, programWord }: LintedTool, add: string): Edit => ({
  after: options.given.at(-1)?.words.at(-1) ?? programWord,
  add,
});
const add = (subject: LintedTool, text: string): string => edited(subject.command, [behindAll(subject, text)]);

function editOf(subject: LintedTool, name: string, value: string): Edit {
  const [first, second] = subject.options.get(name)?.words ?? [];
  if (first === undefined) return behindAll(subject, `--${name}=${value}`);
  return second ? { replace: second, by: value } : { replace: first, by: `--${name}=${value}` };
}

const withValue = (subject: LintedTool, name: string, value: string): string =>
  edited(subject.command, [editOf(subject, name, value)]);

const sizeOf = ({ options }: LintedTool): number | null =>
  binarySize(options.value('size') ?? options.value('filesize'));

/** Bytes of all jobs of one fio; `null` if unknown. */
function bytesOf(subject: LintedTool): number | null {
  const size = sizeOf(subject);
  return size === null ? null : size * (wholeNumber(subject.options.value('numjobs') ?? '1') ?? 1);
}

const COMPRESSIBLE = '--buffer_compress_percentage=40 --buffer_compress_chunk=4k';

const FIO_RULES: readonly LintRule[] = [
  rule('fio-unknown-option', 'error', (subject) => {
    const found = subject.options.given.find(({ name }) => misspelt(name) !== null);
    const [word] = found?.words ?? [];
    if (found === undefined || word === undefined) return null;
    const right = misspelt(found.name) as string;
    return {
      message: `fio has no option '${found.name}' and refuses to start; the nearest is '${right}'.`,
      suggestion: edited(subject.command, [{ replace: word, by: word.value.replace(found.name, right) }]),
    };
  }),

  needing({ id: 'fio-needs-rewriting', ability: 'rewriting' }, (subject) => {
    const { options } = subject;
    if (!writes(subject)) return null;
    const kind = options.value('rw') ?? options.value('readwrite') ?? '';
    if (!/^write\b/.test(kind)) return { does: `rw=${kind} writes anywhere in a file`, suggestion: null };
    if (options.has('filename') && (options.value('numjobs') ?? '1') !== '1')
      return { does: 'With one filename all jobs write the same file', suggestion: null };
    return on(subject, 'create_on_open')
      ? null
      : {
          does: 'Without create_on_open fio makes each file first and opens it again to write it',
          suggestion: add(subject, '--create_on_open=1'),
        };
  }),

  rule('fio-constant-data', 'error', (subject) => {
    if (!writes(subject) || subject.context.compresses === false) return null;
    const what = on(subject, 'zero_buffers') ? 'zero_buffers' : 'buffer_pattern';
    const option = subject.options.get(what);
    if (option === null) return null;
    return {
      message: `With ${what} a compressing file system stores next to nothing: the result says nothing about real data.`,
      suggestion: edited(subject.command, [
        { after: subject.programWord, add: `--refill_buffers ${COMPRESSIBLE}` },
        { remove: option.words },
      ]),
    };
  }),

  rule('fio-missing-fsync', 'warning', (subject) => {
    if (!writes(subject) || on(subject, 'direct') || on(subject, 'sync')) return null;
    if (['end_fsync', 'fsync_on_close', 'fsync', 'fdatasync'].some((name) => on(subject, name))) return null;
    return {
      message: "A buffered write without end_fsync stops the clock while data are still in the client's memory.",
      suggestion: add(subject, '--end_fsync=1'),
    };
  }),

  rule('fio-missing-refill-buffers', 'warning', (subject) => {
    const compressible = writes(subject) && subject.options.has('buffer_compress_percentage');
    if (!compressible || on(subject, 'refill_buffers')) return null;
    return {
      message:
        'Without refill_buffers fio writes the same few buffers repeatedly: compression exploits that, and the ratio is not the requested one.',
      suggestion: add(subject, '--refill_buffers'),
    };
  }),

  rule('fio-missing-compress-chunk', 'note', (subject) => {
    const compressible = writes(subject) && subject.options.has('buffer_compress_percentage');
    if (!compressible || subject.options.has('buffer_compress_chunk')) return null;
    return {
      message:
        'Without buffer_compress_chunk the compressible part is a single piece of each block: the ratio depends on the record size.',
      suggestion: add(subject, '--buffer_compress_chunk=4k'),
    };
  }),

  rule('fio-time-based-goes-round', 'warning', (subject) => {
    const { options, context } = subject;
    const bytes = bytesOf(subject);
    const memory = context.clientMemoryBytes ?? 64 * 2 ** 30;
    if (!on(subject, 'time_based') || bytes === null || bytes > memory) return null;
    const against =
      context.clientMemoryBytes === undefined ? 'the memory of most clients' : `the client's ${humanBytes(memory)}`;
    return {
      message: `time_based cycles through the same ${humanBytes(bytes)}, which fit into ${against}: this measures caches.`,
      suggestion: edited(subject.command, [{ remove: options.get('time_based')?.words ?? [] }]),
    };
  }),

  rule('data-fit-in-memory', 'warning', (subject) => {
    const { clients = 1 } = subject.context;
    const own = bytesOf(subject);
    const memory = cacheMemory(subject.context, on(subject, 'direct'));
    if (memory === null || own === null || on(subject, 'time_based')) return null;
    const bytes = own * (subject.launcher ? (subject.ranks ?? 1) : clients);
    if (bytes > memory.bytes) return null;
    const size = sizeOf(subject) ?? 0;
    return {
      message: `At most ${humanBytes(bytes)} are moved, which fit into ${memory.words}: this measures a cache.`,
      suggestion: withValue(
        subject,
        subject.options.has('size') ? 'size' : 'filesize',
        `${Math.ceil((2 * memory.bytes * (size / bytes)) / 2 ** 30)}g`,
      ),
    };
  }),

  rule('fio-iodepth-without-effect', 'warning', (subject) => {
    const { options } = subject;
    const depth = wholeNumber(options.value('iodepth'));
    const engine = options.value('ioengine') ?? 'psync';
    if (depth === null || depth < 2 || !/^(p?v?sync2?|pvsync2?|mmap)$/.test(engine)) return null;
    return {
      message: `The engine ${engine} is synchronous: iodepth=${depth} has no effect.`,
      suggestion: edited(subject.command, [
        editOf(subject, 'ioengine', 'libaio'),
        ...(on(subject, 'direct') ? [] : [editOf(subject, 'direct', '1')]),
      ]),
    };
  }),

  /** Linux queues only what passes the page cache by (https://fio.readthedocs.io/en/latest/fio_doc.html, libaio). */
  rule('fio-libaio-buffered', 'warning', (subject) => {
    const depth = wholeNumber(subject.options.value('iodepth'));
    if (subject.options.value('ioengine') !== 'libaio' || on(subject, 'direct')) return null;
    const queue = depth === null || depth < 2 ? '' : `, and iodepth=${depth} has no effect`;
    return {
      message: `libaio without direct=1 is synchronous${queue}: Linux queues only I/O that bypasses the page cache.`,
      suggestion: withValue(subject, 'direct', '1'),
    };
  }),

  rule('fio-job-file', 'note', ({ options }) => {
    const [file] = options.rest;
    return (
      file !== undefined &&
      options.get('rw') === null && {
        message: `The job file '${file.value}' was not checked.`,
        suggestion: `npx fsxbench lint --file ${file.value} checks it`,
      }
    );
  }),
];

/** Combined values of all clients: their bytes or files, divided by the time of the slowest. fio reports a client's processes as one. */
const fioValues: Workload['values'] = (_, { id, on }, documents) =>
  on === 'data' ? dataValues(id, documents) : filesValues(id, documents);

/** Percentiles do not add up: the worst client's stands for all. */
const PERCENTILES = ['completion_latency_p50', 'completion_latency_p99', 'completion_latency_p99.9'] as const;

function dataValues(operation: string, documents: readonly ParseDocument[]): Measured[] {
  const all = printedValues(documents, operation);
  const runtimes = all('runtime');
  return [
    ...dataOfClients(operation, all('bytes'), runtimes),
    ...PERCENTILES.flatMap((metric): Measured[] => {
      const found = all(metric);
      const worst = Math.max(...found);
      // A latency that one client lacks is unknown for all; the other figures remain.
      return found.length < runtimes.length || !Number.isFinite(worst)
        ? []
        : [{ operation, metric, value: worst, unit: 's' }];
    }),
  ];
}

function filesValues(operation: string, documents: readonly ParseDocument[]): Measured[] {
  const all = printedValues(documents, operation);
  const files = all('ios').reduce((sum, value) => sum + value, 0);
  const seconds = Math.max(...all('runtime'), 0);
  if (!(files > 0 && seconds > 0)) return [];
  return [
    ...countedRate({ operation, iteration: null }, files / seconds, files),
    ...(documents.length < 2 ? [] : ends({ operation }, Math.min(...all('runtime')), seconds)),
  ];
}

const ENGINES = { create: 'filecreate', stat: 'filestat', remove: 'filedelete' } as const;

/**
 * fio's file engines as a substitute for mdtest, for one client and round. None opens files; created files are empty, though fio requires a `filesize`;
 * all jobs share a directory. @throws Error for an operation without an engine, which plans never request
 */
function fioFilesCommand(operation: FilesPhase['operation'], files: number, jobs: number): string[] {
  if (operation === 'read') throw new Error("fio's 'operation' on files must be create, stat or remove, got 'read'");
  return [
    ...['fio', '--name=files', `--ioengine=${ENGINES[operation]}`, '--directory={dir}'],
    ...['--filename_format=round{round}.client{client}.$jobnum.$filenum', `--nrfiles=${files}`, '--filesize=4k'],
    ...['--openfiles=1', '--create_on_open=1', '--fallocate=none', '--thread', `--numjobs=${jobs}`],
    ...['--group_reporting', '--output-format=json'],
  ];
}

/** fio: data of any compressibility, and file operations, by the processes of each client. */
export const fio: Workload = {
  id: 'fio',
  label: 'fio',
  // fio(1), `directory`.
  launch: { by: 'each-client', separators: ':' },
  version: { argv: ['fio', '--version'], version: /^fio-([\w.-]+)/m },
  installed: { uses: ['fio'], without: null },
  operations: [WRITE, READ, FILES.create, FILES.stat, FILES.remove],
  stragglers: ({ clients }) =>
    clients < 2 ? 'fio reports the processes of a client as one, and there was one client' : null,
  // `runtime` counts milliseconds.
  clockStep: 0.001,
  values: fioValues,
  data: {
    ofRatio: (target) => {
      const pattern = fioPattern(target);
      return pattern && { pattern, command: (phase) => fioCommand({ ...phase, percent: pattern.percent }) };
    },
    knownPattern: knownFioPattern,
    asked: (command) => {
      const files = optionOf(command, '--nrfiles');
      const sizes = files === undefined ? [optionOf(command, '--size')] : [files, optionOf(command, '--filesize')];
      return askedOf(sizes, optionOf(command, '--runtime'));
    },
  },
  files: {
    fills: false,
    command: ({ operation, count, processesPerClient }) => fioFilesCommand(operation, count, processesPerClient),
  },
  formats: [
    { recognizes: isFioJson, parse: parseFioJson, form: 'json' },
    { recognizes: isFioText, parse: parseFioText },
  ],
  lint: {
    options: fioOptions,
    rules: FIO_RULES,
    file: fioFile,
    access: (launched) => {
      const { word, prefix } = wordBeginning(launched, '--directory=', '--filename=');
      const kind = wordBeginning(launched, '--rw=', '--readwrite=').word?.value.split('=')[1] ?? 'read';
      return accessTo(launched, word, prefix, !/^(rand)?read$/.test(kind));
    },
  },
};

/** The jobs of a job file as commands, each with what `global` says before it; `null` for another text. */
function fioFile(text: string): LintedFile | null {
  const sections = iniSections(text);
  if (sections === null || !sections.some(({ options }) => options.some(([name]) => /^(?:rw|readwrite)$/.test(name))))
    return null;
  const global: string[] = [];
  const commands = sections.flatMap(({ name, line, options }) => {
    const words = options.map(([key, value]) => `--${key}${value === null ? '' : `=${value}`}`);
    if (name === 'global') global.push(...words);
    return name === 'global'
      ? []
      : [{ command: ['fio', `--name=${name}`, ...global, ...words].map(quote).join(' '), line }];
  });
  return { commands, findings: [jobsAtOnce(sections)].flat() };
}

/** Jobs of a file that write while others read: without `stonewall` or `wait_for` fio starts all at once. */
function jobsAtOnce(sections: readonly IniSection[]): LintFinding | [] {
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
  return {
    id: 'fio-jobs-at-once',
    severity: 'warning',
    message: `Jobs that write and jobs that read run at the same time: '${found.name}' does not wait for the job before it.`,
    suggestion: `add stonewall to [${found.name}]`,
    line: found.line,
  };
}
