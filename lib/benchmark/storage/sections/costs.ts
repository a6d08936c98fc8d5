import type { RunSummary } from '../../../analysis/summary';
import { counted, NO_VALUE, usd } from '../../../kit/format/units';
import { type Block, columns, numbers, quantity, remark, table } from '../../../report/blocks';
import type { Section } from '../../../report/sections/section';
import { ofStorage, sizeWords } from './cells';
import { studyCosts } from './monthly';
import { doneOf, pricesOf, type StorageWork, sameWork, unitCosts, worksOf } from './results';

/** The study's calculation, its errors, and the cost of this run's storages. */
export const storageCosts: Section = {
  id: 'storage-costs',
  title: 'Cost',
  isResult: true,
  after: 'pipeline',
  blocks(run) {
    if (!ofStorage(run)) return [];
    return [
      table({
        caption: 'Monthly cost as the study calculated it',
        columns: [...columns('Storage', 'Formula'), ...numbers('As published', 'A month, corrected')],
        rows: studyCosts().map(({ storage, formula, usd: published, per, monthlyUsd, erratum }) => [
          [storage, erratum && { below: `Erratum: ${erratum}` }],
          formula,
          quantity(published, (value) => `${usd(value)} a ${per}`),
          quantity(monthlyUsd, usd),
        ]),
      }),
      ...today(run),
      remark(
        'The study leaves out the instances that serve LizardFS; the list price of an arm holds its servers and volumes. The clients count while data are moved.',
      ),
    ];
  },
};

function today(run: RunSummary): Block[] {
  const prices = pricesOf(run);
  const rates = doneOf(run, 'throughput');
  const basis = run.record.manifest?.stack?.priceBasis;
  const works = worksOf(rates).filter(({ operation }) => operation === 'write');
  const most = Math.max(0, ...works.map(({ threads }) => threads));
  const columnsOf = works.filter(({ threads }) => threads === most);
  const words = (work: StorageWork): string =>
    work.fileBytes < 1e6
      ? `USD per million files of ${sizeWords(work.fileBytes)}`
      : `USD per TB in files of ${sizeWords(work.fileBytes)}`;
  return [
    table({
      caption: `Today’s list prices${basis ? ` (${basis})` : ''}, and what writing costs at the measured rate`,
      columns: [
        ...columns('Arm'),
        ...numbers('USD a month', ...columnsOf.map((work) => `${words(work)}, ${counted(most, 'thread')}`)),
      ],
      rows: prices.map(({ arm, monthlyUsd, hourlyUsd, reason }) => [
        { arm },
        quantity(monthlyUsd, usd, { reason, below: reason }),
        ...columnsOf.map((work) => {
          const rate = rates.find((one) => one.arm === arm && sameWork(one, work))?.mean ?? null;
          const why = run.lab
            ? 'nothing in the lab costs money'
            : hourlyUsd === null
              ? 'no price'
              : rate === null
                ? 'not measured'
                : null;
          if (why !== null || hourlyUsd === null || rate === null)
            return quantity(null, () => NO_VALUE, { reason: why, below: why });
          const { perTb, perMillion } = unitCosts(hourlyUsd, rate, work.fileBytes);
          return quantity(work.fileBytes < 1e6 ? perMillion : perTb, usd);
        }),
      ]),
    }),
  ];
}
