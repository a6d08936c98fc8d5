import { releaseOf } from '../../common/iorRelease';
import { binarySize, cacheMemory, humanBytes, needing, shortSize, wholeNumber } from '../../common/lint/access';
import { append, edited, type LintedTool, type LintRule, rule, withOption } from '../../common/lint/rule';
import { compressing, direct, major, operations, setting, transfer } from './script';

/** LZ4 on records of 128 KiB, by IOR's version (facts-tools, "Data patterns and compressibility"). */
const RECORD = 128 * 2 ** 10;

/** The option of a pattern whose name begins with a letter. */
const patternWith = ({ options }: LintedTool, letter: RegExp) => {
  const pattern = options.get('l');
  return pattern !== null && letter.test(pattern.value ?? '') ? pattern : null;
};

/** The transfer size of default-pattern data on a compressing file system; `undefined` if no such data are written. */
const ofDefault = (subject: LintedTool): number | null | undefined =>
  subject.options.has('l') || !operations(subject).write || !compressing(subject) ? undefined : transfer(subject);

const isSmall = (size: number | null): size is number => size !== null && size < 64 * 2 ** 10;

export const PATTERN_RULES: readonly LintRule[] = [
  rule('ior-incompressible-compresses', 'error', (subject) => {
    const iorVersion = releaseOf(subject);
    const pattern = patternWith(subject, /^i/i);
    if (pattern === null || !operations(subject).write) return null;
    const version = major(subject);
    const word = pattern.words[1] ?? pattern.words[0];
    const random = word
      ? edited(subject.command, [{ replace: word, by: pattern.words.length > 1 ? 'random' : '-lrandom' }])
      : null;
    if (version === null)
      return {
        message:
          "From IOR 4.0.0 on '-l incompressible' repeats one word, which compresses 32:1 and more; with 3.3.0 it is incompressible. Give the version (--ior-version).",
        suggestion: random,
      };
    if (version >= 4)
      return {
        message: `IOR ${iorVersion} repeats one word for '-l incompressible', which compresses 32:1 and more. Since 4.0.0 only '-l random' is incompressible.`,
        suggestion: random,
      };
    const size = transfer(subject);
    if (size === null || size >= RECORD) return null;
    return {
      message: `IOR 3.3.0 fills one buffer of ${humanBytes(size)} with '-l incompressible' and writes it repeatedly: within a 128 KiB record it compresses up to ${RECORD / size}:1.`,
      suggestion: 'choose data that do not repeat: -l random -G 7 with IOR 4.0.0',
    };
  }),

  rule('ior-unknown-pattern', 'error', (subject) => {
    const iorVersion = releaseOf(subject);
    const pattern = patternWith(subject, /^r/i);
    const version = major(subject);
    if (pattern === null || version === null || version >= 4) return null;
    const word = pattern.words[1];
    return {
      message: `IOR ${iorVersion} has no '-l random', which was added in 4.0.0; for incompressible data use '-l incompressible'.`,
      suggestion: word ? edited(subject.command, [{ replace: word, by: 'incompressible' }]) : null,
    };
  }),

  rule('ior-random-without-seed', 'note', (subject) => {
    const version = major(subject);
    if (patternWith(subject, /^r/i) === null || (version !== null && version < 4)) return null;
    const message =
      "'-l random' without -G uses seed 0: the same bytes in every run, which deduplication would detect.";
    return !subject.options.has('G') && { message, suggestion: append(subject, '-G 20240501') };
  }),

  rule('ior-small-transfer-repeats', 'warning', (subject) => {
    const size = ofDefault(subject);
    if (size === undefined || !isSmall(size)) return null;
    return {
      message: `IOR writes the same buffer in every transfer; with transfers of ${humanBytes(size)} a 128 KiB record holds ${Math.round(RECORD / size)} copies of it and compresses far better than real data.`,
      suggestion: 'choose data that do not repeat: -l random -G 7 with IOR 4.0.0',
    };
  }),

  rule('ior-pattern-depends-on-version', 'note', (subject) => {
    const iorVersion = releaseOf(subject);
    const size = ofDefault(subject);
    if (size === undefined || isSmall(size)) return null;
    const version = major(subject);
    if (version === null)
      return {
        severity: 'warning',
        message:
          "IOR's default buffer compresses 3.6:1 with 3.3.0 and 1.9:1 with 4.0.0. Without the version, results on a compressing file system are not comparable.",
        suggestion:
          'pin the version and give it (--ior-version), or choose a pattern: -l random (4.0.0), -l incompressible (3.3.0)',
      };
    const ratio = version >= 4 ? '1.9:1' : '3.6:1';
    return {
      message: `IOR ${iorVersion}'s default buffer compresses ${ratio} with LZ4: the result applies only to such data.`,
      suggestion: null,
    };
  }),
];

/** Assumed memory if none is given: few benchmark clients have less. */
const MOST_CLIENTS = { bytes: 16 * 2 ** 30, words: 'the memory of most clients (--instance names yours)' } as const;

function bytesMoved({ options, ranks }: LintedTool): number | null {
  const [block, segments] = [binarySize(options.value('b') ?? '1m'), wholeNumber(options.value('s') ?? '1')];
  return block === null || segments === null || ranks === null ? null : block * segments * ranks;
}

/** The words with -v, and the verbosity that they ask for: IOR 3.3.0 counts words, later ones letters. */
function verbosityOf(subject: LintedTool) {
  const { options } = subject;
  const asked = options.given.filter(({ name }) => name === 'v');
  const words = [...new Set(asked.flatMap((option) => option.words))];
  const version = major(subject);
  return { words, level: version !== null && version < 4 ? words.length : asked.length };
}

/** Rules on what is printed, and on what it is worth. */
export const RESULT_RULES: readonly LintRule[] = [
  rule('ior-prints-environment', 'error', (subject) => {
    const { words, level } = verbosityOf(subject);
    const [first, ...others] = words;
    if (level < 3 || first === undefined) return null;
    return {
      message: 'From verbosity 3 on IOR prints the whole environment, including credentials, to its output.',
      suggestion: edited(subject.command, [{ replace: first, by: '-v' }, { remove: others }]),
    };
  }),

  rule('ior-vv-counts-once', 'note', (subject) => {
    const { words, level } = verbosityOf(subject);
    const doubled = words.find(({ value }) => /^-v{2,}$/.test(value));
    const version = major(subject);
    if (level >= 3 || doubled === undefined || (version !== null && version >= 4)) return null;
    return {
      message: `IOR 3.3.0 counts '${doubled.value}' as a single -v.`,
      suggestion: edited(subject.command, [
        { replace: doubled, by: '-v' },
        { after: doubled, add: '-v' },
      ]),
    };
  }),

  rule('ior-csv-without-data', 'error', (subject) => {
    const format = setting(subject, 'summaryFormat');
    const version = major(subject);
    if (format?.value.toUpperCase() !== 'CSV' || (version !== null && version >= 4)) return null;
    const file = setting(subject, 'summaryFile') === null ? ' -O summaryFile=ior.json' : '';
    return {
      ...(version === null && { severity: 'warning' }),
      message: 'The CSV of IOR 3.3.0 has a broken header and no rows.',
      suggestion: `${edited(subject.command, [{ replace: format.word, by: format.word.value.replace(/(summaryFormat=)csv/i, '$1JSON') }])}${file}`,
    };
  }),

  rule('ior-json-with-verbose', 'warning', (subject) => {
    if (setting(subject, 'summaryFormat')?.value.toUpperCase() !== 'JSON') return null;
    const { words } = verbosityOf(subject);
    const inFile = setting(subject, 'summaryFile') !== null;
    if (words.length === 0 || (inFile && !releaseOf(subject)?.startsWith('4.0.'))) return null;
    return {
      message:
        'With -v the JSON of IOR is invalid: its output contains other lines, and 4.0.0 closes a list twice, even in a file.',
      suggestion: edited(subject.command, [{ remove: words }]),
    };
  }),

  rule('data-fit-in-memory', 'warning', (subject) => {
    const bytes = bytesMoved(subject);
    const memory = cacheMemory(subject.context, direct(subject)) ?? (direct(subject) ? null : MOST_CLIENTS);
    if (bytes === null || memory === null || bytes > memory.bytes) return null;
    const factor = Math.ceil((2 * memory.bytes) / Math.max(bytes, 1));
    const segments = (wholeNumber(subject.options.value('s') ?? '1') ?? 1) * factor;
    return {
      message: `At most ${humanBytes(bytes)} are moved, which fit into ${memory.words}: this measures a cache.`,
      suggestion: withOption(subject, 's', String(segments)),
    };
  }),

  rule('few-repeats', 'note', (subject) => {
    const { options, context } = subject;
    const repetitions = wholeNumber(options.value('i') ?? '1');
    if (context.repeated || repetitions === null || repetitions >= 3) return null;
    return {
      message: `${repetitions === 1 ? 'One repetition says' : 'Two repetitions say'} nothing about the variance; differences cannot be distinguished from chance.`,
      // With -T the repetitions could be cut off.
      suggestion: options.has('T')
        ? 'run the command five times, and check each result'
        : withOption(subject, 'i', '5'),
    };
  }),
];

/** Finds out what keeps IOR from writing a stonewall's status file, which holds the amount of data for a later read (tested with 3.3.0). */
function statusFileWithout(subject: LintedTool) {
  const { options, command, programWord } = subject;
  if (setting(subject, 'stoneWallingStatusFile') === null || !operations(subject).write) return null;
  const wearOut = setting(subject, 'stoneWallingWearOut');
  const keeps = options.has('k');
  const wearsOut = (wholeNumber(options.value('D')) ?? 0) === 0 || (wearOut?.value ?? '0') !== '0';
  if (keeps && wearsOut) return null;
  const missing = [...(keeps ? [] : ['-k']), ...(wearsOut || wearOut !== null ? [] : ['-O stoneWallingWearOut=1'])];
  const suggestion = edited(command, [
    ...(missing.length === 0 ? [] : [{ after: programWord, add: missing.join(' ') }]),
    ...(wearsOut || wearOut === null
      ? []
      : [
          { replace: wearOut.word, by: wearOut.word.value.replace(/(stoneWallingWearOut=)0+/i, (_, key) => `${key}1`) },
        ]),
  ]);
  return { keeps, suggestion };
}

export const TIME_RULES: readonly LintRule[] = [
  rule('ior-time-limit-without-stonewall', 'warning', (subject) => {
    const { options } = subject;
    const [deadline, limit] = [wholeNumber(options.value('D')), wholeNumber(options.value('T'))];
    if (deadline !== 0 || limit === null || limit === 0) return null;
    return {
      message: `'-D 0' means no stonewall, so only '-T ${limit}' (minutes) ends the run, and it is checked only between repetitions: the last one overruns. Bound each repetition instead.`,
      suggestion: withOption(subject, 'D', '300'),
    };
  }),

  rule('ior-time-limit-cuts-repetitions', 'warning', ({ options }) => {
    const [repetitions, limit] = [wholeNumber(options.value('i')), wholeNumber(options.value('T'))];
    if (repetitions === null || repetitions < 2 || limit === null || limit === 0) return null;
    return {
      message: `If '-T ${limit}' ends the run before '-i ${repetitions}' repetitions, IOR counts the rest as 0/0: max, min and mean of its summary are NaN, and its JSON is invalid.`,
      suggestion: 'use the rows of the repetitions instead, as fsxbench parse does',
    };
  }),

  rule('ior-status-file-without-keep', 'error', (subject) => {
    const version = major(subject);
    const found = statusFileWithout(subject);
    if (found === null || found.keeps) return null;
    return {
      ...(version !== null && version < 4 && { severity: 'warning' }),
      message: 'IOR 4.0.0 rejects stoneWallingStatusFile without -k: the file is for a later read of the kept data.',
      suggestion: found.suggestion,
    };
  }),

  rule('ior-status-file-without-wear-out', 'error', (subject) => {
    const found = statusFileWithout(subject);
    if (found === null || !found.keeps) return null;
    return {
      message:
        'IOR 3.3.0 writes the status file only with stoneWallingWearOut=1; without it a later read fails at the end of the shortest file.',
      suggestion: found.suggestion,
    };
  }),
];

/** True for a command that reads what it wrote, through the page cache. */
function readsBuffered(subject: LintedTool): boolean {
  const { write, read } = operations(subject);
  return write && read && !direct(subject);
}

/** Rules on caches: data must be stored when the clock stops, and must not be read from memory. */
export const CACHE_RULES: readonly LintRule[] = [
  rule('ior-missing-fsync', 'warning', (subject) => {
    if (!operations(subject).write || direct(subject) || subject.options.has('e', 'Y')) return null;
    return {
      message: "A buffered write without -e stops the clock while data are still in the clients' memory.",
      suggestion: append(subject, '-e'),
    };
  }),

  rule('ior-missing-reorder', 'warning', (subject) => {
    if (!readsBuffered(subject) || subject.options.has('C', 'Q', 'Z')) return null;
    return {
      message:
        "Write and read in one command without -C: each process reads its own data from its client's page cache.",
      suggestion: append(subject, '-C'),
    };
  }),

  rule(
    'ior-caches-not-dropped',
    'note',
    (subject) =>
      readsBuffered(subject) && {
        message:
          'Write and read in one command leave no time to drop caches in between; the server caches are warm in any case.',
        suggestion: 'write with -w -k, drop caches, read with -r in a second command',
      },
  ),

  rule('ior-shared-file', 'warning', (subject) => {
    if (!operations(subject).write || subject.options.has('F') || !compressing(subject) || subject.ranks === 1)
      return null;
    return {
      message:
        'Without -F all processes write one file: objects whose first write is not at their start can keep 4 KB records, which hardly compress.',
      suggestion: append(subject, '-F'),
    };
  }),
];

/** Rules on commands that fail, or measure nothing. */
export const FORM_RULES: readonly LintRule[] = [
  rule('ior-script-file', 'note', ({ options }) => {
    const script = options.value('f');
    const suggestion = `npx fsxbench lint --file ${script} checks it`;
    return script !== undefined && { message: `The script '${script}' was not checked.`, suggestion };
  }),

  needing({ id: 'ior-needs-rewriting', ability: 'rewriting' }, (subject) => {
    if (!operations(subject).write) return null;
    if (subject.options.has('z')) return { does: 'With -z IOR writes anywhere in a file', suggestion: null };
    return subject.options.has('F') || subject.ranks === 1
      ? null
      : { does: 'Without -F all processes write one file', suggestion: append(subject, '-F') };
  }),

  rule(
    'dummy-api',
    'error',
    (subject) =>
      subject.options.value('a')?.toUpperCase() === 'DUMMY' && {
        message: 'The DUMMY interface moves no data and reports any rate.',
        suggestion: withOption(subject, 'a', 'POSIX'),
      },
  ),

  rule('ior-old-odirect', 'error', (subject) => {
    const option = subject.options.get('B');
    if (!option || (releaseOf(subject) ?? '3.3.0').startsWith('3.2')) return null;
    const word = option.words[0];
    return {
      message:
        "'-B' was removed in IOR 3.3.0, which prints its help and exits with 0; use --posix.odirect for O_DIRECT.",
      suggestion:
        word?.value === '-B' ? edited(subject.command, [{ replace: word, by: '--posix.odirect' }]) : '--posix.odirect',
    };
  }),

  // It reads sizes as "%lld %c" (hpc/ior, src/option.c).
  rule('ior-size-fraction', 'error', (subject) => {
    const option = (['b', 't'] as const).find((name) => subject.options.value(name)?.includes('.'));
    const value = option && subject.options.value(option);
    const bytes = binarySize(value);
    if (option === undefined || bytes === null) return null;
    return {
      message: `IOR reads only whole numbers: it reads the number before the dot of '-${option} ${value}' as bytes, and refuses to start.`,
      suggestion: withOption(subject, option, shortSize(Math.max(1, Math.round(bytes / 1024)) * 1024)),
    };
  }),

  rule('ior-block-not-multiple', 'error', (subject) => {
    const [block, size] = [binarySize(subject.options.value('b')), transfer(subject)];
    if (block === null || size === null || size === 0 || block % size === 0) return null;
    return {
      message: `The block size (-b, ${humanBytes(block)}) must be a multiple of the transfer size (-t, ${humanBytes(size)}): IOR refuses to start.`,
      suggestion: withOption(subject, 'b', `${Math.ceil(block / size) * size}`),
    };
  }),
];
