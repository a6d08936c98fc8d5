import { append, edited } from '../../common/lint/edit';
import { type LintedTool, type LintRule, rule } from '../../common/lint/rule';
import { humanBytes } from '../../common/lint/size';
import { compressing, major, operations, transfer } from './common';

/** LZ4 on records of 128 KiB, by IOR's version (facts-tools, "Data patterns and compressibility"). */
const RECORD = 128 * 2 ** 10;

/** The option of a pattern whose name begins with a letter. */
const patternWith = ({ options }: LintedTool, letter: RegExp) => {
  const pattern = options.get('l');
  return pattern !== null && letter.test(pattern.value ?? '') ? pattern : null;
};

/** The size of the transfers of IOR's default pattern on a compressing file system; `undefined` where it writes no such data. */
const ofDefault = (subject: LintedTool): number | null | undefined =>
  subject.options.has('l') || !operations(subject).write || !compressing(subject) ? undefined : transfer(subject);

const isSmall = (size: number | null): size is number => size !== null && size < 64 * 2 ** 10;

/** Rules on the data that are written. */
export const PATTERN_RULES: readonly LintRule[] = [
  rule('ior-incompressible-compresses', 'error', (subject) => {
    const { iorVersion } = subject.context;
    const pattern = patternWith(subject, /^i/i);
    if (pattern === null || !operations(subject).write) return null;
    const version = major(iorVersion);
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
    const { iorVersion } = subject.context;
    const pattern = patternWith(subject, /^r/i);
    const version = major(iorVersion);
    if (pattern === null || version === null || version >= 4) return null;
    const word = pattern.words[1];
    return {
      message: `IOR ${iorVersion} has no '-l random', which was added in 4.0.0; for incompressible data use '-l incompressible'.`,
      suggestion: word ? edited(subject.command, [{ replace: word, by: 'incompressible' }]) : null,
    };
  }),

  rule('ior-random-without-seed', 'note', (subject) => {
    const version = major(subject.context.iorVersion);
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
    const { iorVersion } = subject.context;
    const size = ofDefault(subject);
    if (size === undefined || isSmall(size)) return null;
    const version = major(iorVersion);
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
