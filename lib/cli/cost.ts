import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { BENCHMARKS } from '../benchmark/registry';
import { renderTable } from '../common/format/text';
import { writeWhole } from '../common/writeWhole';
import { resolveBenchmark } from '../config/benchmark';
import { deploymentLines, partsOf } from '../cost/deployment';
import { PRICES_FILE, readPriceFile } from '../cost/priceFile';
import { mergedPrices, refreshPrices } from '../cost/refresh';
import { defaultPlan } from '../plan/plan';
import { type CostDocument, costDocument, describeBasis, knownUsd, missingPrices } from '../price/cost';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';
import { configured } from './input/configurationOptions';
import { bookOf, regionNamed } from './input/environment';
import { documentedPlan } from './plan';
import { renderDuration } from './render/answer';

/** `fsxbench cost --refresh`: writes AWS's own prices of a Region to a file that all other commands then use. */
export async function refreshPriceFile(context: CliContext, region: string): Promise<void> {
  const path = join(context.root, PRICES_FILE);
  let old = null;
  try {
    old = existsSync(path) ? readPriceFile(path) : null;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}, after removing the existing file`);
  }
  const { file, ambiguous } = await refreshPrices(region, {
    // Named like the AWS SDK's endpoint variables.
    from: context.environment.AWS_ENDPOINT_URL_PRICING,
    onProgress: (code) => context.err(`reading AWS's price list ${code} of ${region}\n`),
  }).catch((error: Error) => {
    throw new Unsuccessful(
      `${error.message}. No price was changed; write prices.json on a computer that can reach the lists, and copy it to ${path}`,
    );
  });
  writeWhole(path, `${JSON.stringify(mergedPrices(old, file, region), null, 2)}\n`);
  const instances = Object.keys(file.instances[0]?.prices ?? {}).length;
  context.err(
    `${path}: ${file.prices.length} prices and those of ${instances} instance types of ${region}, published by AWS on ${file.asOf}\n`,
  );
  if (ambiguous.length > 0) context.err(`skipped, since AWS lists several prices for each: ${ambiguous.join(', ')}\n`);
}

interface CostOptions {
  readonly region?: string;
  readonly context: readonly string[];
  readonly refresh?: boolean;
  readonly json?: boolean;
}

/** `fsxbench cost BENCHMARK`: list prices before a deployment, line by line. Exit status 1 without a total, if a price is unknown. */
export async function costCommand(context: CliContext, name: string | undefined, options: CostOptions): Promise<void> {
  const region = regionNamed(context, options.region);
  const definition = name === undefined ? null : benchmarkNamed(name);
  if (definition === null && options.refresh !== true)
    throw new UsageError(
      `missing required argument 'benchmark': name one of ${BENCHMARKS.map((each) => each.name).join(', ')}, or give --refresh`,
    );
  const configuration = definition === null ? null : configured(definition, context.root, { ...options, region });
  if (options.refresh) await refreshPriceFile(context, region);
  if (definition === null || configuration === null) return;
  const { scale } = configuration;
  const book = bookOf(context);
  const lines = deploymentLines(partsOf(configuration), region, book);
  const document = costDocument(region, lines, book);
  const missing = missingPrices(lines, region);
  if (options.json) printJson(context, document);
  else context.out(renderCost(document, `${definition.name} at scale ${scale}`, missing));
  if (missing !== null) throw new Unsuccessful(missing);
  // Plans for other fleets or file systems are made once these are deployed.
  if (options.json || !isDeepStrictEqual(configuration, resolveBenchmark(definition, { scale }))) return;
  const { name: plan } = defaultPlan(definition);
  const { expectedSeconds } = documentedPlan(definition, { plan, scale, set: [] }).totals;
  const usd = `${document.hourly === null ? 'more than ' : ''}${((knownUsd(lines) * expectedSeconds) / 3600).toFixed(2)} USD`;
  context.out(
    `the ${plan} plan takes about ${renderDuration(expectedSeconds)}: ${usd} while it runs; deployment and idle time are extra\n`,
  );
}

function renderCost(document: CostDocument, what: string, missing: string | null): string {
  const { lines, region, hourly, hoursPerMonth, basis } = document;
  const money = (value: number | null): string => (value === null ? 'unknown' : value.toFixed(4));
  const rows = lines.map((line) => [
    line.item,
    String(line.quantity ?? 'unknown'),
    line.unit,
    money(line.unitPrice),
    money(line.hourly),
    line.asOf ?? '–',
    line.confidence ?? '–',
    line.reason ?? line.range ?? '',
  ]);
  const columns = ['item', 'quantity', 'unit', 'USD/unit', 'USD/h', 'as of', 'confidence', ''];
  const total = hourly === null ? `more than ${money(knownUsd(lines))}` : money(hourly);
  const sum = `${total} USD/h (${describeBasis(basis)}; a month taken as ${hoursPerMonth} h)`;
  return `${renderTable(columns, rows)}\n${what} in ${region}: ${missing === null ? sum : 'unknown'}\n`;
}
