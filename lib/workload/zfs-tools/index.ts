import type { ParsedSample } from '../../schema/parse';
import type { CommandFile } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import { figure, type Lines } from '../common/parse/lines';
import type { Tool } from '../tool';

/** Properties that are figures, with their unit where `-p` was given; all sizes are bytes (zfsprops(7)). */
const unitOf = (property = ''): ParsedSample['unit'] | undefined => {
  if (/^(?:ref)?compressratio$/.test(property)) return '1';
  return /^(?:used|available|referenced|logicalused|logicalreferenced|recordsize)$/.test(property) ? 'B' : undefined;
};

/** `tank/lz4	compressratio	1.97	-`: dataset, property, value and, unless left out, its source; older releases end a ratio with an x. */
const GET = /^([A-Za-z][\w.:/@ -]*)\t([a-z0-9_:@]+)\t([^\t]*)(?:\t[^\t]*)?$/;
/** `tank	45580288	2101903360	1	243	9422	3305016`: pool, bytes allocated and free, operations and bytes per second read and written. */
const IOSTAT = /^([A-Za-z][\w.:-]*)((?:\t(?:\d+|-)){6})$/;

const isZfsGet = (text: string): boolean =>
  text.includes('\t') && text.split('\n').some((line) => unitOf(GET.exec(line)?.[2]) !== undefined);
const isZpoolIostat = (text: string): boolean =>
  text.includes('\t') && text.split('\n').some((line) => IOSTAT.test(line));

/** Neither ends with a mark: only its exit status shows that an output is whole. */
function finding(samples: ParsedSample[], { exitStatus }: CommandFile): ParserFinding {
  const tests = [...new Set(samples.map(({ test }) => test))];
  return {
    complete: samples.length > 0 && exitStatus === 0,
    incompleteReason: 'ZFS prints no end marker: the exit status must come from the command',
    problems: samples.length > 0 ? [] : ['no_result_rows'],
    samples,
    tests: tests.map((test) => ({ test: test ?? '' })),
  };
}

/** `zfs get -Hp`: the figures among the properties. Without `-p` a size is rounded to a few digits, and no figure. */
function parseZfsGet({ lines }: Lines, command: CommandFile): ParserFinding {
  const samples = lines.flatMap((line): ParsedSample[] => {
    const [, dataset, property = '', value = ''] = GET.exec(line) ?? [];
    const unit = unitOf(property);
    if (dataset === undefined || unit === undefined) return [];
    const found = figure(value.replace(/(?<=\d)x$/, '')) ?? { value: null, reason: `printed as ${value}` };
    return [{ operation: 'space', test: dataset, iteration: null, metric: property, unit, ...found }];
  });
  return finding(samples, command);
}

const COLUMNS = [
  ['space', 'allocated_bytes', 'B', 1],
  ['space', 'free_bytes', 'B', 1],
  ['read', 'operations', 'op/s', 1],
  ['write', 'operations', 'op/s', 1],
  ['read', 'throughput', 'MB/s', 1e6],
  ['write', 'throughput', 'MB/s', 1e6],
] as const;

/** `zpool iostat -Hp POOL SECONDS COUNT`: a row an interval, of which the first is the average since the pool was imported. */
function parseZpoolIostat({ lines }: Lines, command: CommandFile): ParserFinding {
  const intervals = new Map<string, number>();
  const samples = lines.flatMap((line): ParsedSample[] => {
    const [, pool, cells] = IOSTAT.exec(line) ?? [];
    if (pool === undefined || cells === undefined) return [];
    const iteration = (intervals.get(pool) ?? -1) + 1;
    intervals.set(pool, iteration);
    const values = cells.slice(1).split('\t');
    return COLUMNS.map(([operation, metric, unit, divisor], index) => {
      const { value, ...reason } = figure(values[index]) ?? { value: null, reason: 'not printed' };
      const common = { operation, test: pool, iteration, metric, unit };
      return { ...common, value: value === null ? null : value / divisor, ...reason };
    });
  });
  return finding(samples, command);
}

/** ZFS's commands about datasets and pools. Only their output is supported. */
export const zfsTools: Tool = {
  id: 'zfs-tools',
  formats: [
    { recognizes: isZpoolIostat, parse: parseZpoolIostat },
    { recognizes: isZfsGet, parse: parseZfsGet },
  ],
  program: '(?:zfs|zpool)',
};
