import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIELDS } from '../../lib/config/fields';
import { predict } from '../../lib/predict';
import { sumOf } from '../../lib/price/cost';
import type { StorageConfiguration } from '../../lib/schema/deployment';
import { PLAIN_DIRECTORY } from '../../lib/storage/common/substitutes';
import { filesystemNamed } from '../../lib/storage/filesystems';
import { describeLimit, limitLabel } from '../../lib/storage/limitNames';
import { isNeverDeployed, maxClientsOf, storageNamed, storageOf } from '../../lib/storage/lookup';
import type { Storage } from '../../lib/storage/storage';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'settings.md'), 'utf8');

/** A storage with the smallest configuration that can be made of it. */
export interface Candidate {
  readonly storage: Storage;
  readonly smallest: StorageConfiguration;
}

/** Promises of every storage, whoever wrote it; each throws for one that does not. */
export const PROMISES: Readonly<Record<string, (candidate: Candidate) => void>> = {
  'has a smallest configuration, which its schema takes and its rules have nothing against': ({
    storage,
    smallest,
  }) => {
    expect(storage.configuration.schema.safeParse(smallest).error).toBeUndefined();
    expect(storage.configuration.check(smallest).errors).toEqual([]);
    expect(storageOf(smallest).kind).toBe(storage.kind);
  },

  'refuses what is no configuration': ({ storage }) => {
    for (const wrong of ['other', undefined, null, 7, { kind: 'other' }, { kind: 7 }])
      expect([wrong, storage.configuration.schema.safeParse(wrong).success]).toEqual([wrong, false]);
  },

  'refuses its own configuration under another kind': ({ storage, smallest }) => {
    expect(storage.configuration.schema.safeParse({ ...smallest, kind: 'other' }).success).toBe(false);
  },

  'describes itself in one line': ({ storage, smallest }) => {
    expect(storage.label).toMatch(/\S/);
    expect(storage.configuration.describe(smallest)).toMatch(/^\S[^\n]*\S$/);
  },

  'has prices in us-east-1, or says why it has none': ({ storage, smallest }) => {
    const lines = storage.price.cost(smallest, { region: 'us-east-1', label: 'arm a' });
    for (const { item, hourly, reason, source } of lines) {
      expect(item).toMatch(/^arm a/);
      expect([item, hourly === null ? /\S/.test(reason ?? '') : Number.isFinite(hourly) && source !== '']).toEqual([
        item,
        true,
      ]);
    }
    const { hourlyUsd, reason } = sumOf(lines);
    expect(hourlyUsd === null ? reason : Number.isFinite(hourlyUsd)).toBeTruthy();
    // An unknown price is never replaced by an invented one.
    for (const { hourly, missingPrice } of storage.price.cost(smallest, { region: 'xx-nowhere-1' }))
      expect([hourly, missingPrice]).not.toEqual([expect.any(Number), undefined]);
  },

  'has finite limits, each with where it is said': ({ storage, smallest }) => {
    const clients = { count: 2, networkBaselineMbps: 10_000, ebsBaselineMBps: 1000 };
    for (const mode of ['read', 'write'] as const) {
      for (const limit of storage.documented.limits(smallest, { mode, clients, ratio: 2, region: 'us-east-1' })) {
        expect(limit.name).toMatch(/^[a-z_]+$/);
        expect([limit.name, describeLimit(limit.name)]).toEqual([limit.name, expect.stringMatching(/ /)]);
        expect(limitLabel(limit.name)).not.toContain('_');
        expect(limit.baselineMBps).toBeGreaterThan(0);
        expect(Number.isFinite(limit.burstMBps) && limit.burstMBps >= limit.baselineMBps).toBe(true);
        expect(limit.source).toMatch(/\w{4}/);
      }
    }
  },

  'is predicted by its limits, reads and writes together between each alone': ({ storage, smallest }) => {
    const clients = { count: Math.min(2, maxClientsOf(storage) ?? 2), instanceType: 'c6in.16xlarge' };
    const rateOf = (readShare: number) => {
      const { throughputMBps, limits, binding } = predict({ configuration: smallest, readShare, clients });
      expect(limits.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.values(binding)));
      return throughputMBps.baseline;
    };
    if (storage.documented.limits(smallest).length === 0) {
      expect(() => rateOf(0)).toThrow(
        `nobody documents limits for this file system: ${storage.configuration.describe(smallest)}`,
      );
      return;
    }
    const [write, mixed, read] = [rateOf(0), rateOf(0.5), rateOf(1)];
    expect(mixed).toBeGreaterThanOrEqual(Math.min(write, read) * (1 - 1e-6));
    expect(mixed).toBeLessThanOrEqual(Math.max(write, read) * (1 + 1e-6));
  },

  'has candidates that could be bought and deployed, of which a larger one is never slower': ({ storage }) => {
    const { candidates } = storage.price;
    for (const { sizes, at } of candidates?.families({ reads: true, filesPerSecond: 5000, ratio: 2 }) ?? []) {
      const some = [...new Set([0, 1, Math.floor(sizes / 2), sizes - 1])].filter((size) => size < sizes);
      const rates = some.map((size) => {
        const configuration = at(size);
        expect([configuration, storage.configuration.check(configuration).errors]).toEqual([configuration, []]);
        expect(storage.configuration.schema.safeParse(configuration).error).toBeUndefined();
        const settings = candidates?.settings(configuration) ?? {};
        for (const [key, value] of Object.entries(settings))
          expect([key, storage.configuration.settings[key]?.schema.safeParse(value).success]).toEqual([key, true]);
        expect(candidates?.settings(storage.configuration.withSettings({ kind: storage.kind }, settings))).toEqual(
          settings,
        );
        expect(candidates?.series).toContain(candidates?.seriesOf(configuration));
        return predict({ configuration }).throughputMBps.baseline;
      });
      expect(rates).toEqual([...rates].sort((a, b) => a - b));
    }
  },

  'is considered by advise, or says why not': ({ storage }) => {
    const { candidates, notAdvised } = storage.price;
    if (!isNeverDeployed(storage))
      expect([candidates === undefined, notAdvised ?? '']).toEqual([
        notAdvised !== undefined,
        expect.stringMatching(candidates === undefined ? /\w \w/ : /^$/),
      ]);
  },

  'has one metric at most in each role, and presumes none that its table does not have': ({ storage }) => {
    const { table = [], assumed: presumed } = storage.monitoring?.metrics ?? {};
    const roles = table.flatMap(({ role }) => role ?? []);
    expect(roles).toEqual([...new Set(roles)]);
    const names = new Set(table.map(({ name }) => name));
    expect((presumed?.('a', null) ?? []).filter(({ metric }) => !names.has(metric))).toEqual([]);
  },

  'counts addresses, alarms and quotas': ({ storage, smallest }) => {
    // None for what hangs on one client, or is reached by a gateway.
    expect(storage.account.addresses?.(smallest) ?? 0).toBeGreaterThanOrEqual(0);
    // Without any counters, there is nothing to watch.
    expect(storage.monitoring?.alarmMetrics(smallest, ['bytes_written']) ?? 0).toBeGreaterThanOrEqual(
      storage.monitoring?.metrics ? 1 : 0,
    );
    for (const { name, code, service, unit, of, usual } of storage.account.quotas ?? []) {
      expect([name, code, service, unit].filter((text) => text === '')).toEqual([]);
      expect(of(smallest)).toBeGreaterThanOrEqual(0);
      if (usual !== undefined) expect(of(smallest)).toBeLessThanOrEqual(usual.value);
    }
  },

  'documents every setting, says what each takes, and shares none with another storage under another meaning': ({
    storage,
  }) => {
    for (const [key, field] of Object.entries(storage.configuration.settings)) {
      expect(page).toContain(`\n- \`${key}\``);
      expect(field.allowed).toMatch(/\S/);
      expect(field.next).toMatch(/\.$/);
      expect([key, FIELDS[key]]).toEqual([key, field]);
      expect([key, field.schema.safeParse({ no: 'value' }).success]).toEqual([key, false]);
    }
  },

  'is the same without settings, and of the same kind with any': ({ storage, smallest }) => {
    expect(JSON.parse(JSON.stringify(storage.configuration.withSettings(smallest, {})))).toEqual(
      JSON.parse(JSON.stringify(smallest)),
    );
    expect(storage.configuration.withSettings(smallest, { clients: 4 }).kind).toBe(storage.kind);
  },

  'makes nothing of a description that is not its own, and the plan of one that says nothing': ({
    storage,
    smallest,
  }) => {
    expect(storage.account.fromDescription(null)).toBeNull();
    expect(storage.account.fromDescription({ FileSystemId: 'fs-1', FileSystemType: 'NONE' })).toBeNull();
    if (!isNeverDeployed(storage)) expect(storage.account.fromDescription(null, smallest)).toMatchObject(smallest);
  },

  'names stand-ins that the lab can make, each with a type that the driver can work on': ({ storage, smallest }) => {
    for (const about of [['bytes_written'], ['metadata_operations']] as const) {
      const standIns = storage.substitutes(smallest, about);
      expect(standIns.length).toBeGreaterThan(0);
      expect(new Set(standIns.map(({ name }) => name)).size).toBe(standIns.length);
      for (const { name, label, filesystem, actually, program } of standIns) {
        expect([name, label, actually].filter((text) => !/^\S[^\n]*\S$/.test(text))).toEqual([]);
        expect(filesystemNamed(filesystem).type).toBe(filesystem);
        if (program === null) expect(name).toBe(PLAIN_DIRECTORY.name);
        else expect(() => accessSync(join(ROOT, 'assets', program.path), constants.X_OK)).not.toThrow();
      }
    }
  },

  'is found by its kind': ({ storage }) => {
    expect(storageNamed(storage.kind).kind).toBe(storage.kind);
  },
};
