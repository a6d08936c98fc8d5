import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectMetrics } from '../../lib/observe/collect';
import type { Manifest } from '../../lib/schema/run';
import { filesystemNamed } from '../../lib/storage/filesystems';
import { isNeverDeployed, metricInRole, metricNamed } from '../../lib/storage/lookup';
import { STORAGES } from '../../lib/storage/registry';
import { fakeCloudWatch } from '../observe/fakeCloudWatch';

const ASSETS = join(__dirname, '../../assets/storage');
const DEPLOYED = STORAGES.filter((storage) => !isNeverDeployed(storage));

test('a type of file system is worked on in one way only, whichever storages have it', () => {
  for (const {
    client: { filesystems },
  } of STORAGES)
    for (const filesystem of filesystems) expect(filesystemNamed(filesystem.type)).toBe(filesystem);
});

test('every folder of scripts belongs to a storage', () => {
  // A storage that is not deployed may still have a substitute.
  expect(STORAGES.map(({ kind }) => kind)).toEqual(expect.arrayContaining(readdirSync(ASSETS)));
});

describe.each(DEPLOYED.map((storage) => [storage.kind, storage] as const))(
  '%s',
  (kind, { monitoring: { metrics } = {}, client: { filesystems } }) => {
    test.each(['mount', 'check'])('has a script %s that a client can run', (name) => {
      const script = join(ASSETS, kind, name);
      accessSync(script, constants.X_OK);
      expect(readFileSync(script, 'utf8')).toMatch(/^#!\/bin\/bash\n/);
    });

    test('every script says which environment it takes, and ends on the first error', () => {
      for (const entry of readdirSync(join(ASSETS, kind), { withFileTypes: true, recursive: true })) {
        if (!entry.isFile()) continue;
        const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
        if (!text.startsWith('#!')) continue;
        expect(text).toMatch(/^# Environment:/m);
        expect(text).toContain('set -o errexit -o nounset -o pipefail');
      }
    });

    test('names its packages, one a line', () => {
      const path = join(ASSETS, kind, 'packages');
      expect(existsSync(path)).toBe(true);
      const lines = readFileSync(path, 'utf8').split('\n');
      for (const line of lines.filter((one) => one !== '' && !one.startsWith('#')))
        expect(line).toMatch(/^[a-z0-9._+-]+$/);
    });

    test('has each metric once, and one that tells what was written and read', () => {
      // Nobody counts what an instance store moves.
      if (metrics === undefined) return;
      const roles = metrics.table.flatMap(({ role }) => role ?? []);
      // Of a client's own disk, nobody else counts what reaches its cache.
      const told = filesystems[0].remote ? ['bytes_written', 'bytes_read'] : ['disk_bytes_written', 'disk_bytes_read'];
      expect(roles).toEqual(expect.arrayContaining(told));
      const names = metrics.table.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      for (const role of roles) {
        const storage = STORAGES.find((one) => one.kind === kind) ?? null;
        const found = metricInRole(storage, role);
        // Services that share a namespace mean the same by a name.
        const { name, unit } = found ?? {};
        expect(metricNamed(metrics.namespace, name ?? '')).toMatchObject({ name, unit, role });
      }
    });

    test('collect finds every metric that a file system has as a whole, and says why it has no other', async () => {
      if (metrics === undefined) return;
      const dimensions = metrics?.identity('fs-0123') ?? {};
      const namespace = metrics?.namespace ?? '';
      const [absent, ...published] = metrics?.table ?? [];
      const { client } = fakeCloudWatch(published.map(({ name }) => ({ namespace, metric: name, dimensions })));
      const window = { from: new Date('2026-11-22T10:00:00Z'), to: new Date('2026-11-22T10:10:00Z') };
      const arm = {
        name: 'a',
        description: '',
        kind,
        fileSystemId: 'fs-0123',
        describe: null,
        hourlyUsd: null,
        actually: null,
      };
      const manifest = { run: 'r', lab: false, metricsPeriodSeconds: 60, arms: [arm] } as unknown as Manifest;
      const { arms } = await collectMetrics({ manifest, window, client, now: window.to });
      const series = arms.get('a')?.series ?? [];
      expect(new Set(series.map(({ metric }) => metric))).toEqual(new Set(metrics?.table.map(({ name }) => name)));
      const of = (name?: string) => series.find(({ metric }) => metric === name);
      expect(of(absent?.name)).toMatchObject({
        points: [],
        reason: expect.stringMatching(/^the service published none/),
      });
      for (const { name } of published)
        expect(of(name)).toMatchObject({ namespace, dimensions, points: { length: 10 } });
    });
  },
);
