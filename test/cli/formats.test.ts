import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fsxbenchIn } from './support';

/** Documents that others read: a field that is new, renamed, lost or of another type changes the snapshot. */
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-formats-'));
mkdirSync(join(folder, 'data', 'empty'), { recursive: true });
writeFileSync(join(folder, 'data', 'rows.csv'), '1,2,3,4,5,6,7,8\n'.repeat(5000));
writeFileSync(join(folder, 'data', 'none'), '');
afterAll(() => rmSync(folder, { recursive: true }));

const DATA = join(folder, 'data');
const P1 = '--deployment PERSISTENT_1 --per-unit 200 --capacity 14400';
const P2 = '--deployment PERSISTENT_2 --per-unit 1000 --capacity 12000';
const TIERING = '--deployment PERSISTENT_2 --storage-type INTELLIGENT_TIERING --throughput-capacity 4000';

/** Options with which each command prints every field of its document. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  predict: [
    P1,
    `${P1} --ratio 3.75 --clients 4 --instance c5n.9xlarge --mode write`,
    `${P1} --mode read --working-set 100GB --region eu-central-1`,
    `${P1} --processes 8 --in-flight 32 --transfer 64KiB --seconds 60`,
    `${P1} --served-from s3 --files 1000 --file-size 1MB`,
    `${P2} --metadata-iops 192000 --clients 200 --instance c5.9xlarge`,
    '--deployment SCRATCH_2 --capacity 1200 --read-share 30%',
    `${TIERING} --metadata-iops 6000 --read-cache none --mode read`,
  ],
  advise: [
    '--read 5 --write 3 --capacity 40 --metadata 20000 --ratio 2',
    '--write 1 --region eu-central-1 --clients 8 --instance c6in.32xlarge --efa',
    '--read 2 --write 2 --together --working-set 1TB --max-monthly 3000',
    `--write 2 --data ${DATA}`,
  ],
  cost: ['CompressionBench', 'MetadataBench -c scale=smoke', 'CompressionBench --region eu-central-1'],
  'estimate compression': [
    DATA,
    join(DATA, 'empty'),
    `${DATA} --files --record 128K --sector 4K`,
    `${DATA} --sample --record 1M --raidz 5,1`,
  ],
  lint: ['-- ior -w -t 1m -b 1m', '-- dd if=/dev/zero of=/fsx/x bs=1M count=1'],
};

/** Objects whose keys are settings, or names that somebody chose: their form is another one's. */
const OPAQUE = /\.(requirement|configuration|cdkJson|runMetadataPerSecond)$/;

/** A path for each field, with the types of its values in all of these documents. */
function fieldsOf(documents: readonly unknown[]): Record<string, string> {
  const types = new Map<string, Set<string>>();
  const visit = (path: string, value: unknown): void => {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    types.set(path, (types.get(path) ?? new Set()).add(path === '$.schema' ? String(value) : kind));
    if (Array.isArray(value)) for (const one of value) visit(`${path}[]`, one);
    else if (kind === 'object' && !OPAQUE.test(path))
      for (const [key, one] of Object.entries(value as object)) visit(`${path}.${key}`, one);
  };
  for (const document of documents) visit('$', document);
  return Object.fromEntries([...types].map(([path, kinds]) => [path, [...kinds].sort().join(' | ')]));
}

/** Numbers that are null exactly if a field next to them says why. */
const REASONS = { knee: 'kneeReason', monthlyUsd: 'reason', hourly: 'reason', ratio: 'ratioReason' } as const;
/** Objects that repeat the request, and rejected configurations, whose reason is another. */
const FREE = /\.(conditions|rejected\.\d+)$/;

/** Paths of such numbers without a reason, or with one beside a value. */
function unreasoned(value: unknown, path = '$'): string[] {
  if (value === null || typeof value !== 'object') return [];
  const fields = value as Record<string, unknown>;
  const wrong = Object.entries(REASONS).filter(
    ([name, reason]) => name in fields && (fields[name] === null) !== (typeof fields[reason] === 'string'),
  );
  return [
    ...(FREE.test(path) ? [] : wrong.map(([name]) => `${path}.${name}`)),
    ...Object.entries(fields).flatMap(([key, one]) => unreasoned(one, `${path}.${key}`)),
  ];
}

test.each(Object.entries(COMMANDS))('%s prints its format, whole', async (command, options) => {
  const documents = await Promise.all(
    options.map(async (words) => {
      const argv =
        command === 'lint' ? ['lint', '--json', ...words.split(' ')] : `${command} ${words} --json`.split(' ');
      return JSON.parse((await fsxbenchIn({}, argv)).out) as unknown;
    }),
  );
  expect(fieldsOf(documents)).toMatchSnapshot();
  expect(unreasoned(documents)).toEqual([]);
});
