/** Strips what launchers, terminals and log collectors put around the text of a line. */
type Clean = (line: string) => string;

const identity: Clean = (line) => line;

// mpirun --tag-output: `[1,0]<stdout>:text`; --timestamp-output: a date before it; Open MPI 5: `[prterun-host-1@1,0]<stdout>: text`.
const LAUNCHER_PREFIX =
  /^(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})?(?:\[(?:[^\]\s@]{1,120}@)?\d+,\d+\])?<std(?:out|err|diag)>:/;

/** Colours and other control sequences of a terminal (ECMA-48, CSI). */
const ESCAPE = String.fromCharCode(27);
const CONTROL_SEQUENCE = new RegExp(`${ESCAPE}\\[[0-?]*[ -/]*[@-~]`, 'g');

/** No-break spaces of web pages and of some locales. */
const NO_BREAK_SPACE = /[\u00a0\u2007\u202f]/g;

const CLOCK = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;

/** `srun --label`: the task, right-aligned among its siblings (Slurm 22.05: ` 0: text`); `-l` of Intel MPI and MPICH: `[0] text`. */
const TASK = /^(?: *\d+: ?|\[\d+\] ?)/;

/** Prefixes that differ from line to line. */
const VARYING: readonly RegExp[] = [
  // kubectl logs --timestamps, docker logs -t, CloudWatch, GitHub Actions, `ts '[%F %T]'`
  new RegExp(String.raw`^\[?\d{4}[-/]\d\d[-/]\d\d[T ]${CLOCK}(?:Z| ?[+-]\d\d:?\d\d| UTC)?\]?:?(?:[ \t]|$)`),
  // `ts`, journalctl and syslog
  new RegExp(String.raw`^\[?[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?${CLOCK}\]?:?(?:[ \t]|$)`),
  // `ts -s`, `ts -i`, and `ts %.s`
  new RegExp(String.raw`^\[?(?:${CLOCK}|\d{10}\.\d{3,9})\]?:?(?:[ \t]|$)`),
  TASK,
];

/** Behind a time, in the log files of containerd and CRI-O: `2025-11-28T05:00:00.1Z stdout F text`. */
const STREAM = /^(?:stdout|stderr) [FP](?: |$)/;

/** Prefixes that are the same on every line, as the lines' common beginning shows them. The last ones need what was stripped before. */
const COMMON: readonly RegExp[] = [
  /^[ \t]+/,
  /^(?:> ?)+/,
  // compose: `ior-1  | text`
  /^[\w.@/-]{1,120} *\|(?: |$)/,
  // kubectl logs --prefix: `[pod/name/container] text`
  /^\[[^\]\n]{1,200}\]:?(?: |$)/,
  // pdsh, clush, ansible
  /^[A-Za-z][\w.-]{0,120}:(?: |$)/,
];
/** Behind a time: journalctl's `host unit[123]: text`, the log stream of `aws logs tail`. */
const BEHIND_TIME: readonly RegExp[] = [/^[\w.-]{1,120} [\w./-]{1,120}(?:\[\d+\])?: /, /^\S{1,120}\/\S{1,120} /];

/** pdsh and clush on several hosts, compose and kubectl of several containers: the names differ in their numbers. */
const HOST = /^(?:[A-Za-z][\w.-]*\d[\w.-]*(?::| *\|)|\[[^\]\s]*\d[^\]\s]*\]:?)(?: |$)/;

/** Words before a colon that are part of a message: programs, and levels of severity. */
const SPEAKER =
  /^(?:srun|slurm\w*|salloc|sbatch|mpi\w*|orterun|prte\w*|fio|ior|mdtest|elbencho|iperf3|dd|du|cp|rm|ls|lfs|lctl|lnetctl|zfs|zpool|mount|time|bash|sh|lst|V-\d|warning|error|info|note|usage)(?:\[.*\])?:/i;

/** A line of the collector itself between those that it labels. */
const OF_COLLECTOR = /^(?:(?:srun|slurm\w*|mpiexec\S*|pdsh@\S+|clush): |\s*$)/;

/** Lines that show a prefix: a short output of like lines must not be taken for one. */
const FEWEST = 3;
/** Prefixes within one another: a time, a host, an indentation. */
const DEEPEST = 4;

/** The steps that strip the prefixes which all lines of a sample have; none for most outputs. */
function prefixesOf(sample: readonly string[]): readonly Clean[] {
  let lines = sample.filter((line) => !OF_COLLECTOR.test(line));
  const steps: Clean[] = [];
  let behindTime = false;
  while (lines.length > 0 && steps.length < DEEPEST) {
    const patterns: readonly RegExp[] = behindTime ? [...VARYING, STREAM] : VARYING;
    const varying: RegExp | undefined = patterns.find((pattern) => lines.every((line) => pattern.test(line)));
    const step = varying === undefined ? commonStep(lines, behindTime) : (line: string) => line.replace(varying, '');
    if (step === undefined) return steps;
    behindTime = varying !== undefined && varying !== TASK;
    steps.push(step);
    lines = lines.map(step).filter((line) => line.trim() !== '');
  }
  return steps;
}

function commonStep(lines: readonly string[], behindTime: boolean): Clean | undefined {
  const [first = ''] = lines;
  if (lines.length < FEWEST || SPEAKER.test(first)) return undefined;
  for (const pattern of behindTime ? [...COMMON, ...BEHIND_TIME] : COMMON) {
    // An empty line may have lost the blank at its end.
    const longest = pattern.exec(lines.find((line) => pattern.test(line)) ?? '')?.[0] ?? '';
    const prefix = /^[\s>]*$/.test(longest) ? commonStart(lines, longest) : longest;
    const bare = prefix.trimEnd();
    if (prefix !== '' && lines.every((line) => line.startsWith(prefix) || (bare !== '' && line.trimEnd() === bare)))
      return (line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line.trimEnd() === bare ? '' : line);
  }
  return areOfHosts(lines) ? (line) => line.replace(HOST, '') : undefined;
}

const hostOf = (line: string): string | undefined => HOST.exec(line)?.[0].trimEnd();
const areOfHosts = (lines: readonly string[]): boolean =>
  lines.every((line) => HOST.test(line)) &&
  new Set(lines.map((line) => hostOf(line)?.replaceAll(/\d+/g, '0').replaceAll(' ', ''))).size === 1;

/** The lines of several hosts or containers, those of each together: they are printed as they come. */
function byHost(lines: readonly string[]): readonly string[] {
  const own = lines.filter((line) => !OF_COLLECTOR.test(line));
  if (own.length < FEWEST || !areOfHosts(own)) return lines;
  return [...Map.groupBy(lines, (line) => hostOf(line) ?? '').values()].flat();
}

function commonStart(lines: readonly string[], longest: string): string {
  let length = longest.length;
  for (const line of lines) while (!line.startsWith(longest.slice(0, length))) length -= 1;
  return longest.slice(0, length);
}

/** Strips the decoration of the lines of a text, or of its bytes. @param prefixes of all of its lines ({@link prefixesOf}) */
export function cleanLine(text: string | Buffer, prefixes: readonly Clean[]): Clean {
  const carriage = text.includes('\r');
  const tagged = text.includes('<std');
  const coloured = text.includes(ESCAPE);
  const spaced = text.includes('\u00a0') || text.includes('\u2007') || text.includes('\u202f');
  if (!carriage && !tagged && !coloured && !spaced && prefixes.length === 0) return identity;
  return (raw) => {
    let line = coloured ? raw.replace(CONTROL_SEQUENCE, '') : raw;
    if (carriage) line = withoutCarriageReturns(line);
    if (spaced) line = line.replace(NO_BREAK_SPACE, ' ');
    for (const strip of prefixes) if (!OF_COLLECTOR.test(line)) line = strip(line);
    return tagged && line.includes('<std') ? withoutPrefix(line) : line;
  };
}

function withoutPrefix(line: string): string {
  const prefix = LAUNCHER_PREFIX.exec(line)?.[0];
  if (prefix === undefined) return line;
  return line.slice(prefix.length + (prefix.includes('@') && line[prefix.length] === ' ' ? 1 : 0));
}

function withoutCarriageReturns(line: string): string {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === 13) end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** The byte-order marks of the encodings that shells and editors write, longest first. */
const ENCODINGS: readonly (readonly [mark: readonly number[], name: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The encoding that the first bytes of a file name (PowerShell 5 writes UTF-16); `null` without a byte-order mark. */
export const encodingOf = (bytes: Uint8Array): string | null =>
  ENCODINGS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1] ?? null;

/** The text of bytes in the encoding that their byte-order mark names, UTF-8 without one. The mark is left out. */
export const decoded = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes) ?? 'utf-8').decode(bytes);

/** The lines of an output, without the decoration of launchers and terminals. Its methods are called on it: destructured they lose it. */
export interface Lines {
  /** @throws TooLarge for an output that does not fit into memory: read {@link each} where it may be long */
  readonly lines: readonly string[];
  /** Text after the last newline, normally `''`. A number in it may be truncated, so it is never a figure. */
  readonly tail: string;
  /** The text of these lines; the original text if nothing was stripped. @throws TooLarge like `lines` */
  readonly text: string;
  /** The lines in turn, of an output of any size. @param figures what was read so far @throws TooLarge if they become too many */
  each(figures?: readonly unknown[]): Iterable<string>;
  /** The output in parts of whole lines, for searches within a line. The tail is in the last one. @throws TooLarge for too many figures */
  parts(of?: PartsOf): Iterable<Lines>;
  readonly end: Lines;
  /** The value of an output that is one JSON document and nothing else; `undefined` for any other, and for a large one. */
  readonly json: unknown;
}

/** Bounds of an output that is read in parts. */
export interface PartsOf {
  /** Everything read so far. @default - nothing is kept */
  readonly figures?: readonly unknown[];
  /** True for documents without line ends, of which nothing may be left out. @default false */
  readonly longLines?: boolean;
}

/** An output that cannot be read within the memory that a command may take: its file and the next step. */
export class TooLarge extends Error {}

/** The text of the first part; empty for an empty output. */
export function firstPart(output: Lines): string {
  for (const { text } of output.parts()) return text;
  return '';
}

/** The first match within a line of an output of any size. */
export function firstMatch(output: Lines, pattern: RegExp): RegExpExecArray | null {
  for (const { text } of output.parts()) {
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return null;
}

/** Characters of a text in which its prefixes are looked for. */
const SAMPLE = 2 ** 16;
const BYTE_ORDER_MARK = 0xfeff;

/** The steps that strip the prefixes of an output, as its beginning and its end show them. */
export function prefixesIn(beginning: string, end = ''): ReturnType<typeof prefixesOf> {
  const text = beginning.slice(0, SAMPLE);
  const lines = text.split('\n');
  // A line that the sample cuts does not show its prefix; nor may the last one of an output that was cut off.
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  const shown = [...whole, ...end.slice(-SAMPLE).split('\n').slice(1, -1)];
  return prefixesOf(shown.map(cleanLine(text, [])));
}

/**
 * Splits a text at LF, CR LF (typescript of script(1)) or a bare CR, after which the last piece counts (an overwritten progress line),
 * and strips terminal colours, no-break spaces, tags of launchers and the prefixes that all lines have.
 * @param prefixes of the output of which the text is a part
 */
export function splitLines(marked: string, prefixes?: ReturnType<typeof prefixesOf>): Lines {
  const text = marked.charCodeAt(0) === BYTE_ORDER_MARK ? marked.slice(1) : marked;
  const known = prefixes ?? prefixesIn(text);
  const clean = cleanLine(text, known);
  if (clean === identity) return new TextLines(text);
  const lines = text.split('\n');
  const whole = known.length === 0 ? lines : [...byHost(lines.slice(0, -1)), lines.at(-1) as string];
  return new TextLines(whole.map(clean).join('\n'));
}

/**
 * The lines of a text, split when they are asked for: most searches of a part of a large output need none. A class, since V8 gives an object
 * literal with getters its own hidden class, which outlives it and keeps its text in memory.
 */
class TextLines implements Lines {
  readonly tail: string;
  private split: readonly string[] | undefined;
  private document: { readonly value: unknown } | undefined;

  constructor(readonly text: string) {
    this.tail = text.slice(text.lastIndexOf('\n') + 1);
  }

  get lines(): readonly string[] {
    this.split ??= this.text.split('\n').slice(0, -1);
    return this.split;
  }

  get end(): Lines {
    return this;
  }

  get json(): unknown {
    this.document ??= { value: documentIn(this.text) };
    return this.document.value;
  }

  each(): Iterable<string> {
    return this.lines;
  }

  parts(): Iterable<Lines> {
    return [this];
  }
}

/** Tools print objects; a text that neither begins nor ends as one is not read as such. */
function documentIn(text: string): unknown {
  if (!/^\s{0,100}\{/.test(text) || !/\}\s{0,100}$/.test(text.slice(-101))) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const fields = (line: string): string[] => line.match(/\S+/g) ?? [];

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_A_NUMBER = /^"?[+-]?(?:nan|inf|infinity)"?$/i;

/** Why a figure has no value that no tool can have printed like this: the output is damaged. */
export const UNREADABLE = 'unreadable';
/** Above any rate, size or time: 2^64 bytes and nanoseconds are less. */
export const LARGEST = 1e20;

/** A figure that was read: its value, or `null` with the reason. */
export const readFigure = (value: number): { value: number | null; reason?: string } =>
  Math.abs(value) <= LARGEST ? { value: value === 0 ? 0 : value } : { value: null, reason: UNREADABLE };

/** Parses a printed figure: its value, or `null` with the reason (`nan`, `inf`, `not printed`); `undefined` if it is not a figure. */
export function figure(token: string | undefined): { value: number | null; reason?: string } | undefined {
  if (token === undefined) return undefined;
  if (NUMBER.test(token)) return readFigure(Number(token));
  if (token === '-' || token === 'NA') return { value: null, reason: 'not printed' };
  if (NOT_A_NUMBER.test(token)) return { value: null, reason: `printed as ${token.replaceAll('"', '')}` };
  return undefined;
}
