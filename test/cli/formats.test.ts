import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { fsxbenchIn } from './support';

/**
 * The documents that others read, field by field. A field that is renamed, lost or of another type fails here; one that is new in
 * predict, advise, cost or estimate has to be named here.
 */

const text = z.string().min(1);
const basis = z.strictObject({
  region: text,
  oldest: text.nullable(),
  newest: text.nullable(),
  priced: z.number(),
  thirdParty: z.number(),
  assumed: z.number(),
  undated: z.number(),
  estimated: z.number().optional(),
});
const number = z.number();
const rate = z.strictObject({ baseline: number.positive(), burst: number.positive() });
const binding = z.strictObject({ baseline: limitName(), burst: limitName() });
const finding = z.strictObject({ id: text, message: text });

function limitName() {
  return z.enum(['client_nic', 'client_oss_path', 'server_network', 'disk', 'disk_compressed', 'streams']);
}

/** `null` exactly if a reason is next to it. */
const reasoned = <T extends z.ZodType>(schema: T, name: string, reason: string) =>
  schema.refine((value) => {
    const fields = value as Record<string, unknown>;
    return (fields[name] === null) === (typeof fields[reason] === 'string' && fields[reason] !== '');
  }, `'${name}' is null exactly when '${reason}' says why`);

const configuration = z.strictObject({
  deploymentType: z.enum(['SCRATCH_2', 'PERSISTENT_1', 'PERSISTENT_2']),
  storageType: z.enum(['SSD', 'HDD', 'INTELLIGENT_TIERING']).optional(),
  storageCapacityGiB: number.optional(),
  perUnitStorageThroughput: number.optional(),
  throughputCapacity: number.optional(),
  dataCompressionType: z.enum(['NONE', 'LZ4']).optional(),
  metadata: z
    .union([
      z.strictObject({ mode: z.literal('AUTOMATIC') }),
      z.strictObject({ mode: z.literal('USER_PROVISIONED'), iops: number }),
    ])
    .optional(),
  efaEnabled: z.boolean().optional(),
  driveCacheType: z.enum(['NONE', 'READ']).optional(),
  dataReadCache: z.looseObject({ sizingMode: text }).optional(),
  version: text.optional(),
});

const limit = z.strictObject({
  name: limitName(),
  baselineMBps: number.positive(),
  burstMBps: number.positive(),
  source: text,
});

const expected = z.strictObject({ low: number, expected: number, high: number });
const expectedRate = expected.extend({ bottleneck: text });
const transfer = z.strictObject({
  filesPerSecond: expected,
  MBps: expected.nullable(),
  seconds: expected,
  bottleneck: text,
});

const PREDICT = reasoned(
  z.strictObject({
    schema: z.literal('fsxbench.predict/1'),
    configuration,
    conditions: z.strictObject({
      mode: z.enum(['write', 'read', 'mixed']),
      readShare: number,
      ratio: number.nullable(),
      clients: z.strictObject({ count: number, instanceType: text, efa: z.boolean() }).nullable(),
      workingSetGiB: number.nullable(),
      region: text.nullable(),
    }),
    limits: z.array(limit).min(1),
    binding,
    throughputMBps: rate,
    burst: z.strictObject({ seconds: z.null(), reason: text }),
    perClient: z.strictObject({ limits: z.array(limit).min(1), ceilingMBps: rate, shareMBps: rate }).nullable(),
    knee: number.nullable(),
    kneeReason: text.nullable(),
    cache: z.strictObject({
      memoryGiB: number,
      readCacheGiB: number,
      hitShare: number,
      hitsFrom: z.enum(['memory', 'read cache']).nullable(),
    }),
    servers: z.strictObject({ oss: number, mds: number, ost: number.nullable() }),
    metadataPerSecond: z
      .strictObject({
        file_create: number,
        file_remove: number,
        dir_create: number,
        dir_rename: number,
        dir_remove: number,
      })
      .nullable(),
    metadataReason: text,
    run: z.strictObject({ MBps: expectedRate, requestMs: number.nullable() }).nullable(),
    runMetadataPerSecond: z.record(text, expectedRate).nullable(),
    s3: z
      .strictObject({
        ...{ import: transfer, restore: transfer, lazyLoad: transfer, export: transfer },
        leftWhileExporting: number,
      })
      .nullable(),
    undocumented: z.array(text),
    warnings: z.array(finding),
  }),
  'knee',
  'kneeReason',
);

const priced = { configuration, monthlyUsd: number.nullable(), lowUsd: number.nullable().optional() };
const check = z.strictObject({
  demand: text,
  unit: z.string(),
  asked: z.union([number, text]),
  offered: z.union([number, text]).nullable(),
  met: z.boolean().nullable(),
  reason: text,
});
const cdkJson = z.strictObject({
  context: z.record(text, z.record(text, z.union([text, number, z.boolean()]))),
});
const experiment = { benchmark: text, clients: number, instanceType: text, hourlyUsd: number.nullable() };
const candidate = {
  ...priced,
  reason: text.nullable(),
  knownUsd: number,
  missing: text.nullable(),
  basis,
  meets: z.boolean(),
  unmet: z.array(check),
  checks: z.array(check).min(1),
  throughputMBps: rate,
  binding,
  headroom: number.nullable(),
  flows: z
    .array(
      z.strictObject({
        demand: z.enum(['read', 'write', 'read and write', 'scan']),
        readShare: number,
        MBps: number,
        storageMBps: number,
        throughputMBps: rate,
        binding,
        headroom: number,
      }),
    )
    .min(1),
  capacityTB: number.nullable(),
  fill: number.nullable(),
  warnings: z.array(finding),
  cdkJson,
  proof: z.strictObject({
    experiments: z.array(z.strictObject(experiment)),
    hourlyUsd: number.nullable(),
    cheaper: z.strictObject({ ...experiment, cdkJson, shows: text, cannotShow: text }).optional(),
  }),
};
const option = reasoned(
  z.strictObject({
    ...candidate,
    meets: z.literal(true),
    why: text,
    cheaper: z.array(z.looseObject({ ...priced, reason: text.nullable(), misses: z.array(text).min(1) })),
    pareto: z.boolean().nullable(),
  }),
  'monthlyUsd',
  'reason',
);

const ADVISE = z.strictObject({
  schema: z.literal('fsxbench.advise/1'),
  requirement: z.strictObject({
    readMBps: number.optional(),
    writeMBps: number.optional(),
    capacityTB: number.optional(),
    files: number.optional(),
    taken: z.strictObject({ uncompressed: number, compressed: number }).optional(),
    estimated: z
      .strictObject({
        like: text.nullable(),
        interval: z.strictObject({ low: number, high: number }).optional(),
        least: z.strictObject({ type: text, ratio: number }).nullable(),
      })
      .optional(),
    headroom: number.optional(),
    createsPerSecond: number.optional(),
    ratio: number.optional(),
    workingSetGiB: number.optional(),
    maxMonthlyUsd: number.optional(),
    maxFill: number.optional(),
    hoursPerMonth: number.optional(),
    together: z.boolean().optional(),
    clients: z.strictObject({ count: number, instanceType: text, efa: z.boolean() }).optional(),
    region: text.optional(),
  }),
  region: text,
  currency: z.literal('USD'),
  pricesAsOf: z.iso.date(),
  notes: z.array(finding),
  options: z.array(option),
  nearest: z.array(reasoned(z.looseObject(candidate), 'monthlyUsd', 'reason')),
  changes: z.array(z.strictObject({ ...priced, words: text, requirement: z.looseObject({}) })),
  rejected: z.array(z.strictObject({ ...priced, reason: text })),
  estimate: z.looseObject({ ratio: number }).optional(),
  onBtrfs: z.array(z.looseObject({ codec: text, ratio: number })).optional(),
});

const COST = z
  .strictObject({
    schema: z.literal('fsxbench.cost/1'),
    currency: z.literal('USD'),
    region: text,
    pricesAsOf: z.iso.date(),
    basis,
    hoursPerMonth: z.literal(730),
    hourly: number.nullable(),
    reason: text.optional(),
    lines: z
      .array(
        reasoned(
          z.strictObject({
            item: text,
            quantity: number.nullable(),
            unit: text,
            unitPrice: number.nullable(),
            onceUsd: number.nullable().optional(),
            hourly: number.nullable(),
            hourlyLow: number.optional(),
            range: text.optional(),
            source: text,
            asOf: text.nullable(),
            confidence: z.enum(['aws', 'third-party', 'assumed', 'estimated']).nullable(),
            missingPrice: text.optional(),
            reason: text.optional(),
          }),
          'hourly',
          'reason',
        ),
      )
      .min(1),
  })
  .refine(({ hourly, reason }) => (hourly === null) === (reason !== undefined), 'no sum without a reason');

/** A ratio, or a reason. */
const withRatio = <T extends z.ZodRawShape>(fields: T) =>
  reasoned(
    z.strictObject({ ...fields, ratio: number.nullable(), ratioReason: text.optional() }),
    'ratio',
    'ratioReason',
  );

const figures = {
  allocatedBytes: number,
  uncompressedBytes: number,
  uncompressedInterval: z.strictObject({ low: number, high: number }),
  savings: number.nullable(),
  savingsInterval: z.strictObject({ low: number.nullable(), high: number.nullable() }),
};
const interval = z.strictObject({ low: number.nullable(), high: number.nullable(), confidence: number });
const counts = { files: number, logicalBytes: number, ...figures };
const unmeasured = z.array(z.strictObject({ path: text, reason: text }));
const group = { ...counts, interval, bounds: z.array(withRatio(figures)).min(1) };

const ESTIMATE = reasoned(
  z.strictObject({
    schema: z.literal('fsxbench.estimate/1'),
    mode: z.enum(['full', 'sample']),
    complete: z.boolean(),
    assumption: text,
    uncompressedAssumption: text.nullable(),
    recordBytes: number,
    sectorBytes: number,
    on: z.enum(['lustre', 'zfs', 'btrfs']),
    codec: z.string(),
    stripeCount: number.nullable(),
    raidz: z.strictObject({ disks: number, parity: number }).nullable(),
    ...counts,
    holeBytes: number,
    ratio: number.nullable(),
    ratioReason: text.nullable(),
    interval,
    bounds: z
      .array(withRatio({ recordBytes: number, logicalBytes: number, ...figures, interval, measuredShare: number }))
      .min(1),
    byType: z.array(withRatio({ type: z.string(), ...group })),
    bySize: z.array(withRatio({ sizeClass: text, ...group })),
    unsampledTypes: number,
    unreadable: unmeasured,
    unreadableFiles: number,
    skipped: unmeasured,
    symbolicLinks: number,
    hardLinks: number,
    bytesRead: number,
    seconds: number,
    perFile: z
      .array(
        withRatio({
          path: text,
          logicalBytes: number,
          allocatedBytes: number,
          uncompressedBytes: number,
          uncompressedInterval: z.strictObject({ low: number, high: number }),
        }),
      )
      .optional(),
  }),
  'ratio',
  'ratioReason',
);

/** Lint and plan grow more often: what is new in them need not be named. */
const LINT = z.looseObject({
  schema: z.literal('fsxbench.lint/1'),
  command: text,
  findings: z.array(
    z.looseObject({ id: text, severity: z.enum(['error', 'warning', 'note']), message: text, suggestion: z.string() }),
  ),
});

const PLAN = z.looseObject({
  schema: z.literal('fsxbench.plan/1'),
  benchmark: text,
  plan: z.enum(['paired', 'published']),
  scale: z.enum(['published', 'smoke', 'lab']),
  arms: z
    .array(
      z.looseObject({
        name: text,
        description: text,
        configuration: configuration.extend({ kind: z.literal('lustre'), stripeCount: number.optional() }),
      }),
    )
    .min(1),
  fleet: z.looseObject({ clients: number, instanceType: text.nullable(), ranksPerClient: number }),
  parameters: z.record(text, z.union([z.string(), number, z.boolean(), z.null(), z.array(number)])),
  steps: z
    .array(
      z.looseObject({
        id: text,
        phase: z.enum(['setup', 'warm-up', 'prepare', 'measure', 'conclude', 'clean up']),
        repeat: number,
        compressibility: number.nullable(),
        fileBytes: number.optional(),
        unit: text,
        tasks: z.array(z.looseObject({ arm: text, group: text, action: z.looseObject({ kind: text }) })).min(1),
        expectedSeconds: number,
        deadlineSeconds: number,
      }),
    )
    .min(1),
  detectable: reasoned(z.looseObject({ difference: number.nullable() }), 'difference', 'reason').optional(),
  totals: z
    .strictObject({
      expectedSeconds: number,
      measuredSeconds: number,
      bytesWritten: number.nullable(),
      bytesRead: number.nullable(),
      bytesReason: text.optional(),
      costUsd: number.nullable(),
      costReason: text.optional(),
      costBasis: text.optional(),
    })
    .refine(({ costUsd, costReason }) => (costUsd === null) === (costReason !== undefined), 'no cost without a reason')
    .refine(
      ({ bytesRead, bytesReason }) => (bytesRead === null) === (bytesReason !== undefined),
      'no bytes without one',
    ),
  issues: z.array(
    z.looseObject({
      id: text,
      severity: z.enum(['error', 'warning', 'note']),
      message: text,
      expected: text,
      actual: text,
      suggestion: text.optional(),
    }),
  ),
});

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-formats-'));
mkdirSync(join(folder, 'data', 'empty'), { recursive: true });
writeFileSync(join(folder, 'data', 'rows.csv'), '1,2,3,4,5,6,7,8\n'.repeat(5000));
writeFileSync(join(folder, 'data', 'none'), '');
afterAll(() => rmSync(folder, { recursive: true }));

const P1 = ['predict', '--deployment', 'PERSISTENT_1', '--per-unit', '200', '--capacity', '14400'];
const P2 = ['predict', '--deployment', 'PERSISTENT_2', '--per-unit', '1000', '--capacity', '12000'];
const TIERING = 'predict --deployment PERSISTENT_2 --storage-type INTELLIGENT_TIERING --throughput-capacity 4000'.split(
  ' ',
);

test.each<[string, z.ZodType, readonly string[]]>([
  ['predict', PREDICT, P1],
  ['predict', PREDICT, [...P1, '--ratio', '3.75', '--clients', '4', '--instance', 'c5n.9xlarge', '--mode', 'write']],
  ['predict', PREDICT, [...P1, '--mode', 'read', '--working-set', '100GB', '--region', 'eu-central-1']],
  ['predict', PREDICT, [...P1, '--processes', '8', '--in-flight', '32', '--transfer', '64KiB', '--seconds', '60']],
  ['predict', PREDICT, [...P1, '--served-from', 's3', '--files', '1000', '--file-size', '1MB']],
  ['predict', PREDICT, [...P2, '--metadata-iops', '192000', '--clients', '200', '--instance', 'c5.9xlarge']],
  ['predict', PREDICT, ['predict', '--deployment', 'SCRATCH_2', '--capacity', '1200', '--read-share', '30%']],
  ['predict', PREDICT, [...TIERING, '--metadata-iops', '6000', '--read-cache', 'none', '--mode', 'read']],
  [
    'advise',
    ADVISE,
    ['advise', '--read', '5', '--write', '3', '--capacity', '40', '--metadata', '20000', '--ratio', '2'],
  ],
  [
    'advise',
    ADVISE,
    ['advise', '--write', '1', '--region', 'eu-central-1', '--clients', '8', '--instance', 'c6in.32xlarge', '--efa'],
  ],
  [
    'advise',
    ADVISE,
    ['advise', '--read', '2', '--write', '2', '--together', '--working-set', '1TB', '--max-monthly', '3000'],
  ],
  ['advise', ADVISE, ['advise', '--write', '2', '--data', join(folder, 'data')]],
  ['cost', COST, ['cost', 'CompressionBench']],
  ['cost', COST, ['cost', 'MetadataBench', '-c', 'scale=smoke']],
  ['cost', COST, ['cost', 'CompressionBench', '--region', 'eu-central-1']],
  ['estimate', ESTIMATE, ['estimate', 'compression', join(folder, 'data')]],
  ['estimate', ESTIMATE, ['estimate', 'compression', join(folder, 'data', 'empty')]],
  [
    'estimate',
    ESTIMATE,
    ['estimate', 'compression', join(folder, 'data'), '--files', '--record', '128K', '--sector', '4K'],
  ],
  [
    'estimate',
    ESTIMATE,
    ['estimate', 'compression', join(folder, 'data'), '--sample', '--record', '1M', '--raidz', '5,1'],
  ],
  ['lint', LINT, ['lint', '--', 'ior', '-w', '-t', '1m', '-b', '1m']],
  ['lint', LINT, ['lint', 'dd if=/dev/zero of=/fsx/x bs=1M count=1']],
  ['plan', PLAN, ['plan', 'CompressionBench']],
  ['plan', PLAN, ['plan', 'CompressionBench', '--plan', 'published', '--scale', 'smoke']],
  ['plan', PLAN, ['plan', 'MetadataBench']],
  ['plan', PLAN, ['plan', 'MetadataBench', '--scale', 'lab']],
  ['plan', PLAN, ['plan', 'CompressionBench', '--set', 'repeats=1']],
])('%s prints its format, whole (%#)', async (_, schema, argv) => {
  const { out, err } = await fsxbenchIn(
    {},
    argv[0] === 'lint' ? ['lint', '--json', ...argv.slice(1)] : [...argv, '--json'],
  );
  expect(err.split('\n').filter((line) => line.startsWith('fsxbench:') && line.includes("'--"))).toEqual([]);
  const result = schema.safeParse(JSON.parse(out));
  expect(result.success ? [] : result.error.issues).toEqual([]);
});

test('the schemas refuse a field that is renamed, and a null without its reason', async () => {
  const { out } = await fsxbenchIn({}, [...P1, '--json']);
  const document = JSON.parse(out);
  const { throughputMBps, ...renamed } = document;
  expect(PREDICT.safeParse({ ...renamed, throughput: throughputMBps }).success).toBe(false);
  expect(PREDICT.safeParse({ ...document, knee: null }).success).toBe(false);
  expect(PREDICT.safeParse(document).success).toBe(true);
});
