import { edited, withOption } from '../../common/lint/edit';
import { cacheMemory } from '../../common/lint/memory';
import { type LintedTool, type LintRule, rule } from '../../common/lint/rule';
import { binarySize, humanBytes, wholeNumber } from '../../common/lint/size';
import { direct, major, setting } from './common';

/** Assumed memory if none is given: few benchmark clients have less. */
const MOST_CLIENTS = {
  bytes: 16 * 2 ** 30,
  words: 'the memory of most clients (set it with --client-memory)',
} as const;

/** Bytes that the command moves; `null` if unknown. */
function bytesMoved({ options, ranks }: LintedTool): number | null {
  const [block, segments] = [binarySize(options.value('b') ?? '1m'), wholeNumber(options.value('s') ?? '1')];
  return block === null || segments === null || ranks === null ? null : block * segments * ranks;
}

/** The words with -v, and the verbosity that they ask for: IOR 3.3.0 counts words, later ones letters. */
function verbosityOf({ options, context }: LintedTool) {
  const asked = options.given.filter(({ name }) => name === 'v');
  const words = [...new Set(asked.flatMap((option) => option.words))];
  const version = major(context.iorVersion);
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
    const version = major(subject.context.iorVersion);
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
    const version = major(subject.context.iorVersion);
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
    if (words.length === 0 || (inFile && !subject.context.iorVersion?.startsWith('4.0.'))) return null;
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
      message: `${repetitions === 1 ? 'One repetition says' : 'Two repetitions say'} nothing about the variance; differences cannot be told from chance.`,
      // With -T the repetitions could be cut off.
      suggestion: options.has('T')
        ? 'run the command five times, and check each result'
        : withOption(subject, 'i', '5'),
    };
  }),
];
