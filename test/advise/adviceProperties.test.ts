import fc from 'fast-check';
import type { Advice } from '../../lib/advise';
import { caveatsOf } from '../../lib/advise/caveats';
import { renderAdvicePage } from '../../lib/advise/page';
import { dollars } from '../../lib/advise/wording';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { renderAdvice } from '../../lib/cli/render/renderAdvice';
import { resolveAll } from '../../lib/config/app';
import { headline, ticketOf } from '../../lib/explore/option';
import { DEPLOYABLE_KINDS } from '../../lib/storage/constructs';
import type { LustreConfiguration, LustreStorage } from '../../lib/storage/lustre/configuration';
import { checkLustre } from '../../lib/storage/lustre/rules';
import { cpuMs } from '../support/patience';
import { advise, meets, REQUIREMENTS } from './requirements';

const all = ({ options, rejected }: Advice<LustreConfiguration>): readonly LustreConfiguration[] => [
  ...options.flatMap(({ configuration, cheaper }) => [configuration, ...cheaper.map((one) => one.configuration)]),
  ...rejected.map(({ configuration }) => configuration),
];

test('nothing is proposed that synth would refuse, nor that misses what is required', () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const advice = advise(requirement);
      for (const configuration of all(advice)) expect(checkLustre(configuration).errors).toEqual([]);
      for (const { configuration } of advice.options) expect(meets(configuration, requirement)).toBe(true);
      for (const { cheaper } of advice.options)
        for (const one of cheaper) {
          expect(meets(one.configuration, requirement)).toBe(false);
          expect(one.misses).not.toEqual([]);
        }
    }),
    { numRuns: 150 },
  );
});

test('an answer takes less than a second of processor time, however much is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(REQUIREMENTS, async (requirement) => {
      const once = () => cpuMs(() => advise(requirement));
      const first = await once();
      // A collection of what others left behind may fall into it.
      expect(first < 1000 ? first : Math.min(await once(), await once())).toBeLessThan(1000);
    }),
    {
      numRuns: 100,
      examples: [
        [{ readMBps: 10_000_000, writeMBps: 10_000_000, together: true, capacityTB: 20_000, ratio: 1.01 }],
        [{ createsPerSecond: 1e9, capacityTB: 20_000 }],
        [{ capacityTB: 20_000, workingSetGiB: 18_000_000, readMBps: 1, ratio: 255 }],
      ],
    },
  );
});

test('cheapest first, of the same price the one with more room, without a price last', () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const { options } = advise(requirement);
      const group = ({ configuration, monthlyUsd }: (typeof options)[number]): number =>
        monthlyUsd === null ? 2 : Number(caveatsOf(configuration).length > 0);
      const prices = options.map((option) => group(option) * 1e9 + (option.monthlyUsd ?? 0));
      expect(prices).toEqual([...prices].sort((a, b) => a - b));
      options.forEach((option, index) => {
        const next = options[index + 1];
        const isSame = next !== undefined && next.monthlyUsd === option.monthlyUsd && group(next) === group(option);
        if (isSame) {
          // Those of unknown price: by what is known of it.
          expect(option.atLeastUsd).toBeLessThanOrEqual(next.atLeastUsd);
          if (
            next.atLeastUsd === option.atLeastUsd &&
            caveatsOf(next.configuration).length === caveatsOf(option.configuration).length
          )
            expect(option.headroom ?? 0).toBeGreaterThanOrEqual(next.headroom ?? 0);
        }
        expect(option.monthlyUsd === null).toBe(option.reason !== null);
        expect(option.monthlyUsd ?? option.atLeastUsd).toBe(option.atLeastUsd);
        expect(option.headroom ?? 0).toBeGreaterThanOrEqual(0);
      });
    }),
    { numRuns: 60 },
  );
});

test("what a fragment says, the application's reader takes and makes of it what was proposed", () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      for (const { configuration, cdkJson } of advise(requirement).options) {
        const { benchmarks, refused } = resolveAll(BENCHMARKS, cdkJson.context, DEPLOYABLE_KINDS);
        expect(refused).toEqual([]);
        for (const { definition, arms } of benchmarks) {
          if (cdkJson.context[definition.name] === undefined) continue;
          for (const { storage } of arms) {
            const {
              kind: _kind,
              version: _,
              dataCompressionType: __,
              stripeCount: ____,
              storageType = 'SSD',
              ...made
            } = storage as LustreStorage;
            const { dataCompressionType: ___, storageType: wanted = 'SSD', ...rest } = configuration;
            const tidy = (value: object) => JSON.parse(JSON.stringify(value));
            expect({ ...tidy(made), storageType }).toEqual({ ...tidy(rest), storageType: wanted });
          }
        }
        const types = benchmarks.find(({ definition }) => definition.name === 'CompressionBench')?.arms;
        expect(types?.map(({ storage }) => (storage as LustreStorage).dataCompressionType)).toContain(
          configuration.dataCompressionType,
        );
      }
    }),
    { numRuns: 40 },
  );
});

test('the first is called the cheapest, or the fastest, only among those that it is it of', () => {
  const cheaperWithWarning = advise({ writeMBps: 69, ratio: 2.88 });
  const [first, ...others] = cheaperWithWarning.options;
  expect(others.some(({ monthlyUsd }) => (monthlyUsd ?? Infinity) < (first?.monthlyUsd ?? 0))).toBe(true);
  expect(first?.why).toBe('the cheapest that meets it without a warning');
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const { options } = advise(requirement);
      const [best] = options;
      const least = Math.min(...options.map(({ monthlyUsd }) => monthlyUsd ?? Number.POSITIVE_INFINITY));
      if (best?.monthlyUsd != null)
        expect(/^the cheapest that meets it(?! without)/.test(best.why)).toBe(best.monthlyUsd === least);
      for (const { why, monthlyUsd } of options)
        if (/at the price of 1/.test(why)) expect(monthlyUsd).toBe(best?.monthlyUsd);
    }),
    { numRuns: 60 },
  );
  const bought = advise({ maxMonthlyUsd: 300 }).options;
  const [fastest] = bought;
  const rate = Math.max(...bought.map(({ throughputMBps: { baseline } }) => baseline));
  expect(/^the fastest that the budget buys(?! without)/.test(fastest?.why ?? '')).toBe(
    fastest?.throughputMBps.baseline === rate,
  );
});

test('pages and text give an estimated price as the range that it is, with its source, over the hours that are asked for', async () => {
  const requirement = { writeMBps: 500, capacityTB: 5, region: 'eu-west-3', hoursPerMonth: 100 };
  const advice = advise(requirement);
  const option = advice.options.find(({ monthlyUsd, lowUsd }) => monthlyUsd !== null && lowUsd < monthlyUsd);
  if (option?.monthlyUsd == null) throw new Error('no price is a range');
  const range = `${dollars(option.lowUsd)}–${dollars(option.monthlyUsd)}`;
  expect(headline(option)).toContain(`${range} USD a month`);
  expect(ticketOf(option, requirement, '', '')).toMatch(
    new RegExp(`Cost: ${range} USD per month \\(.*estimated.*\\), without clients`),
  );
  const page = await renderAdvicePage(advice);
  expect(page).toContain(range);
  expect(page).toContain('A month is 100 hours; clients are not included.');
});

test('a price without a figure has no unit, and one with a figure has it', () => {
  const unknown = renderAdvice(advise({ writeMBps: 500, capacityTB: 5, region: 'sa-east-1' }), null);
  expect(unknown).toContain(': price not known\n');
  expect(unknown).not.toContain('not known USD');
  const [cheaper = ''] =
    renderAdvice(advise({ writeMBps: 500, capacityTB: 5 }), null, [], true).match(/cheaper: .*/) ?? [];
  expect(cheaper).toMatch(/for [\d.,]+ USD,/);
});

test('a price that is known beside one that is estimated may be the lower or the higher one', () => {
  // In us-west-2 that of PERSISTENT_1 is known, and that of PERSISTENT_2 is between its lowest anywhere and 1.45 times that.
  const { options } = advise({ writeMBps: 2000, capacityTB: 20, region: 'us-west-2' });
  const [first, second] = options;
  expect([first?.monthlyUsd, second?.lowUsd, second?.monthlyUsd]).toEqual([4560, 3480, 5044.8]);
  expect(first?.why).toBe('the cheapest that meets it without a warning, at the upper ends of estimated prices');
  expect(second?.why).toBe('24 % cheaper to 11 % dearer than 1, 1.3 × as fast');
  const cached = options.find(({ configuration }) => 'driveCacheType' in configuration);
  expect(cached?.why).toBe('9 to 59 % dearer than 1, 0.84 × as fast');
  // Where all are estimated alike, the order holds at both ends.
  const frankfurt = advise({ writeMBps: 2000, capacityTB: 20, region: 'eu-central-1' });
  expect(frankfurt.options[0]?.why).toBe('the cheapest that meets it without a warning');
  expect(frankfurt.options[1]?.why).toBe('31 % dearer than 1, 0.8 × as fast');
});
