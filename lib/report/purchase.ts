import { optionWords } from '../advise/wording';
import { askedGBps, purchaseOf, type Reached } from '../analysis/limits/purchase';
import type { RunSummary } from '../analysis/summary';
import { grouped, plain } from '../kit/format/units';
import type { Sentence } from '../kit/page/arms';
import { basisWords } from '../price/basis';

/** Sentences on the file system to buy for the fastest arm's performance. */
export function purchaseSentences(summary: RunSummary): Sentence[] {
  if (summary.cells.length === 0) return [];
  const elsewhere = summary.record.elsewhere;
  if (elsewhere !== null) return [[`${elsewhere.purchase}: npx fsxbench advise ranks what AWS documents.`]];
  const purchase = purchaseOf(summary);
  if (purchase === null) return [];
  const { reached, best, armMonthlyUsd } = purchase;
  const { arm } = reached;
  const words = reachedWords(reached).join(', ');
  if (best === null || best.monthlyUsd === null) {
    const why =
      best === null ? 'No single file system is documented to sustain' : 'No price is known for what sustains';
    return [[`${why} what `, { arm }, ` reached (${words}).`]];
  }
  const own = armMonthlyUsd === null ? [] : [`, against $${grouped(armMonthlyUsd)} for `, { arm }];
  return [
    [
      'For what ',
      { arm },
      ` reached (${words}), the cheapest that is documented to sustain it is ${optionWords(best.configuration)}: $${grouped(best.monthlyUsd)} a month without clients (${basisWords(best.basis)})`,
      ...own,
      '.',
    ],
    [`With the capacity that you need: npx fsxbench advise ${flagsOf(reached).join(' ')} --capacity TB.`],
  ];
}

function reachedWords({ writeMBps, readMBps, ratio, createsPerSecond }: Reached): string[] {
  return [
    ...(writeMBps === null ? [] : [`${plain(writeMBps)} MB/s written`]),
    ...(readMBps === null ? [] : [`${plain(readMBps)} MB/s read`]),
    ...(ratio === null ? [] : [`data at ${ratio}:1`]),
    ...(createsPerSecond === null ? [] : [`${grouped(createsPerSecond)} files created a second`]),
  ];
}

/** For `fsxbench advise`. */
function flagsOf({ writeMBps, readMBps, ratio, createsPerSecond }: Reached): string[] {
  return [
    ...(writeMBps === null ? [] : [`--write ${askedGBps(writeMBps)}`]),
    ...(readMBps === null ? [] : [`--read ${askedGBps(readMBps)}`]),
    ...(ratio === null ? [] : [`--ratio ${ratio}`]),
    ...(createsPerSecond === null ? [] : [`--metadata ${createsPerSecond}`]),
  ];
}
