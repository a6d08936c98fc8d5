import { type Advice, advise, type Requirement } from '../advise';
import { resolve } from '../advise/requirement';
import type { Estimate } from '../estimate';
import type { EstimateOptions } from '../estimate/options';
import { type CliContext, printJson, Unsuccessful } from './context';
import { checkPaths, estimateShown } from './estimate';
import { bookOf, regionNamed } from './input/environment';
import { type AdviseFlags, ofData, requirementOf } from './input/requirement';
import { renderAdvice } from './render/renderAdvice';

/** `fsxbench advise`: the cheapest configurations that meet the requirement. Exit status 3 without one, 1 if no price is known. */
export async function adviseCommand(context: CliContext, flags: AdviseFlags): Promise<void> {
  // Check all flags before reading any data.
  checkPaths(flags.data ?? []);
  const stated = requirementOf(flags, regionNamed(context, flags.region));
  const book = bookOf(context);
  const estimate = flags.data === undefined ? null : await estimateOf(context, flags.data);
  const requirement = estimate === null ? stated : ofData(stated, estimate, flags.data);
  const onBtrfs = flags.data === undefined ? [] : await btrfsOf(context, flags.data, requirement);
  const advice = advise(requirement, book);
  const missing = missingOf(advice);
  if (missing !== null && !flags.json) throw new Unsuccessful(missing);
  const document =
    estimate === null
      ? advice
      : { ...advice, estimate: estimateSummary(estimate), onBtrfs: onBtrfs.map(estimateSummary) };
  if (flags.json) printJson(context, document);
  else context.out(renderAdvice(advice, estimate, onBtrfs, flags.all));
  if (missing !== null) throw new Unsuccessful(missing);
  // Already printed.
  if (advice.options.length === 0) throw new Unsuccessful('', 3);
}

/** A sample is accurate enough, and reads little of a large tree. Ctrl-C stops it and the command. */
export async function estimateOf(
  context: CliContext,
  paths: readonly string[],
  on: Pick<EstimateOptions, 'on' | 'codec'> = {},
): Promise<Estimate> {
  const estimate = await estimateShown(context, { paths, ...on, sample: {} });
  if (!estimate.complete) throw new Unsuccessful('stopped before any data was read');
  if (estimate.ratio === null)
    throw new Unsuccessful(`nothing in '${paths.join("', '")}' could be measured: give --ratio instead`);
  return estimate;
}

async function btrfsOf(context: CliContext, paths: readonly string[], requirement: Requirement): Promise<Estimate[]> {
  const codecs = new Set(
    resolve(requirement).storages.flatMap(({ price: { candidates } }) => candidates?.btrfsCodecs ?? []),
  );
  const estimates: Estimate[] = [];
  for (const codec of codecs) estimates.push(await estimateOf(context, paths, { on: 'btrfs', codec }));
  return estimates;
}

function estimateSummary(estimate: Estimate): object {
  const { mode, codec, files, logicalBytes, allocatedBytes, ratio, interval, assumption } = estimate;
  return { mode, codec, files, logicalBytes, allocatedBytes, ratio, interval, assumption };
}

/** The unknown prices and how to get them, if no option has a price: then nothing can be ranked. */
function missingOf({ options }: Advice): string | null {
  const unknown = options.every(({ monthlyUsd }) => monthlyUsd === null);
  return unknown ? (options.find(({ missing }) => missing !== null)?.missing ?? null) : null;
}
