import { append } from '../common/lint/edit';
import { readOptions } from '../common/lint/options';
import { type LintRule, rule } from '../common/lint/rule';
import { binarySize, humanBytes, wholeNumber } from '../common/lint/size';
import type { Tool } from '../tool';

/** Sizes without a unit are KiB. */
const sizeOf = (text: string | undefined): number | null =>
  binarySize(text !== undefined && /^\d+$/.test(text) ? `${text}k` : text);

/** Automatic mode ends at files of 512 MB unless -g says more; -s sets both bounds (iozone.c, option s). */
const AUTOMATIC_BYTES = 512 * 2 ** 20;

const IOZONE_RULES: readonly LintRule[] = [
  rule('iozone-missing-flush', 'warning', (subject) => {
    const message = "Without -e the clock stops while written data are still in the client's memory.";
    return !subject.options.has('e', 'I', 'o') && { message, suggestion: append(subject, '-e') };
  }),

  rule('iozone-reads-cached', 'warning', (subject) => {
    const { options, context } = subject;
    if (options.has('I', 'U')) return null;
    const automatic = options.has('a', 'A');
    const size = sizeOf(options.value('s')) ?? (automatic ? (sizeOf(options.value('g')) ?? AUTOMATIC_BYTES) : null);
    if (size === null) return null;
    const bytes = size * (automatic ? 1 : (wholeNumber(options.value('t') ?? '1') ?? 1));
    const { clientMemoryBytes: memory = 64 * 2 ** 30 } = context;
    if (bytes > memory) return null;
    const memories =
      context.clientMemoryBytes === undefined ? 'the memory of most clients' : `the client's ${humanBytes(memory)}`;
    return {
      message: `At most ${humanBytes(bytes)} are read back, which fit into ${memories}: this measures a cache. -I bypasses it.`,
      suggestion: append(subject, '-I'),
    };
  }),
];

/** IOzone: only its commands are linted (https://manpages.ubuntu.com/manpages/lunar/man1/iozone.1.html). */
export const iozone: Tool = {
  id: 'iozone',
  lint: { options: (words) => readOptions(words, 'SLfrsitludjFVHkUPbJXYngyq'), rules: IOZONE_RULES },
};
