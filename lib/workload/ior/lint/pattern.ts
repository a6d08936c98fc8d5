import { append, edited } from '../../kit/lint/edit';
import type { LintFinding } from '../../kit/lint/finding';
import type { LintedTool, LintRule } from '../../kit/lint/rule';
import { humanBytes } from '../../kit/lint/size';
import { compressing, major, operations, transfer, withOption } from './common';

/** LZ4 on records of 128 KiB, by IOR's version (facts-tools, "Data patterns and compressibility"). */
const RECORD = 128 * 2 ** 10;

export const incompressible: LintRule<LintedTool> = (subject) => {
  const { options, context } = subject;
  const pattern = options.get('l');
  if (!pattern || !/^i/i.test(pattern.value ?? '') || !operations(subject).write) return null;
  const version = major(context.iorVersion);
  const word = pattern.words[1] ?? pattern.words[0];
  const random = word
    ? edited(subject.command, [{ replace: word, by: pattern.words.length > 1 ? 'random' : '-lrandom' }])
    : null;
  const finding = (severity: LintFinding['severity'], message: string, suggestion: string | null): LintFinding => ({
    id: 'ior-incompressible-compresses',
    severity,
    message,
    suggestion,
  });
  if (version !== null && version >= 4)
    return finding(
      'error',
      `IOR ${context.iorVersion} repeats one word for '-l incompressible', which compresses 32:1 and more. Since 4.0.0 only '-l random' is incompressible.`,
      random,
    );
  if (version === null)
    return finding(
      'error',
      "From IOR 4.0.0 on '-l incompressible' repeats one word, which compresses 32:1 and more; with 3.3.0 it is incompressible. Give the version (--ior-version).",
      random,
    );
  const size = transfer(subject);
  if (size === null || size >= RECORD) return null;
  return finding(
    'error',
    `IOR 3.3.0 fills one buffer of ${humanBytes(size)} with '-l incompressible' and writes it repeatedly: within a 128 KiB record it compresses up to ${RECORD / size}:1.`,
    withOption(subject, 't', '1m'),
  );
};

export const patternOfVersion: LintRule<LintedTool> = (subject) => {
  const { options, context } = subject;
  if (options.has('l') || !operations(subject).write || !compressing(subject)) return null;
  const size = transfer(subject);
  const small = size !== null && size < 64 * 2 ** 10;
  if (small)
    return {
      id: 'ior-small-transfer-repeats',
      severity: 'warning',
      message: `IOR writes the same buffer in every transfer; with transfers of ${humanBytes(size)} a 128 KiB record holds ${Math.round(RECORD / size)} copies of it and compresses far better than real data.`,
      suggestion: withOption(subject, 't', '1m'),
    };
  const version = major(context.iorVersion);
  const known = version === null ? null : version >= 4 ? '1.9:1' : '3.6:1';
  return {
    id: 'ior-pattern-depends-on-version',
    severity: known === null ? 'warning' : 'note',
    message:
      known === null
        ? "IOR's default buffer compresses 3.6:1 with 3.3.0 and 1.9:1 with 4.0.0. Without the version, results on a compressing file system are not comparable."
        : `IOR ${context.iorVersion}'s default buffer compresses ${known} with LZ4: the result applies only to such data.`,
    suggestion:
      known === null
        ? 'pin the version and give it (--ior-version), or choose a pattern: -l random (4.0.0), -l incompressible (3.3.0)'
        : null,
  };
};

export const randomPattern: LintRule<LintedTool> = (subject) => {
  const { options, context } = subject;
  const pattern = options.get('l');
  if (!pattern || !/^r/i.test(pattern.value ?? '')) return null;
  const version = major(context.iorVersion);
  if (version !== null && version < 4) {
    const word = pattern.words[1];
    return {
      id: 'ior-unknown-pattern',
      severity: 'error',
      message: `IOR ${context.iorVersion} has no '-l random', which was added in 4.0.0; for incompressible data use '-l incompressible'.`,
      suggestion: word ? edited(subject.command, [{ replace: word, by: 'incompressible' }]) : null,
    };
  }
  if (options.has('G')) return null;
  return {
    id: 'ior-random-without-seed',
    severity: 'note',
    message: "'-l random' without -G uses seed 0: the same bytes in every run, which deduplication would detect.",
    suggestion: append(subject, '-G 20240501'),
  };
};

export const dummyApi: LintRule<LintedTool> = (subject) =>
  subject.options.value('a')?.toUpperCase() === 'DUMMY'
    ? {
        id: 'dummy-api',
        severity: 'error',
        message: 'The DUMMY interface moves no data and reports any rate.',
        suggestion: withOption(subject, 'a', 'POSIX'),
      }
    : null;
