import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Token } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as z from 'zod';
import { compressionBench } from '../../lib/benchmark/compression';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { field } from '../../lib/common/field';
import type { StorageConstruct } from '../../lib/constructs/storage/construct';
import { DEPLOYABLE_KINDS } from '../../lib/constructs/storage/registry';
import type { StorageConfiguration } from '../../lib/schema/deployment';
import { isNeverDeployed, storageNamed, storageOf } from '../../lib/storage/lookup';
import { STORAGES } from '../../lib/storage/registry';
import type { MetricRole, Storage } from '../../lib/storage/storage';
import { ofType, resourcesOf, stacksWith } from '../support/cdk';
import { SMALLEST } from './cases';
import { type Candidate, PROMISES } from './contract';

const ROOT = join(__dirname, '..', '..');

const candidate = (storage: Storage): Candidate => ({
  storage,
  smallest: SMALLEST[storage.kind] as StorageConfiguration,
});

describe.each(STORAGES.map((storage) => [storage.kind, storage] as const))('the storage %s', (_, storage) => {
  test.each(Object.entries(PROMISES))('%s', (__, holds) => holds(candidate(storage)));
});

/** A storage with members of its slices changed. */
const changed = (sound: Storage, change: Change): Storage =>
  Object.assign(
    { ...sound },
    ...Object.entries(change).map(([slice, members]) => ({
      [slice]: typeof members === 'object' ? { ...(sound[slice as keyof Storage] as object), ...members } : members,
    })),
  );

type Change = { readonly [Slice in keyof Storage]?: Partial<Storage[Slice]> };

describe('the contract is known to bite: a storage that breaks it on purpose is refused', () => {
  const sound = storageNamed('lustre');
  const line = { item: 'arm a: storage', quantity: 1, unit: 'GB-month', unitPrice: 1, source: 'x', asOf: null };
  const BROKEN: Readonly<Record<keyof typeof PROMISES, readonly [change: Change, says: RegExp]>> = {
    'has a smallest configuration, which its schema takes and its rules have nothing against': [
      {
        configuration: {
          check: () => ({ errors: [{ property: 'x', must: 'never', got: 1, next: '' }], warnings: [] }),
        },
      },
      /never/,
    ],
    'refuses what is no configuration': [{ configuration: { schema: z.any() } }, /"other"/],
    'refuses its own configuration under another kind': [
      { configuration: { schema: z.looseObject({ kind: z.string() }) } },
      /true/,
    ],
    'describes itself in one line': [{ configuration: { describe: () => 'one\ntwo' } }, /one\ntwo/],
    'has prices in us-east-1, or says why it has none': [
      { price: { cost: () => [{ ...line, hourly: null, confidence: null }] } },
      /arm a: storage/,
    ],
    'has finite limits, each with where it is said': [
      { documented: { limits: () => [{ name: 'disk', baselineMBps: 100, burstMBps: 50, source: 'somewhere' }] } },
      /true/,
    ],
    'is predicted by its limits, reads and writes together between each alone': [
      { documented: { limits: () => [] } },
      /did not throw/,
    ],
    'has candidates that could be bought and deployed, of which a larger one is never slower': [
      {
        price: {
          candidates: sound.price.candidates && { ...sound.price.candidates, settings: () => ({ colour: 'red' }) },
        },
      },
      /colour/,
    ],
    'is considered by advise, or says why not': [{ price: { notAdvised: 'it is not' } }, /it is not/],
    'has one metric at most in each role, and presumes none that its table does not have': [
      {
        monitoring: {
          metrics: sound.monitoring?.metrics && {
            ...sound.monitoring.metrics,
            assumed: () => [{ metric: 'Oddities', dimensions: {} }],
          },
        },
      },
      /Oddities/,
    ],
    'counts addresses, alarms and quotas': [{ account: { addresses: () => -1 } }, /0/],
    'documents every setting, says what each takes, and shares none with another storage under another meaning': [
      { configuration: { settings: { colour: field(z.enum(['red']), 'red', 'It is the colour.') } } },
      /- `colour`/,
    ],
    'is the same without settings, and of the same kind with any': [
      { configuration: { withSettings: () => ({ kind: 'other' }) } },
      /other/,
    ],
    'makes nothing of a description that is not its own, and the plan of one that says nothing': [
      { account: { fromDescription: () => ({ kind: 'lustre' }) } },
      /toBeNull/,
    ],
    'names stand-ins that the lab can make, each with a type that the driver can work on': [
      { substitutes: () => [] },
      /> 0/,
    ],
    'is found by its kind': [{ kind: 'gpfs' }, /got 'gpfs'/],
  };

  test('a copy of a sound one passes, so that what fails below fails by its fault', () => {
    for (const holds of Object.values(PROMISES)) holds(candidate({ ...sound }));
  });

  test.each(Object.entries(PROMISES))('%s', (promise, holds) => {
    const [change, says] = BROKEN[promise] ?? [{}, /no storage that breaks it/];
    expect(() => holds(candidate(changed(sound, change)))).toThrow(says);
  });
});

test('every storage has a CDK half, or is local', () => {
  const without = STORAGES.filter(({ kind }) => !DEPLOYABLE_KINDS.includes(kind));
  expect(without.filter((storage) => !isNeverDeployed(storage)).map(({ kind }) => kind)).toEqual([]);
});

const DEPLOYED = STORAGES.filter(({ kind }) => DEPLOYABLE_KINDS.includes(kind));

describe.each(DEPLOYED.map((storage) => [storage.kind, storage] as const))(
  'deployed, the smallest %s',
  (kind, storage) => {
    const { bench } = stacksWith(
      { clients: 1, ...(storage.client.clientProblem && { instanceType: 'c5d.2xlarge' }) },
      undefined,
      undefined,
      {
        ...compressionBench,
        name: 'SmallestBench',
        arms: () => [{ name: 'a', storage: SMALLEST[kind] as StorageConfiguration }],
      },
    );

    test('leaves no finding of cdk-nag', () => {
      expect(new AwsSolutionsChecks().validateScope(bench).violations.map(({ ruleName }) => ruleName)).toEqual([]);
    });

    test('gives its scripts each value that they ask for, in the form that they accept', () => {
      const made = bench.node.findAll().find((one) => 'mountValues' in one) as StorageConstruct;
      const given = new Map<string, string | number>(
        Object.entries({ name: 'a', mountPoint: '/fsx/a', ...made.mountValues() }),
      );
      const scripts = readdirSync(join(ROOT, 'assets/storage', kind), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
      const asked = scripts.flatMap((text) =>
        [...text.matchAll(/arm_value ([A-Z_]+) '([^']+)'/g)].map(([, field = '', form = '']) => ({
          field,
          form,
          text,
        })),
      );
      expect(asked.length).toBeGreaterThan(1);
      for (const { field, form, text } of asked) {
        const value = given.get(field.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
        // Required only if it is given.
        if (value === undefined && text.includes(`\${FSXBENCH_ARM_${field}:-}`)) continue;
        expect({ field, value }).not.toEqual({ field, value: undefined });
        if (!Token.isUnresolved(value)) expect(String(value)).toMatch(new RegExp(`^(?:${form})$`));
      }
    });

    test('has every metric that collect asks for on its dashboard', () => {
      const [[, dashboard]] = ofType(resourcesOf(bench), 'AWS::CloudWatch::Dashboard') as [[string, unknown]];
      const body = JSON.stringify(dashboard);
      // A metric that the service publishes for some configurations only is shown for those.
      const names = (storage.monitoring?.metrics?.table ?? [])
        .filter(({ only }) => only === undefined)
        .map(({ name }) => name);
      expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(body))).toEqual([]);
    });
  },
);

describe('the program of a stand-in', () => {
  const programs = STORAGES.flatMap((storage) =>
    [['bytes_written'], ['metadata_operations']].flatMap((about) =>
      storage.substitutes(SMALLEST[storage.kind] as StorageConfiguration, about as MetricRole[]),
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
            ...process.env,
            ...variables,
            STAND_IN_NAME: `fsxbench-contract-${process.pid}`,
            STAND_IN_FOLDER: folder,
            STAND_IN_MOUNT: join(folder, 'mount'),
            STAND_IN_BYTES: String(2 ** 30),
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
      const { schema } = storageOf(storage).configuration;
      expect(schema.safeParse(storage).error).toBeUndefined();
      expect(storageOf(storage).configuration.check(storage).errors).toEqual([]);
    }
  },
);

test('a kind that is not known is an error that names it and what there is', () => {
  expect(() => storageNamed('gpfs')).toThrow(
    `'kind' of a storage must be one of ${STORAGES.map(({ kind }) => kind).join(', ')}, got 'gpfs'. A file with it was made by another release of fsxbench: use that one.`,
  );
});
