import { edited } from '../edit';
import type { Finding } from '../finding';
import type { Rule, Subject } from '../rule';
import { binarySize, humanBytes, wholeNumber } from '../size';

/** Short options of IOR that take a value (IOR 3.3.0 and 4.0.0, `src/parse_options.c`). */
export const IOR_WITH_VALUE = 'aAbdDfGiIjJlMNoOQstTUX';

/** LZ4 on records of 128 KiB, by IOR's version (facts-tools, "Data patterns and compressibility"). */
const RECORD = 128 * 2 ** 10;

const major = (version: string | undefined): number | null => {
  const match = /^(\d+)\./.exec(version ?? '');
  return match ? Number(match[1]) : null;
};

/** Not naming an operation means write and read. */
export const operations = ({ options }: Subject): { write: boolean; read: boolean } => {
  const none = !options.has('w', 'r', 'W', 'R');
  return { write: none || options.has('w'), read: none || options.has('r', 'R', 'W') };
};
const direct = ({ options }: Subject): boolean => options.has('posix.odirect', 'B');
const transfer = ({ options }: Subject): number | null => binarySize(options.value('t') ?? '256k');
const compressing = ({ context }: Subject): boolean => context.compression !== 'NONE';
const append = (subject: Subject, text: string): string =>
  edited(subject.command, [{ after: subject.programWord, add: text }]);

const incompressible: Rule<Subject> = (subject) => {
  const { options, context } = subject;
  const pattern = options.get('l');
  if (!pattern || !/^i/i.test(pattern.value ?? '') || !operations(subject).write) return null;
  const version = major(context.iorVersion);
  const word = pattern.words[1] ?? pattern.words[0];
  const random = word
    ? edited(subject.command, [{ replace: word, by: pattern.words.length > 1 ? 'random' : '-lrandom' }])
    : null;
  const finding = (severity: Finding['severity'], message: string, suggestion: string | null): Finding => ({
    id: 'ior-incompressible-compresses',
    severity,
    message,
    suggestion,
  });
  if (version !== null && version >= 4)
    return finding(
      'error',
      `IOR ${context.iorVersion} writes one word again and again for '-l incompressible': it compresses 32:1 and more. Only '-l random' is incompressible since 4.0.0.`,
      random,
    );
  if (version === null)
    return finding(
      'error',
      "With IOR 4.0.0 and later '-l incompressible' writes one word again and again and compresses 32:1 and more; with 3.3.0 it does what it says. Say which IOR it is (--ior-version).",
      random,
    );
  const size = transfer(subject);
  if (size === null || size >= RECORD) return null;
  return finding(
    'error',
    `IOR 3.3.0 fills one buffer of ${humanBytes(size)} with '-l incompressible' and writes it again and again: inside a record of 128 KiB it compresses up to ${RECORD / size}:1.`,
    withOption(subject, 't', '1m'),
  );
};

const patternOfVersion: Rule<Subject> = (subject) => {
  const { options, context } = subject;
  if (options.has('l') || !operations(subject).write || !compressing(subject)) return null;
  const size = transfer(subject);
  const small = size !== null && size < 64 * 2 ** 10;
  if (small)
    return {
      id: 'ior-small-transfer-repeats',
      severity: 'warning',
      message: `IOR writes the same buffer in every transfer; with transfers of ${humanBytes(size)} a record of 128 KiB holds ${Math.round(RECORD / size)} copies of it and compresses far better than any data.`,
      suggestion: withOption(subject, 't', '1m'),
    };
  const version = major(context.iorVersion);
  const known = version === null ? null : version >= 4 ? '1.9:1' : '3.6:1';
  return {
    id: 'ior-pattern-depends-on-version',
    severity: known === null ? 'warning' : 'note',
    message:
      known === null
        ? "What IOR's default buffer compresses to depends on its version: 3.6:1 with 3.3.0, 1.9:1 with 4.0.0. Without the version a result on a compressing file system cannot be compared with another."
        : `IOR ${context.iorVersion}'s default buffer compresses ${known} with LZ4: the result holds for such data only.`,
    suggestion:
      known === null
        ? 'pin the version and name it (--ior-version), or choose a pattern: -l random (4.0.0), -l incompressible (3.3.0)'
        : null,
  };
};

const randomPattern: Rule<Subject> = (subject) => {
  const { options, context } = subject;
  const pattern = options.get('l');
  if (!pattern || !/^r/i.test(pattern.value ?? '')) return null;
  const version = major(context.iorVersion);
  if (version !== null && version < 4) {
    const word = pattern.words[1];
    return {
      id: 'ior-unknown-pattern',
      severity: 'error',
      message: `IOR ${context.iorVersion} has no '-l random', which came with 4.0.0; its incompressible data are '-l incompressible'.`,
      suggestion: word ? edited(subject.command, [{ replace: word, by: 'incompressible' }]) : null,
    };
  }
  if (options.has('G')) return null;
  return {
    id: 'ior-random-without-seed',
    severity: 'note',
    message: "'-l random' without -G has the seed 0: the same bytes in every run, which deduplication would find.",
    suggestion: append(subject, '-G 20240501'),
  };
};

const missingFsync: Rule<Subject> = (subject) => {
  if (!operations(subject).write || direct(subject) || subject.options.has('e', 'Y')) return null;
  return {
    id: 'ior-missing-fsync',
    severity: 'warning',
    message: 'A buffered write without -e stops the clock while data are still in the memory of the clients.',
    suggestion: append(subject, '-e'),
  };
};

const readsOwnData: Rule<Subject> = (subject) => {
  const { write, read } = operations(subject);
  if (!write || !read || direct(subject) || subject.options.has('C', 'Q', 'Z')) return null;
  return {
    id: 'ior-missing-reorder',
    severity: 'warning',
    message:
      'Write and read in one command without -C: each process reads what it wrote itself, from the page cache of its client.',
    suggestion: append(subject, '-C'),
  };
};

const oneCommand: Rule<Subject> = (subject) => {
  const { write, read } = operations(subject);
  if (!write || !read || direct(subject)) return null;
  return {
    id: 'ior-caches-not-dropped',
    severity: 'note',
    message:
      'Write and read in one command leave no moment to drop caches between them; the caches of the servers are warm in any case.',
    suggestion: 'write with -w -k, drop caches, read with -r in a second command',
  };
};

const sharedFile: Rule<Subject> = (subject) => {
  if (!operations(subject).write || subject.options.has('F') || !compressing(subject) || subject.ranks === 1)
    return null;
  return {
    id: 'ior-shared-file',
    severity: 'warning',
    message:
      'Without -F all processes write one file: objects whose first write is not at their beginning can keep records of 4 KB, which hardly compress.',
    suggestion: append(subject, '-F'),
  };
};

const noStonewallWithTime: Rule<Subject> = (subject) => {
  const { options } = subject;
  const [deadline, limit] = [wholeNumber(options.value('D')), wholeNumber(options.value('T'))];
  if (deadline !== 0 || limit === null || limit === 0) return null;
  const word = options.get('D')?.words.at(-1);
  return {
    id: 'ior-time-limit-without-stonewall',
    severity: 'warning',
    message: `'-D 0' means no stonewall, so only '-T ${limit}' (minutes) ends the run, and that is looked at between repetitions: the last one runs over. Bound each repetition instead.`,
    suggestion: word ? withOption(subject, 'D', '300') : null,
  };
};

const limitCutsRepetitions: Rule<Subject> = (subject) => {
  const { options } = subject;
  const [repetitions, limit] = [wholeNumber(options.value('i')), wholeNumber(options.value('T'))];
  if (repetitions === null || repetitions < 2 || limit === null || limit === 0) return null;
  return {
    id: 'ior-time-limit-cuts-repetitions',
    severity: 'warning',
    message: `When '-T ${limit}' ends the run before '-i ${repetitions}' repetitions, IOR counts the rest as 0/0: max, min and mean of its summary are NaN, and JSON is invalid.`,
    suggestion: 'compute from the rows of the repetitions: fsxbench parse does',
  };
};

const verbosity: Rule<Subject> = (subject) => {
  const { options, context } = subject;
  const words = new Set(options.given.filter(({ name }) => name === 'v').flatMap((option) => option.words));
  const letters = options.given.filter(({ name }) => name === 'v').length;
  const version = major(context.iorVersion);
  const level = version !== null && version < 4 ? words.size : letters;
  const quieter = (keep: string): string => {
    const [first, ...others] = [...words];
    return edited(subject.command, [{ replace: first as (typeof others)[number], by: keep }, { remove: others }]);
  };
  if (level >= 3)
    return {
      id: 'ior-prints-environment',
      severity: 'error',
      message: 'From verbosity 3 on IOR prints the whole environment, credentials included, into its output.',
      suggestion: quieter('-v'),
    };
  const doubled = [...words].find(({ value }) => /^-v{2,}$/.test(value));
  if (!doubled || (version !== null && version >= 4)) return null;
  return {
    id: 'ior-vv-counts-once',
    severity: 'note',
    message: `IOR 3.3.0 counts '${doubled.value}' as a single -v.`,
    suggestion: edited(subject.command, [
      { replace: doubled, by: '-v' },
      { after: doubled, add: '-v' },
    ]),
  };
};

const oldDirectOption: Rule<Subject> = (subject) => {
  const option = subject.options.get('B');
  if (!option || (subject.context.iorVersion ?? '3.3.0').startsWith('3.2')) return null;
  const word = option.words[0];
  return {
    id: 'ior-old-odirect',
    severity: 'error',
    message:
      "'-B' is gone since IOR 3.3.0, which prints its help and exits with 0; O_DIRECT is asked for with --posix.odirect.",
    suggestion:
      word?.value === '-B' ? edited(subject.command, [{ replace: word, by: '--posix.odirect' }]) : '--posix.odirect',
  };
};

const sizesDoNotDivide: Rule<Subject> = (subject) => {
  const [block, size] = [binarySize(subject.options.value('b')), transfer(subject)];
  if (block === null || size === null || size === 0 || block % size === 0) return null;
  return {
    id: 'ior-block-not-multiple',
    severity: 'error',
    message: `The block size (-b, ${humanBytes(block)}) must be a multiple of the transfer size (-t, ${humanBytes(size)}): IOR refuses to start.`,
    suggestion: withOption(subject, 'b', `${Math.ceil(block / size) * size}`),
  };
};

const outputFormat: Rule<Subject> = (subject) => {
  const { options, context } = subject;
  const settings = options.given.flatMap(({ name, value }) => (name === 'O' ? (value ?? '').split(',') : []));
  const setting = (key: string): string | undefined =>
    settings
      .find((each) => each.toLowerCase().startsWith(`${key.toLowerCase()}=`))
      ?.slice(key.length + 1)
      .toUpperCase();
  const format = setting('summaryFormat');
  const version = major(context.iorVersion);
  if (format === 'CSV' && (version === null || version < 4))
    return {
      id: 'ior-csv-without-data',
      severity: version === null ? 'warning' : 'error',
      message: 'The CSV of IOR 3.3.0 has a broken header and no rows.',
      suggestion: edited(subject.command, [
        { after: subject.programWord, add: '-O summaryFormat=JSON -O summaryFile=ior.json' },
      ]),
    };
  if (format === 'JSON' && setting('summaryFile') === undefined && options.has('v'))
    return {
      id: 'ior-json-with-verbose',
      severity: 'warning',
      message: 'With -v IOR puts other lines into the JSON on its output, which then is invalid.',
      suggestion: append(subject, '-O summaryFile=ior.json'),
    };
  if (setting('stoneWallingStatusFile') !== undefined && !options.has('k') && operations(subject).write)
    return {
      id: 'ior-status-file-without-keep',
      severity: version === null || version >= 4 ? 'error' : 'warning',
      message: 'IOR 4.0.0 refuses stoneWallingStatusFile without -k: the file is for a later read of what is kept.',
      suggestion: append(subject, '-k'),
    };
  return null;
};

const dummyApi: Rule<Subject> = (subject) =>
  subject.options.value('a')?.toUpperCase() === 'DUMMY'
    ? {
        id: 'dummy-api',
        severity: 'error',
        message: 'The DUMMY interface moves no data and reports any rate.',
        suggestion: withOption(subject, 'a', 'POSIX'),
      }
    : null;

const noRepeats: Rule<Subject> = ({ options, context }) => {
  const repetitions = wholeNumber(options.value('i') ?? '1');
  if (context.repeated || repetitions === null || repetitions >= 3) return null;
  return {
    id: 'few-repeats',
    severity: 'note',
    message: `${repetitions === 1 ? 'One repetition says' : 'Two repetitions say'} nothing about the spread; a difference cannot be told from chance.`,
    suggestion: 'repeat it, such as -i 5, and look at each repetition',
  };
};

/** Bytes that the command moves; `null` when that cannot be told. */
function bytesMoved({ options, ranks }: Subject): number | null {
  const [block, segments] = [binarySize(options.value('b') ?? '1m'), wholeNumber(options.value('s') ?? '1')];
  return block === null || segments === null || ranks === null ? null : block * segments * ranks;
}

/** Without a word on the memory: hardly a client that one benchmarks with has less. */
const LEAST_MEMORY = 16 * 2 ** 30;

const dataFitInMemory: Rule<Subject> = (subject) => {
  const { clients = 1, clientMemoryBytes, serverMemoryBytes = 0 } = subject.context;
  const bytes = bytesMoved(subject);
  const known = clientMemoryBytes !== undefined || serverMemoryBytes > 0;
  const memory = known ? clients * (clientMemoryBytes ?? 0) + serverMemoryBytes : LEAST_MEMORY;
  if (bytes === null || bytes > memory || (!known && direct(subject))) return null;
  const factor = Math.ceil((2 * memory) / Math.max(bytes, 1));
  const segments = (wholeNumber(subject.options.value('s') ?? '1') ?? 1) * factor;
  return {
    id: 'data-fit-in-memory',
    severity: 'warning',
    message: known
      ? `At most ${humanBytes(bytes)} are moved, which fit into the ${humanBytes(memory)} of memory of clients and servers: a cache is measured.`
      : `At most ${humanBytes(bytes)} are moved, which fit into the memory of most clients (--client-memory says how much there is): a cache is measured.`,
    suggestion: withOption(subject, 's', String(segments)),
  };
};

/** The command with an option set to a value, whether or not it was given. */
function withOption(subject: Subject, name: string, value: string): string {
  const option = subject.options.get(name);
  if (!option) return append(subject, `-${name} ${value}`);
  const [first, second] = option.words;
  return edited(
    subject.command,
    second ? [{ replace: second, by: value }] : first ? [{ replace: first, by: `-${name}${value}` }] : [],
  );
}

export const IOR_RULES: readonly Rule<Subject>[] = [
  dummyApi,
  oldDirectOption,
  sizesDoNotDivide,
  incompressible,
  randomPattern,
  patternOfVersion,
  missingFsync,
  readsOwnData,
  oneCommand,
  sharedFile,
  noStonewallWithTime,
  limitCutsRepetitions,
  verbosity,
  outputFormat,
  dataFitInMemory,
  noRepeats,
];
