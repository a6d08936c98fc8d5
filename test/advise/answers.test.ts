import fc from 'fast-check';
import { advise as adviseAny, type Requirement } from '../../lib/advise';
import { caveatsOf } from '../../lib/advise/search';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { renderAdvice } from '../../lib/cli/render/renderAdvice';
import { resolveAll } from '../../lib/config/app';
import { DEPLOYABLE_KINDS } from '../../lib/constructs/storage/registry';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
import { automaticMetadataIops } from '../../lib/storage/lustre/documented';
import { checkLustre } from '../../lib/storage/lustre/rules';
import { draws } from '../support/drawn';
import { cpuMs } from '../support/patience';
import { advise, missedBy, REQUIREMENTS } from './requirements';

/** Drawn requirements. FSXBENCH_DRAWS=10000 is what docs/verification.md tells of. */
const numRuns = Number(process.env.FSXBENCH_DRAWS ?? draws(500, 100));
const lustre = (configuration: object) => configuration as LustreStorage;
/** Requirements that ask for more of one thing. */
const more = (value: number | undefined, times: number) => (value === undefined ? undefined : value * times);
const STRICTER: readonly ((requirement: Requirement) => Requirement)[] = [
  (one) => ({ ...one, readMBps: more(one.readMBps, 1.5) }),
  (one) => ({ ...one, writeMBps: more(one.writeMBps, 1.5) }),
  (one) => ({ ...one, scanMBps: more(one.scanMBps, 1.5) }),
  (one) => ({ ...one, createsPerSecond: more(one.createsPerSecond, 1.5) }),
  (one) => ({ ...one, capacityTB: more(one.capacityTB, 1.5), files: more(one.files, 1.5) }),
  (one) => ({ ...one, burst: one.burst && { ...one.burst, seconds: one.burst.seconds / 1.5 } }),
  (one) => ({ ...one, headroom: (one.headroom ?? 0.2) + 0.3 }),
];

/** The lowest price of anything that meets a requirement; infinity if nothing with a known price does. */
const lowestUsd = ({ options }: ReturnType<typeof adviseAny>): number =>
  Math.min(Number.POSITIVE_INFINITY, ...options.map(({ monthlyUsd }) => monthlyUsd ?? Number.POSITIVE_INFINITY));

/** The configuration without each part that may change nothing: read cache, EFA, metadata IOPS that cost extra. */
function withoutParts(configuration: LustreStorage): LustreStorage[] {
  const { metadata, storageCapacityGiB = 0, driveCacheType, efaEnabled } = configuration;
  const included = automaticMetadataIops(storageCapacityGiB);
  return [
    ...(driveCacheType === 'READ' ? [{ ...configuration, driveCacheType: 'NONE' as const }] : []),
    ...(efaEnabled ? [{ ...configuration, efaEnabled: false }] : []),
    ...(metadata?.mode === 'USER_PROVISIONED' && storageCapacityGiB > 0 && metadata.iops > included
      ? [{ ...configuration, metadata: { ...metadata, iops: included } }]
      : []),
  ];
}

test('no option misses a demand by the tables alone, a stricter requirement is never cheaper, and no part changes nothing', () => {
  const counts = { requirements: 0, answered: 0, options: 0 };
  fc.assert(
    fc.property(REQUIREMENTS, fc.constantFrom(...STRICTER), (requirement, stricter) => {
      const advice = adviseAny(requirement);
      const { options, nearest } = advice;
      for (const { configuration, meets, unmet, monthlyUsd } of options) {
        expect([meets, unmet.filter(({ demand }) => demand !== 'Region')]).toEqual([true, []]);
        const missed = missedBy(lustre(configuration), requirement);
        if (missed.length > 0) throw new Error(`${JSON.stringify(configuration)} misses ${missed.join(', ')}`);
        if (requirement.maxMonthlyUsd !== undefined) expect(monthlyUsd).toBeLessThanOrEqual(requirement.maxMonthlyUsd);
      }
      const lowest = nearest.map(({ lowUsd }) => lowUsd);
      if (options.length === 0) expect(nearest.length).toBeGreaterThan(0);
      else expect(lowest).toEqual(lowest.toSorted((a, b) => a - b));
      for (const { unmet, monthlyUsd } of nearest) expect(unmet.length > 0 || monthlyUsd === null).toBe(true);
      const best = options.find(({ configuration }) => caveatsOf(configuration).length === 0);
      if (best?.monthlyUsd != null)
        for (const one of withoutParts(lustre(best.configuration)))
          if (missedBy(one, requirement).length === 0) throw new Error(`${JSON.stringify(one)} would do`);
      expect(lowestUsd(adviseAny(stricter(requirement)))).toBeGreaterThanOrEqual(lowestUsd(advice) - 0.01);
      counts.requirements += 1;
      counts.answered += Math.sign(options.length);
      counts.options += options.length;
    }),
    { numRuns },
  );
  // A third of what is drawn has an answer at least.
  expect(counts.answered).toBeGreaterThan(counts.requirements / 3);
});

test('AWS accepts everything that is proposed, or shown as close', () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const { options, nearest, rejected } = adviseAny(requirement);
      for (const { configuration } of [...options, ...nearest, ...rejected])
        expect(checkLustre(lustre(configuration)).errors).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('options without a caveat first, each group from the cheapest up, unknown prices last; reasons say only what is so', () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const { options, rejected } = advise(requirement);
      const group = ({ configuration, monthlyUsd }: (typeof options)[number]): number =>
        monthlyUsd === null ? 2 : Number(caveatsOf(configuration).length > 0);
      const prices = options.map((option) => group(option) * 1e9 + (option.monthlyUsd ?? 0));
      expect(prices).toEqual([...prices].sort((a, b) => a - b));
      const [best] = options;
      const least = Math.min(...options.map(({ monthlyUsd }) => monthlyUsd ?? Number.POSITIVE_INFINITY));
      if (best?.monthlyUsd != null)
        expect(/^the cheapest(?!.* without a caveat)/.test(best.why)).toBe(best.monthlyUsd === least);
      for (const { why, monthlyUsd, reason, cheaper } of options) {
        if (/at the price of 1/.test(why)) expect(monthlyUsd).toBe(best?.monthlyUsd);
        expect(monthlyUsd === null).toBe(reason !== null);
        for (const one of cheaper) {
          expect(one.misses).not.toEqual([]);
          expect(one.monthlyUsd ?? Number.NEGATIVE_INFINITY).toBeLessThan(monthlyUsd ?? Number.POSITIVE_INFINITY);
        }
      }
      const priced = options.flatMap(({ monthlyUsd, throughputMBps: { baseline }, pareto }) =>
        monthlyUsd === null ? [] : [{ usd: monthlyUsd, rate: baseline, pareto }],
      );
      for (const { usd, rate, pareto } of priced) {
        const asCheap = priced.filter((other) => other.usd <= usd).map((other) => other.rate);
        const cheaper = priced.filter((other) => other.usd < usd).map((other) => other.rate);
        expect(pareto).toBe(Math.max(...asCheap) === rate && !cheaper.includes(rate));
      }
      const refused = rejected.map(({ monthlyUsd }) => monthlyUsd ?? Number.POSITIVE_INFINITY);
      expect(refused).toEqual([...refused].sort((a, b) => (a === b ? 0 : a - b)));
    }),
    { numRuns: 30 },
  );
});

test('the first line is the answer, and the answer is on one screen of 24 lines and 100 columns', () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const advice = adviseAny(requirement);
      const lines = renderAdvice(advice, null).trimEnd().split('\n');
      const [first = ''] = lines;
      if (advice.options.length === 0)
        expect(first).toMatch(/^Nothing that AWS sells (meets|is documented to meet) these requirements/);
      else expect(first).toMatch(/^Meets (the|both|all \d+|\d+ of \d+) requirements?(: |; unknown|, if )/);
      expect([lines.length <= 24, Math.max(...lines.map(({ length }) => length)) <= 100]).toEqual([true, true]);
    }),
    { numRuns: 30 },
  );
});

test('an answer takes less than a second of CPU time, however much is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(REQUIREMENTS, async (requirement) => {
      const once = () => cpuMs(() => advise(requirement));
      const first = await once();
      // A collection of what others left behind may fall into it.
      expect(first < 1000 ? first : Math.min(await once(), await once())).toBeLessThan(1000);
    }),
    {
      numRuns: 30,
      examples: [
        [{ readMBps: 10_000_000, writeMBps: 10_000_000, together: true, capacityTB: 20_000, ratio: 1.01 }],
        [{ createsPerSecond: 1e9, capacityTB: 20_000 }],
        [{ capacityTB: 20_000, workingSetGiB: 18_000_000, readMBps: 1, ratio: 255 }],
        [{ capacityTB: 30, files: 200_000_000, readMBps: 60_000 }],
      ],
    },
  );
});

test("what a fragment says, the application's reader accepts and makes of it what was proposed", () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const { options, nearest } = advise(requirement);
      for (const { configuration, cdkJson } of [...options, ...nearest]) {
        const { benchmarks, refused } = resolveAll(BENCHMARKS, cdkJson.context, DEPLOYABLE_KINDS);
        expect(refused).toEqual([]);
        for (const { definition, arms } of benchmarks) {
          if (cdkJson.context[definition.name] === undefined) continue;
          for (const { storage } of arms) {
            const {
              version: _,
              dataCompressionType: __,
              stripeCount: ___,
              storageType = 'SSD',
              ...made
            } = storage as LustreStorage;
            const { dataCompressionType: ____, storageType: wanted = 'SSD', ...rest } = configuration;
            const tidy = (value: object) => JSON.parse(JSON.stringify(value));
            expect({ ...tidy(made), storageType }).toEqual({ ...tidy(rest), storageType: wanted });
          }
        }
      }
    }),
    { numRuns: 10 },
  );
});

test('head-room buys what a higher rate without it does, and space that stays free what more data do', () => {
  const need = fc.record(
    {
      readMBps: fc.double({ min: 1, max: 10_000, noNaN: true }),
      writeMBps: fc.double({ min: 1, max: 10_000, noNaN: true }),
      createsPerSecond: fc.integer({ min: 1, max: 100_000 }),
    },
    { requiredKeys: [] },
  );
  const bought = (requirement: Requirement) =>
    advise(requirement).options.map(({ configuration, monthlyUsd }) => [JSON.stringify(configuration), monthlyUsd]);
  fc.assert(
    fc.property(need, fc.constantFrom(0.1, 0.2, 1), fc.constantFrom(0.5, 0.8), (rates, headroom, maxFill) => {
      const times = (factor: number) =>
        Object.fromEntries(Object.entries(rates).map(([key, value]) => [key, value * factor]));
      const least = { capacityTB: 0.001 };
      expect(bought({ ...least, ...rates, headroom })).toEqual(bought({ ...least, ...times(1 + headroom) }));
      // With its own working set; otherwise all data are one.
      const data = (capacityTB: number) => ({ ...rates, capacityTB, workingSetGiB: 100 });
      const provisioned = (requirement: Requirement) =>
        bought(requirement).filter(([configuration]) => !/INTELLIGENT/.test(String(configuration)));
      expect(provisioned({ ...data(20), maxFill })).toEqual(provisioned({ ...data(20 / maxFill), maxFill: 1 }));
    }),
    { numRuns: 15 },
  );
});
