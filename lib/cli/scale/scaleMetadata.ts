import { isUnanswered } from '../../common/aws/explain';
import { wholeFrom } from '../../common/field';
import { checkId, type FsxApi, fsxApi } from '../../scale/fileSystem';
import { changeMetadata, checkMetadataChange, type MetadataChange, type MonthlyUsd } from '../../scale/metadata';
import { isMetadataIops, METADATA_IOPS_ALLOWED, nextMetadataIops } from '../../storage/lustre/documented';
import { type CliContext, printJson, UsageError } from '../context';
import { confirm } from '../input/confirm';
import { quantity } from '../input/quantity';
import { renderDuration } from '../render/answer';
import { type CommonOptions, refusing, secondsOf, waitOptions } from './scaleOptions';

/** `fsxbench scale metadata FS --iops N`: shows the cost, raises, waits. */
export async function scaleMetadataCommand(
  context: CliContext,
  fileSystemId: string,
  options: CommonOptions & { readonly iops: string },
): Promise<void> {
  const iops = quantity('--iops', options.iops, wholeFrom(1)) as number;
  const api = await askable(fileSystemId, iops);
  const change = await refusing(async () => checkMetadataChange(await api.describe(fileSystemId), iops, api.region));
  const document = { schema: 'fsxbench.scale/1', action: 'metadata', ...change };
  if (!options.json) sayMetadata(context, change);
  if (change.nothing || options.dryRun) {
    if (options.json) printJson(context, { ...document, dryRun: options.dryRun ?? false, changed: false, seconds: 0 });
    else if (options.dryRun) context.out('dry run: nothing was changed\n');
    return;
  }
  const { difference } = change.monthlyUsd;
  const extra = difference === null ? '' : ` for an extra ${difference.toFixed(2)} USD per month`;
  await confirm(context, `Raise them${extra}?`, options.yes ?? false);
  const seconds = await secondsOf(() => changeMetadata(api, change, waitOptions(context)));
  if (options.json) printJson(context, { ...document, dryRun: false, changed: true, seconds });
  else context.out(`${fileSystemId} has ${iops} metadata IOPS after ${renderDuration(seconds)}\n`);
}

/** Reads the file system, whose type limits the IOPS. If AWS cannot be reached, only general limits are checked. @throws UsageError */
async function askable(fileSystemId: string, iops: number): Promise<FsxApi> {
  const checked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      await refusing(async () => checkId(fileSystemId));
      if (!isMetadataIops(iops))
        throw new UsageError(`'--iops' must be ${METADATA_IOPS_ALLOWED}, got ${iops}: use ${nextMetadataIops(iops)}`);
      throw error;
    }
  };
  const api = await checked(() => fsxApi());
  return { ...api, describe: (id) => checked(() => api.describe(id)) };
}

function sayMetadata(
  context: CliContext,
  { fileSystemId, from, to, nothing, monthlyUsd, notes }: MetadataChange,
): void {
  if (nothing) {
    context.out(`${fileSystemId} already has ${to.iops} metadata IOPS, ${to.mode}: nothing to do\n`);
    return;
  }
  context.out(`${fileSystemId}: ${from.iops} metadata IOPS (${from.mode}) → ${to.iops} (${to.mode})\n`);
  context.out(`${costLine(monthlyUsd)}\n`);
  for (const note of notes) context.out(`- ${note}\n`);
}

function costLine({ before, after, difference, reason }: MonthlyUsd): string {
  if (difference === null) return `the extra cost is unknown: ${reason}`;
  const total = before === null || after === null ? '' : `: ${before.toFixed(2)} → ${after.toFixed(2)}`;
  return `${difference.toFixed(2)} USD more per month at list prices${total}`;
}
