import { appendLast, edited } from '../common/lint/edit';
import { needing } from '../common/lint/files';
import { cacheMemory } from '../common/lint/memory';
import { type LintedTool, type LintRule, rule } from '../common/lint/rule';
import type { ShellWord } from '../common/lint/shell';
import { coreutilsSize, humanBytes, shortSize, wholeNumber } from '../common/lint/size';

const operand = ({ args }: LintedTool, name: string): { word: ShellWord; value: string } | null => {
  const word = args.findLast(({ value }) => value.startsWith(`${name}=`));
  return word ? { word, value: word.value.slice(name.length + 1) } : null;
};
const list = (subject: LintedTool, name: string): readonly string[] => (operand(subject, name)?.value ?? '').split(',');
const target = (subject: LintedTool): string | null => operand(subject, 'of')?.value ?? null;
const writesFile = (subject: LintedTool): boolean => {
  const of = target(subject) ?? subject.command.redirections.find(({ operator }) => /^>/.test(operator))?.target;
  return of !== undefined && !of.startsWith('/dev/');
};

/** fio at a ratio that the user chooses, which dd cannot do, with dd's block size. */
function fioInstead(subject: LintedTool): string {
  const [block, count] = [coreutilsSize(operand(subject, 'bs')?.value), wholeNumber(operand(subject, 'count')?.value)];
  const size = block !== null && count !== null ? `${Math.max(1, Math.round((block * count) / 2 ** 20))}m` : '10g';
  const file = target(subject);
  const { command, programWord } = subject;
  // What starts dd stays: xargs, srun, ssh.
  const starter = command.source.slice(command.pos, programWord.pos);
  return `${starter}fio --name=data --filename=${file === null ? 'FILE' : file} --rw=write --bs=${shortSize(block ?? 2 ** 20)} --size=${size} --end_fsync=1 --refill_buffers --buffer_compress_percentage=40 --buffer_compress_chunk=4k`;
}

/** The command with a flag added to an operand that takes several: `conv=notrunc,fsync`. */
function withFlag(subject: LintedTool, name: string, flag: string): string {
  const { word } = operand(subject, name) ?? {};
  if (word === undefined) return appendLast(subject, `${name}=${flag}`);
  return edited(subject.command, [{ replace: word, by: `${word.value},${flag}` }]);
}

/** True if an earlier command of the line empties the client's caches. */
function dropsCaches({ line, command }: LintedTool): boolean {
  const at = line.findIndex((one) => one.command === command);
  return line
    .slice(0, at)
    .some(({ command: { words, redirections, source, pos, end } }) =>
      [...words.map(({ value }) => value), ...redirections.map(({ target }) => target), source.slice(pos, end)].some(
        (text) => /drop_caches|drop-caches/.test(text),
      ),
    );
}

export const DD_RULES: readonly LintRule[] = [
  needing({ id: 'dd-needs-rewriting', ability: 'rewriting' }, (subject) => {
    if (!writesFile(subject)) return null;
    const inPlace = list(subject, 'conv').includes('notrunc') || list(subject, 'oflag').includes('append');
    const later = operand(subject, 'seek') ?? operand(subject, 'oseek');
    return inPlace || later !== null ? { does: 'dd writes into a file that is there', suggestion: null } : null;
  }),

  rule('dd-zeros-compress-away', 'error', (subject) => {
    if (operand(subject, 'if')?.value !== '/dev/zero' || !writesFile(subject)) return null;
    const message =
      'On a compressing file system zeros take no space and no disk I/O: the result says nothing about real data.';
    return subject.context.compresses !== false && { message, suggestion: fioInstead(subject) };
  }),

  rule('random-source-cpu-bound', 'error', (subject) => {
    if (!/^\/dev\/u?random$/.test(operand(subject, 'if')?.value ?? '') || !writesFile(subject)) return null;
    return {
      message:
        'The kernel generates random bytes at a few hundred MB/s per CPU: this measures the random number generator, not the storage.',
      suggestion: fioInstead(subject).replace('--buffer_compress_percentage=40 --buffer_compress_chunk=4k', '').trim(),
    };
  }),

  rule('dd-missing-block-size', 'warning', (subject) => {
    if (subject.args.some(({ value }) => /^(bs|ibs|obs)=/.test(value))) return null;
    if (operand(subject, 'if') === null && target(subject) === null) return null;
    const message = 'Without bs dd moves 512 bytes at a time: this measures system calls.';
    return { message, suggestion: appendLast(subject, 'bs=1M') };
  }),

  rule('dd-sync-of-null', 'error', (subject) => {
    const conv = operand(subject, 'conv');
    const sync = list(subject, 'conv').filter((each) => /^f(?:data)?sync$/.test(each));
    if (!conv || sync.length === 0 || target(subject) !== '/dev/null') return null;
    const rest = list(subject, 'conv').filter((each) => !sync.includes(each));
    return {
      message: `'conv=${sync[0]}' applies to the output: dd cannot sync /dev/null, prints "Invalid argument" and exits with 1 although it read everything.`,
      suggestion: edited(subject.command, [
        rest.length > 0 ? { replace: conv.word, by: `conv=${rest.join(',')}` } : { remove: [conv.word] },
      ]),
    };
  }),

  rule('dd-missing-fsync', 'warning', (subject) => {
    const flags = [...list(subject, 'conv'), ...list(subject, 'oflag')];
    if (flags.some((flag) => ['fsync', 'fdatasync', 'direct', 'sync', 'dsync'].includes(flag))) return null;
    const message = "Without conv=fsync dd finishes, and stops its clock, while data are still in the client's memory.";
    return writesFile(subject) && { message, suggestion: withFlag(subject, 'conv', 'fsync') };
  }),

  rule('dd-partial-reads', 'warning', (subject) => {
    const block = coreutilsSize(operand(subject, 'bs')?.value);
    const source = operand(subject, 'if')?.value;
    const short = source === '/dev/urandom' || source === '/dev/random' || source === undefined;
    if (block === null || block < 32 * 2 ** 20 || !short || list(subject, 'iflag').includes('fullblock')) return null;
    if (operand(subject, 'count') === null) return null;
    return {
      message:
        'A read of this size from a device or pipe returns less than requested, and dd counts it as a block: fewer than bs × count bytes are moved.',
      suggestion: appendLast(subject, 'iflag=fullblock'),
    };
  }),

  /** A file on the tested file system that is read into nothing: what is timed is the read. */
  rule('dd-buffered-read', 'warning', (subject) => {
    const source = operand(subject, 'if');
    if (source === null || source.value.startsWith('/dev/') || target(subject) !== '/dev/null') return null;
    if (list(subject, 'iflag').includes('direct') || dropsCaches(subject)) return null;
    return {
      message:
        'A buffered read of a file that this client read or wrote before comes from its memory, at the speed of memory; iflag=direct reads it from the storage.',
      suggestion: withFlag(subject, 'iflag', 'direct'),
    };
  }),

  rule('data-fit-in-memory', 'warning', (subject) => {
    const direct = list(subject, target(subject) === '/dev/null' ? 'iflag' : 'oflag').includes('direct');
    const [block, counted] = [coreutilsSize(operand(subject, 'bs')?.value), operand(subject, 'count')];
    const count = wholeNumber(counted?.value);
    const memory = cacheMemory({ ...subject.context, clients: 1 }, direct);
    if (memory === null || block === null || counted === null || count === null) return null;
    const bytes = block * count;
    if (bytes > memory.bytes) return null;
    const enough = `count=${Math.ceil((2 * memory.bytes) / block)}`;
    return {
      message: `${humanBytes(bytes)} are moved, which fit into ${memory.words}: this measures a cache.`,
      suggestion: edited(subject.command, [{ replace: counted.word, by: enough }]),
    };
  }),
];
