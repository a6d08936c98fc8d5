/**
 * Published measurements as requests of `predict`: each row of a CSV with the columns of claims/field-measurements.csv becomes one
 * request, or a reason why it cannot be predicted. The measured value is never read for that.
 */

import { instanceType } from '../../lib/fleet/instanceTypes';
import { type Prediction, type PredictRequest, predict } from '../../lib/predict';
import { checkRequest } from '../../lib/predict/request';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
import { efaViolation } from '../../lib/storage/lustre/prediction';
import type { ExpectedRange, ExpectedRate } from '../../lib/storage/performance';

/** A row by column; an empty field is an empty text. */
export type Row = Readonly<Record<string, string>>;

/** A measurement next to its prediction, in the unit of the measurement. */
export interface FieldRow {
  readonly id: string;
  readonly measured: number | null;
  readonly unit: string;
  readonly predicted: ExpectedRange | null;
  readonly bottleneck: string | null;
  readonly within: boolean;
  /** Why there is no prediction. */
  readonly skipped: string | null;
}

const MIB = 2 ** 20;

/** Rows of a CSV file: fields in double quotes may have commas, line breaks and doubled quotes. */
export function rowsOf(text: string): Row[] {
  const records: string[][] = [[]];
  for (const [, quoted, bare = '', end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    records.at(-1)?.push((quoted?.replaceAll('""', '"') ?? bare).trim());
    if (end !== ',') records.push([]);
  }
  const [header = [], ...lines] = records;
  return lines
    .filter((fields) => fields.some((field) => field !== ''))
    .map((fields) => Object.fromEntries(header.map((name, at) => [name, fields[at] ?? ''])));
}

const SIZE_UNITS: Readonly<Record<string, number>> = { k: 10, m: 20, g: 30, t: 40 };

/** Bytes of the first size in a text, the mean of a range such as `1-10 KB`. */
function sizeIn(text = ''): number | undefined {
  const [, from, to = from, unit = '', binary = '', byte = ''] =
    /([\d.]+)(?:\s*-\s*([\d.]+))?\s*([kmgt]?)(i?)(b?)/i.exec(text) ?? [];
  if (from === undefined) return undefined;
  const power = SIZE_UNITS[unit.toLowerCase()] ?? 0;
  const factor = binary === '' && byte !== '' ? 10 ** ((power / 10) * 3) : 2 ** power;
  const size = ((Number(from) + Number(to)) / 2) * factor;
  return size > 0 ? size : undefined;
}

/** The first number of a text, the mean of a range such as `85-170`. */
const numberIn = (text = ''): number | undefined => {
  const [, from, to = from] = /(\d+(?:\.\d+)?)(?:\s*[-–]\s*(\d+(?:\.\d+)?))?/.exec(text.replaceAll(',', '')) ?? [];
  return from === undefined ? undefined : (Number(from) + Number(to)) / 2;
};

/** Words of a row that say how it was measured. */
const wordsOf = ({ command, pattern, tool, notes, operation }: Row): string =>
  [command, pattern, tool, operation, notes].join(' \n ');

/** A name as AWS writes it, such as SCRATCH_2 for `Scratch 2`. */
const named = (text = ''): string => text.toUpperCase().replaceAll(/[\s-]+/g, '_');

/** The configuration; what a source did not state is what most file systems have. */
function configurationOf(row: Row): LustreStorage {
  const { metadata_mode: mode = '' } = row;
  const [type, storage] = [named(row.deployment_type), named(row.storage_type)];
  const iops = numberIn(row.metadata_iops);
  const efaEnabled = row.efa === 'yes';
  const provisioned = iops !== undefined && mode !== 'AUTOMATIC';
  const metadata = provisioned
    ? { mode: 'USER_PROVISIONED' as const, iops }
    : efaEnabled || mode === 'AUTOMATIC'
      ? { mode: 'AUTOMATIC' as const }
      : undefined;
  if (storage.startsWith('INTELLIGENT_TIERING'))
    return {
      kind: 'lustre',
      deploymentType: 'PERSISTENT_2',
      storageType: 'INTELLIGENT_TIERING',
      throughputCapacity: Math.ceil((numberIn(row.throughput_capacity_mbps) ?? 4000) / 4000) * 4000,
      metadata: { mode: 'USER_PROVISIONED', iops: iops ?? 6000 },
      dataReadCache: { sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' },
    };
  const deploymentType = type.startsWith('SCRATCH')
    ? 'SCRATCH_2'
    : type.startsWith('PERSISTENT_1')
      ? 'PERSISTENT_1'
      : 'PERSISTENT_2';
  const isHdd = storage.startsWith('HDD');
  const usual = isHdd ? 12 : deploymentType === 'PERSISTENT_1' ? 100 : 250;
  return {
    kind: 'lustre',
    deploymentType,
    storageType: isHdd ? 'HDD' : 'SSD',
    storageCapacityGiB: numberIn(row.storage_gib) ?? 1200,
    ...(deploymentType === 'SCRATCH_2' ? {} : { perUnitStorageThroughput: numberIn(row.mbps_per_tib) ?? usual }),
    ...(isHdd ? { driveCacheType: /read cache/i.test(row.notes ?? '') ? ('READ' as const) : ('NONE' as const) } : {}),
    ...(deploymentType === 'PERSISTENT_2' && metadata !== undefined ? { metadata } : {}),
    ...(efaEnabled ? { efaEnabled } : {}),
  };
}

/** Clients; a type that is not stated, or not known, is one with a fast network card. */
function clientsOf(row: Row): NonNullable<PredictRequest['clients']> {
  const [stated = ''] = /[a-z][\w-]*\.\d*(?:xlarge|large|medium|metal\S*)/.exec(row.instance_type ?? '') ?? [];
  const type = instanceType(stated);
  const known = type !== null;
  const overTcp = (row.tcp_5gbps_per_oss_MBps ?? '') !== '' || /\btcp\b|without efa|no efa/i.test(wordsOf(row));
  const efa =
    row.efa === 'yes' && !overTcp && (type === null || efaViolation({ name: stated, efa: type.efa }) === null);
  return {
    count: numberIn(row.clients) ?? 1,
    instanceType: known ? stated : efa ? 'p5en.48xlarge' : 'c5n.18xlarge',
    efa,
  };
}

const LATENCY = /^(?:us|µs|ms)$/;
const MAPPED = /mmap|memory.?mapped|\bmapped\b/i;
const DIRECT = /direct|gds|synchronous|O_SYNC|random|randread|randwrite/i;

/** Requests in flight; nothing where the number of processes is not stated. */
function streamsOf(row: Row, clients: number): PredictRequest['streams'] {
  const words = wordsOf(row);
  const processes = numberIn(row.processes) ?? (LATENCY.test(row.unit ?? '') ? 1 : undefined);
  if (processes === undefined) return undefined;
  const each = Math.max(1, Math.round(processes / clients));
  const stated = /(?:--bs[= ]|\bbs=|-t[= ]|-i )(\d+[kmg]i?b?)\b/i.exec(row.command ?? '')?.[1];
  const transferBytes = Math.round(sizeIn(row.block_size) ?? sizeIn(stated) ?? MIB);
  // The kernel reads 256 KiB ahead of a page fault.
  if (MAPPED.test(words)) return { processes: each, inFlight: 1, transferBytes: Math.min(transferBytes, MIB / 4) };
  const total = numberIn(/(\d+) (?:requests )?in flight/i.exec(words)?.[1]);
  if (total !== undefined)
    return { processes: each, inFlight: Math.max(1, Math.round(total / (each * clients))), transferBytes };
  const depth = numberIn(/(?:--iodepth[= ]|iodepth |queue depth )(\d+)/i.exec(words)?.[1]);
  // fio's default engine is synchronous, whatever its --iodepth.
  const synchronous = /--numjobs/.test(row.command ?? '') && !/aio|io_uring/.test(row.command ?? '');
  if (depth !== undefined) return { processes: each, inFlight: synchronous ? 1 : depth, transferBytes };
  // Buffered I/O has eight requests of a MiB in flight: max_rpcs_in_flight of Lustre.
  return DIRECT.test(words)
    ? { processes: each, transferBytes }
    : { processes: each, inFlight: 8, transferBytes: Math.max(MIB, transferBytes) };
}

const HOUR = 3600;

/** Duration of a run: from the state of its burst credits, from its clock, from its command, otherwise short. */
function secondsOf(row: Row): number {
  const words = wordsOf(row);
  if (/credits (?:spent|used|empty|exhausted|gone)|round [2-9]|sustained|steady/i.test(words)) return 24 * HOUR;
  if (/credits (?:full|left|after)|rounds? 1\b/i.test(words)) return 60;
  const duration = numberIn(row.duration_s);
  if (duration !== undefined && duration > 0) return duration;
  const [, runtime] = /--runtime[= ](\d+)/.exec(words) ?? [];
  const [, hours] = /(\d+) h (?:script|run|test)/.exec(words) ?? [];
  return numberIn(runtime) ?? (hours === undefined ? 60 : Number(hours) * HOUR);
}

/** Share of reads in a mix; 0 or 1 in a run of one direction. */
function readShareOf(row: Row): number {
  const words = wordsOf(row);
  const [, share] =
    /rwmixread[= ](\d+)/.exec(words) ?? /mixed (\d+)\/\d+/.exec(words) ?? /\b(\d\d)\/\d\d\b.*mix/.exec(words) ?? [];
  if (share !== undefined) return Number(share) / 100;
  if (/rw=(?:rand)?rw\b/.test(words)) return 0.5;
  return /^read/.test(row.operation ?? '') ? 1 : 0;
}

/** Operations by the words of a row, the first that match. */
const OPERATIONS: readonly (readonly [pattern: RegExp, operation: string])[] = [
  [/outage|create file system|expan|grow|start-up|tier change|rebalanc|failover/, 'administration'],
  [/auto.?export|export/, 's3.export'],
  [/hsm_restore|restore|preload|hydrat|warm/, 's3.restore'],
  [/import/, 's3.import'],
  [/list.*(?:stat|attr)|ls -l/, 'list_attributes'],
  [/^list|\bls\b|readdir/, 'list_names'],
  [/mkdir|dir.*create|create.*dir/, 'dir_create'],
  [/rmdir|dir.*(?:delete|remove)/, 'dir_remove'],
  [/create|creat/, 'file_create'],
  [/delete|remove|unlink|\brm\b/, 'file_remove'],
  [/\bstat\b|stats|open|getattr/, 'file_stat'],
];

const operationOf = ({ operation = '', kind = '', served_from: from = '', unit = '' }: Row): string | undefined => {
  const words = operation.toLowerCase();
  const countsFiles = /^files/.test(unit);
  if (kind === 'administration') return kind;
  if (/^read/.test(words) && (/^s3\b/i.test(from) || /lazy/.test(words))) return 's3.lazyLoad';
  if (/^read/.test(words)) return countsFiles ? 'file_read' : 'throughput';
  if (/^write/.test(words) && countsFiles) return 'file_create';
  if (/^(?:write|mixed|rand)/.test(words)) return 'throughput';
  return OPERATIONS.find(([pattern]) => pattern.test(words))?.[1];
};

/** Values of the columns that choose a configuration; an empty field is one that the source did not state. */
const KNOWN: Readonly<Record<string, RegExp>> = {
  deployment_type: /^(?:SCRATCH_[12]|PERSISTENT_[12])?(?![A-Z0-9])/,
  storage_type: /^(?:SSD|HDD|INTELLIGENT_TIERING)?(?![A-Z0-9])/,
};

/** Why a row cannot be predicted; `null` if it can. */
function skippedOf(row: Row, operation: string | undefined): string | null {
  const words = wordsOf(row);
  if (numberIn(row.value) === undefined) return 'no value is stated';
  for (const [column, known] of Object.entries(KNOWN))
    if (!known.test(named(row[column]))) return `FSx for Lustre has no ${column.replace('_', ' ')} '${row[column]}'`;
  if (operation === 'administration') return 'the time of a change by AWS, which predict does not cover';
  if (row.kind === 'application' || /application load/i.test(words))
    return 'the time of an application, of which storage is a part';
  if (operation === undefined) return `predict has no rate for '${row.operation}'`;
  if (/lower bound/i.test(words)) return 'a lower bound: something else was the limit';
  if (/client page cache/i.test(row.served_from ?? ''))
    return 'data from the memory of the client, whose speed predict does not cover';
  if (operation === 'throughput' && row.storage_gib === '' && row.throughput_capacity_mbps === '')
    return 'the capacity is not stated';
  return null;
}

/** Operations per second of a unit, such as `files/s`. */
const COUNTS = /^(?:ops|op|files|objects|entries|IOPS|creates|deletes|stats|requests|creates|k?iops)(?:\/s)?$/i;
const RATES: Readonly<Record<string, number>> = {
  'KB/s': 1e-3,
  'KiB/s': 1024e-6,
  'MB/s': 1,
  'MiB/s': MIB / 1e6,
  'GB/s': 1e3,
  'GiB/s': 2 ** 30 / 1e6,
  'TB/s': 1e6,
  'TiB/s': 2 ** 40 / 1e6,
  'Gbit/s': 125,
  Gbps: 125,
  Mbps: 0.125,
};
const TIMES: Readonly<Record<string, number>> = {
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  sec: 1,
  min: 60,
  h: HOUR,
  hours: HOUR,
};

const times = ({ low, expected, high }: ExpectedRange, factor: number): ExpectedRange => ({
  low: low * factor,
  expected: expected * factor,
  high: high * factor,
});
const inverse = ({ low, expected, high }: ExpectedRange, amount: number): ExpectedRange => ({
  low: amount / high,
  expected: amount / expected,
  high: amount / low,
});

/** A prediction in the unit of the measurement; `null` if the row lacks what converts it. */
function inUnit(
  row: Row,
  forecast: ExpectedRange,
  isBytes: boolean,
  streams: PredictRequest['streams'],
): ExpectedRange | null {
  const { unit = '' } = row;
  const [files, fileBytes] = [numberIn(row.file_count), sizeIn(row.file_size)];
  const perSecond = RATES[unit];
  const seconds = TIMES[unit];
  const each = isBytes ? (streams?.transferBytes ?? sizeIn(row.block_size)) : fileBytes;
  if (isBytes && perSecond !== undefined) return times(forecast, 1 / perSecond);
  if (isBytes && COUNTS.test(unit))
    return each === undefined
      ? null
      : times(forecast, 1e6 / (/^files/.test(unit) && fileBytes !== undefined ? fileBytes : each));
  if (!isBytes && COUNTS.test(unit)) return forecast;
  if (!isBytes && perSecond !== undefined) return each === undefined ? null : times(forecast, each / 1e6 / perSecond);
  if (seconds === undefined) return null;
  if (LATENCY.test(unit) && isBytes) {
    const bytes = streams?.transferBytes ?? MIB;
    const inFlight = (streams?.processes ?? 1) * (streams?.inFlight ?? 1);
    return inverse(forecast, (bytes * inFlight) / 1e6 / seconds);
  }
  if (LATENCY.test(unit)) return inverse(forecast, (numberIn(row.processes) ?? 1) / seconds);
  if (files === undefined || (isBytes && fileBytes === undefined)) return null;
  return inverse(forecast, (isBytes ? (files * (fileBytes ?? 0)) / 1e6 : files) / seconds);
}

/** The request of a row, whose configuration AWS must sell. */
function requestOf(row: Row, operation: string): PredictRequest {
  const clients = clientsOf(row);
  const isS3 = operation.startsWith('s3.');
  const [files, size] = [numberIn(row.file_count), sizeIn(row.file_size)];
  const readShare = operation === 'throughput' || isS3 ? readShareOf(row) : 0;
  // With a ratio, `predict` compresses; without one, it does not.
  const isCompressed = !['', 'NONE'].includes(row.compression ?? '');
  const ratio = isCompressed ? Math.max(1, numberIn(row.compression_ratio) ?? 1) : undefined;
  const fromMemory =
    readShare > 0 &&
    /memory|\bRAM\b|cached?\b/i.test(row.served_from ?? '') &&
    !/cold|^disk|disk$/i.test(row.served_from ?? '');
  const streams = streamsOf(row, clients.count);
  return {
    configuration: configurationOf(row),
    clients,
    readShare,
    seconds: secondsOf(row),
    ...(ratio === undefined ? {} : { ratio }),
    ...(streams === undefined ? {} : { streams }),
    ...(isS3
      ? { servedFrom: 's3', files: files ?? 1, fileBytes: Math.round(size ?? MIB) }
      : fromMemory
        ? { servedFrom: 'memory' }
        : {}),
    ...(isS3 || files === undefined || files < 1 ? {} : { files }),
    ...(isS3 || size === undefined ? {} : { fileBytes: Math.round(size) }),
  };
}

/** The forecast of an operation, and whether it is in MB/s. */
function forecastOf(
  { run, runMetadataPerSecond, s3 }: Prediction,
  operation: string,
): { readonly forecast: ExpectedRate; readonly isBytes: boolean } | null {
  if (operation === 'throughput') return run && { forecast: run.MBps, isBytes: true };
  if (operation.startsWith('s3.')) {
    const transfer = s3?.[operation.slice(3) as 'import'];
    return transfer === undefined
      ? null
      : { forecast: { ...transfer.filesPerSecond, bottleneck: transfer.bottleneck }, isBytes: false };
  }
  const forecast = runMetadataPerSecond?.[operation];
  return forecast === undefined ? null : { forecast, isBytes: false };
}

/** A measurement next to its prediction. */
export function fieldRow(row: Row): FieldRow {
  const measured = numberIn(row.value) ?? null;
  const { id = '', unit = '' } = row;
  const without = (skipped: string): FieldRow => ({
    id,
    measured,
    unit,
    predicted: null,
    bottleneck: null,
    within: false,
    skipped,
  });
  const operation = operationOf(row);
  const skipped = skippedOf(row, operation);
  if (skipped !== null || operation === undefined || measured === null) return without(skipped ?? 'no value is stated');
  const request = requestOf(row, operation);
  const [breach] = checkRequest(request).errors;
  if (breach !== undefined)
    return without(
      `AWS does not sell this configuration: ${breach.property} must be ${typeof breach.must === 'string' ? breach.must : 'valid'}`,
    );
  const found = forecastOf(predict(request), operation);
  if (found === null) return without('the number of processes is not stated');
  const share =
    operation !== 'throughput' || request.readShare === undefined
      ? 1
      : /^read/.test(row.operation ?? '')
        ? request.readShare || 1
        : 1 - request.readShare || 1;
  const exact = inUnit(row, times(found.forecast, share), found.isBytes, request.streams);
  if (exact === null) return without(`nothing converts the prediction to '${unit}'`);
  const rounded = (value: number): number => Number(value.toPrecision(6));
  const predicted = { low: rounded(exact.low), expected: rounded(exact.expected), high: rounded(exact.high) };
  return {
    id,
    measured,
    unit,
    predicted,
    bottleneck: found.forecast.bottleneck,
    within: measured >= predicted.low && measured <= predicted.high,
    skipped: null,
  };
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
};

/** Errors of `predict` on measurements of grades A and B. */
export function scoreOf(measurements: readonly Row[]) {
  const graded = measurements.filter(({ grade = '' }) => /^[AB]$/.test(grade)).map(fieldRow);
  const predicted = graded.flatMap(({ predicted: interval, measured, within }) =>
    interval === null || measured === null ? [] : [{ ...interval, measured, within }],
  );
  return {
    graded: graded.length,
    predicted: predicted.length,
    inside: predicted.filter(({ within }) => within).length,
    /** Share of the predicted rows within their interval. */
    within: predicted.filter(({ within }) => within).length / predicted.length,
    /** Median of |expected ÷ measured − 1|. */
    medianError: median(predicted.map(({ expected, measured }) => Math.abs(expected / measured - 1))),
    /** The highest quotient of the ends of an interval. */
    widest: Math.max(...predicted.map(({ low, high }) => high / low)),
  };
}

const figure = (value: number): string =>
  value >= 1000 ? Math.round(value).toString() : Number(value.toPrecision(3)).toString();

/** All measurements as a Markdown table, and the score below it. */
export function tableOf(measurements: readonly Row[]): string {
  const lines = measurements.map((row) => {
    const { id, measured, unit, predicted, bottleneck, within, skipped } = fieldRow(row);
    const value = measured === null ? '–' : `${figure(measured)} ${unit}`;
    return predicted === null
      ? [`\`${id}\``, row.grade, value, '–', '', skipped]
      : [
          `\`${id}\``,
          row.grade,
          value,
          `${figure(predicted.expected)} (${figure(predicted.low)} to ${figure(predicted.high)})`,
          bottleneck,
          within ? '' : '**outside**',
        ];
  });
  const head = ['row', 'grade', 'measured', 'predicted (interval)', 'bottleneck', ''];
  const { graded, predicted, inside, within, medianError, widest } = scoreOf(measurements);
  return [
    ...[head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `Of ${graded} measurements of grades A and B, ${predicted} can be predicted, and ${inside} of them (${Math.round(within * 100)}%) are within their interval.`,
    `The median error is ${(medianError * 100).toFixed(1)}%; the widest interval is a factor of ${widest.toFixed(2)}.`,
  ].join('\n');
}
