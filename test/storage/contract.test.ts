import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { FIELDS } from '../../lib/config/fields';
import { sumOf } from '../../lib/cost/cost';
import { predict } from '../../lib/predict';
import { filesystemNamed } from '../../lib/storage/filesystems';
import { PLAIN_DIRECTORY } from '../../lib/storage/kit/standIns';
import { storageNamed, storageOf, withKind } from '../../lib/storage/lookup';
import { STORAGES } from '../../lib/storage/registry';
import type { MetricRole } from '../../lib/storage/role';
import type { Storage, StorageConfiguration } from '../../lib/storage/storage';
import { SMALLEST } from './smallest';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'settings.md'), 'utf8');

describe.each(STORAGES.map((storage) => [storage.kind, storage] as [string, Storage]))(
  'the storage %s',
  (kind, storage) => {
    const smallest = SMALLEST[kind] as StorageConfiguration;

    test('has a smallest configuration, which its schema takes and its rules have nothing against', () => {
      expect(storage.schema.safeParse(smallest).error).toBeUndefined();
      expect(storage.check(smallest).errors).toEqual([]);
      expect(storageOf(smallest)).toBe(storage);
    });

    test.each(['other', undefined, null, 7, { kind: 'other' }, { kind: 7 }])('refuses %j', (wrong) => {
      expect(storage.schema.safeParse(wrong).success).toBe(false);
    });

    test('refuses its own configuration under another kind', () => {
      expect(storage.schema.safeParse({ ...smallest, kind: 'other' }).success).toBe(false);
    });

    test('describes itself in one line', () => {
      expect(storage.label).toMatch(/\S/);
      expect(storage.describe(smallest)).toMatch(/^\S[^\n]*\S$/);
    });

    test('has prices in us-east-1, or says why it has none', () => {
      const lines = storage.cost(smallest, { region: 'us-east-1', label: 'arm a' });
      for (const { item, hourly, reason, source } of lines) {
        expect(item).toMatch(/^arm a/);
        expect([item, hourly === null ? /\S/.test(reason ?? '') : Number.isFinite(hourly) && source !== '']).toEqual([
          item,
          true,
        ]);
      }
      const { hourlyUsd, reason } = sumOf(lines);
      expect(hourlyUsd === null ? reason : Number.isFinite(hourlyUsd)).toBeTruthy();
      // Where nobody knows a price, none is made up.
      for (const { hourly, missingPrice } of storage.cost(smallest, { region: 'xx-nowhere-1' }))
        expect([hourly, missingPrice]).not.toEqual([expect.any(Number), undefined]);
    });

    test('has finite limits, each with where it is said', () => {
      const clients = { count: 2, networkBaselineMbps: 10_000 };
      for (const mode of ['read', 'write'] as const) {
        for (const limit of storage.limits(smallest, { mode, clients, ratio: 2, region: 'us-east-1' })) {
          expect(limit.name).toMatch(/^[a-z_]+$/);
          expect(limit.baselineMBps).toBeGreaterThan(0);
          expect(Number.isFinite(limit.burstMBps) && limit.burstMBps >= limit.baselineMBps).toBe(true);
          expect(limit.source).toMatch(/\w{4}/);
        }
      }
    });

    test('is predicted by its limits, reads and writes together between each alone', () => {
      const clients = { count: 2, instanceType: 'c6in.16xlarge' };
      const rateOf = (readShare: number) => {
        const { throughputMBps, limits, binding } = predict({ configuration: smallest, readShare, clients });
        expect(limits.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.values(binding)));
        return throughputMBps.baseline;
      };
      if (storage.limits(smallest).length === 0) {
        expect(() => rateOf(0)).toThrow(`nobody documents limits for this file system: ${storage.describe(smallest)}`);
        return;
      }
      const [write, mixed, read] = [rateOf(0), rateOf(0.5), rateOf(1)];
      expect(mixed).toBeGreaterThanOrEqual(Math.min(write, read) * (1 - 1e-6));
      expect(mixed).toBeLessThanOrEqual(Math.max(write, read) * (1 + 1e-6));
    });

    test('has candidates that could be bought and deployed, of which a larger one is never slower', () => {
      const { candidates } = storage;
      for (const { sizes, at } of candidates?.families({ readMBps: 500, createsPerSecond: 5000, ratio: 2 }) ?? []) {
        const some = [...new Set([0, 1, Math.floor(sizes / 2), sizes - 1])].filter((size) => size < sizes);
        const rates = some.map((size) => {
          const configuration = withKind(at(size));
          expect([configuration, storage.check(configuration).errors]).toEqual([configuration, []]);
          expect(storage.schema.safeParse(configuration).error).toBeUndefined();
          const settings = candidates?.settings(configuration) ?? {};
          for (const [key, value] of Object.entries(settings))
            expect([key, storage.settings[key]?.schema.safeParse(value).success]).toEqual([key, true]);
          expect(candidates?.settings(storage.withSettings({ kind }, settings))).toEqual(settings);
          expect(candidates?.series).toContain(candidates?.seriesOf(configuration));
          return predict({ configuration }).throughputMBps.baseline;
        });
        expect(rates).toEqual([...rates].sort((a, b) => a - b));
      }
    });

    test('counts addresses, alarms and quotas', () => {
      expect(storage.addresses(smallest)).toBeGreaterThanOrEqual(storage.local ? 0 : 1);
      expect(storage.alarmMetrics(smallest, ['bytes_written'])).toBeGreaterThanOrEqual(storage.local ? 0 : 1);
      for (const { name, code, service, unit, of, usual } of storage.quotas) {
        expect([name, code, service, unit].filter((text) => text === '')).toEqual([]);
        expect(of(smallest)).toBeGreaterThanOrEqual(0);
        if (usual !== undefined) expect(of(smallest)).toBeLessThanOrEqual(usual.value);
      }
    });

    test('documents every setting, says what each takes, and shares none with another storage under another meaning', () => {
      for (const [key, field] of Object.entries(storage.settings)) {
        expect(page).toContain(`| \`${key}\` |`);
        expect(field.allowed).toMatch(/\S/);
        expect(field.next).toMatch(/\.$/);
        expect([key, FIELDS[key]]).toEqual([key, field]);
        expect([key, field.schema.safeParse({ no: 'value' }).success]).toEqual([key, false]);
      }
    });

    test('is the same without settings, and of the same kind with any', () => {
      expect(JSON.parse(JSON.stringify(storage.withSettings(smallest, {})))).toEqual(
        JSON.parse(JSON.stringify(smallest)),
      );
      expect(storage.withSettings(smallest, { clients: 4 }).kind).toBe(kind);
    });

    test('makes nothing of a description that is not its own, and the plan of one that says nothing', () => {
      expect(storage.fromDescription(null)).toBeNull();
      expect(storage.fromDescription({ FileSystemId: 'fs-1', FileSystemType: 'NONE' })).toBeNull();
      if (!storage.local) expect(storage.fromDescription(null, smallest)).toMatchObject(smallest);
    });

    test('names stand-ins that the lab can make, each with a type that the driver can work on', () => {
      for (const about of [['bytes_written'], ['metadata_operations']] as const) {
        const standIns = storage.standIns(smallest, about);
        expect(standIns.length).toBeGreaterThan(0);
        expect(new Set(standIns.map(({ name }) => name)).size).toBe(standIns.length);
        for (const { name, label, filesystem, actually, program } of standIns) {
          expect([name, label, actually].filter((text) => !/^\S[^\n]*\S$/.test(text))).toEqual([]);
          expect(filesystemNamed(filesystem).type).toBe(filesystem);
          if (program === null) expect(name).toBe(PLAIN_DIRECTORY.name);
          else expect(() => accessSync(join(ROOT, 'assets', program.path), constants.X_OK)).not.toThrow();
        }
      }
    });

    test('is found by the name that older manifests have', () => {
      expect(storageNamed(kind)).toBe(storage);
      if (storage.formerly !== undefined) expect(storageNamed(storage.formerly)).toBe(storage);
    });
  },
);

describe('the program of a stand-in', () => {
  const programs = STORAGES.flatMap((storage) =>
    [['bytes_written'], ['metadata_operations']].flatMap((about) =>
      storage.standIns(SMALLEST[storage.kind] as StorageConfiguration, about as MetricRole[]),
    ),
  ).flatMap(({ program }) => (program === null ? [] : [[JSON.stringify(program), program] as const]));

  test.each([...new Map(programs)])(
    '%s says what is missing, and takes away nothing twice',
    (_, { path, variables }) => {
      const folder = mkdtempSync(join(tmpdir(), 'fsxbench-stand-in-'));
      const call = (action: string) =>
        spawnSync('bash', [join(ROOT, 'assets', path), action], {
          encoding: 'utf8',
          env: {
            ...{ ...process.env, ...variables, STAND_IN_NAME: `fsxbench-contract-${process.pid}` },
            ...{ STAND_IN_FOLDER: folder, STAND_IN_MOUNT: join(folder, 'mount'), STAND_IN_BYTES: String(2 ** 30) },
          },
        });
      try {
        const { status, stderr } = call('check');
        expect(stderr).toMatch(status === 0 ? /^$/ : /^[^\n]+\n$/);
        for (const { status: removed, stderr: said } of [call('down'), call('down')])
          expect([removed, said]).toEqual([0, '']);
        expect(call('dance')).toMatchObject({
          status: 1,
          stderr: expect.stringMatching(/check, up or down, got 'dance'\n$/),
        });
        expect(readdirSync(folder)).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});

test.each(BENCHMARKS.map((benchmark) => [benchmark.name, benchmark] as const))(
  'the arms of %s are what their storages take',
  (_, benchmark) => {
    for (const { storage } of [...benchmark.arms('published'), ...benchmark.arms('smoke')]) {
      const { schema } = storageOf(storage);
      expect(schema.safeParse(storage).error).toBeUndefined();
      expect(storageOf(storage).check(storage).errors).toEqual([]);
    }
  },
);

test('a file of the time before there were kinds is one of Lustre', () => {
  expect(storageOf({})).toBe(storageNamed('lustre'));
});

test('a kind that is not known is an error that names it and what there is', () => {
  expect(() => storageNamed('gpfs')).toThrow(
    `'kind' of a storage must be one of ${STORAGES.map(({ kind }) => kind).join(', ')}, got 'gpfs'. A file with it was made by another release of fsxbench: use that one.`,
  );
});
