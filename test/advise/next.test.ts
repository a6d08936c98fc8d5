import { advise, type Requirement } from '../../lib/advise';
import { cheapestSustaining } from '../../lib/advise/next';
import { storageOf, withKind } from '../../lib/storage/lookup';

const seriesOf = (configuration: Parameters<typeof withKind>[0]) => {
  const known = withKind(configuration);
  return storageOf(known).price.candidates?.seriesOf(known);
};

const REQUIREMENTS: readonly Requirement[] = [
  { writeMBps: 3000, capacityTB: 40, ratio: 2 },
  { readMBps: 12_000, writeMBps: 2000, capacityTB: 100 },
  { writeMBps: 1000, createsPerSecond: 20_000, capacityTB: 10, headroom: 0 },
  { readMBps: 3000, writeMBps: 1000, together: true, capacityTB: 10 },
  { readMBps: 5000, capacityTB: 10 },
];

test.each(REQUIREMENTS)(
  'what sustains more is what advise ranks first of that kind for the higher rate: %o',
  (asked) => {
    const { options } = advise(asked);
    for (const option of options) {
      // As a page shows it: the demand whose rate is the lowest.
      const demand = option.demands.reduce((low, one) =>
        one.throughputMBps.baseline < low.throughputMBps.baseline ? one : low,
      );
      const MBps = demand.throughputMBps.baseline * 1.5;
      const faster = cheapestSustaining(option, asked, demand, MBps);
      const { headroom = 0.2 } = asked;
      const target = MBps / (1 + headroom);
      // Of a mix both parts are raised alike.
      const { readMBps = 0, writeMBps = 0 } = asked;
      const times = target / (readMBps + writeMBps);
      const raised = {
        ...asked,
        ...(demand.mode === 'mixed'
          ? { readMBps: readMBps * times, writeMBps: writeMBps * times }
          : { [demand.mode === 'read' ? 'readMBps' : 'writeMBps']: target }),
      };
      const same = advise(raised).options.filter(
        ({ configuration }) => seriesOf(configuration) === seriesOf(option.configuration),
      );
      const cheapest = Math.min(...same.flatMap(({ monthlyUsd }) => monthlyUsd ?? []));
      expect(faster?.monthlyUsd ?? Number.POSITIVE_INFINITY).toBe(cheapest);
      if (faster !== null) expect(faster.throughputMBps.baseline).toBeGreaterThanOrEqual(target);
    }
  },
);

test('the budget is no bound: what is asked is what the next limit costs', () => {
  const asked = { writeMBps: 3000, capacityTB: 40, maxMonthlyUsd: 20_000 };
  const option = advise(asked).options.find(({ monthlyUsd }) => monthlyUsd !== null);
  const demand = option?.demands[0];
  if (option === undefined || demand === undefined) throw new Error('no option');
  expect(cheapestSustaining(option, asked, demand, 100_000)?.monthlyUsd).toBeGreaterThan(20_000);
});

test('where clients are the limit no file system sustains more', () => {
  const asked = { writeMBps: 1000, clients: { count: 1, instanceType: 'c5n.9xlarge' } };
  const [option] = advise(asked).options;
  const demand = option?.demands[0];
  if (option === undefined || demand === undefined) throw new Error('no option');
  expect(cheapestSustaining(option, asked, demand, 1e5)).toBeNull();
});
