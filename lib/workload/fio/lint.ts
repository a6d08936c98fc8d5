import { type Edit, edited } from '../common/lint/edit';
import { needing } from '../common/lint/files';
import { cacheMemory } from '../common/lint/memory';
import { type LintedTool, type LintRule, rule } from '../common/lint/rule';
import { binarySize, humanBytes, wholeNumber } from '../common/lint/size';
import { misspelt } from './options';

const on = ({ options }: LintedTool, name: string): boolean =>
  options.has(name) && !/^(0|false|no)$/.test(options.value(name) ?? '1');
const writes = ({ options }: LintedTool): boolean =>
  /write|rw/.test(options.value('rw') ?? options.value('readwrite') ?? '');
const behindAll = ({ options, programWord }: LintedTool, add: string): Edit => ({
  after: options.given.at(-1)?.words.at(-1) ?? programWord,
  add,
});
const add = (subject: LintedTool, text: string): string => edited(subject.command, [behindAll(subject, text)]);

/** Sets an option to a value, whether or not it was given. */
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

export const FIO_RULES: readonly LintRule[] = [
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
        {
          after: subject.programWord,
          add: '--refill_buffers --buffer_compress_percentage=40 --buffer_compress_chunk=4k',
        },
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
