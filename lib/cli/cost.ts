import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { BENCHMARKS } from '../benchmark/all';
import { type BenchmarkDefinition, SCALES } from '../benchmark/definition';
import { LUSTRE_DASHBOARD_STACK } from '../config/app';
import { type BenchmarkConfiguration, resolveBenchmark } from '../config/benchmark';
import { ConfigurationError } from '../config/problem';
import { readSettings } from '../config/read';
import { costDocument } from '../cost/cost';
import { deploymentLines, partsOf } from '../cost/deployment';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, UsageError } from './context';
import { documentedPlan, oneOf } from './plan';
import { regionOf } from './quantity';
import { renderDuration, renderTable } from './table';

/** What cdk.json and `-c` say, as for `cdk deploy`. @throws UsageError naming a text that sets nothing */
export function stackContext(root: string, texts: readonly string[]): Record<string, unknown> {
  const set = texts.map((text) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (key === undefined) throw new UsageError(`-c takes key=value, such as clients=4, got '${text}'`);
    return [key, value];
  });
  const file = join(root, 'cdk.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { context?: object }).context : {};
  return { ...kept, ...Object.fromEntries(set) };
}

/** The benchmark as `cdk deploy` would make it. @throws UsageError with every setting that is wrong */
export function configured(
  definition: BenchmarkDefinition,
  root: string,
  options: { readonly scale?: string; readonly context: readonly string[]; readonly region?: string },
): BenchmarkConfiguration {
  const scale = options.scale === undefined ? {} : { scale: oneOf('scale', options.scale, SCALES) };
  try {
    const names = [...BENCHMARKS.map((one) => one.name), LUSTRE_DASHBOARD_STACK];
    const settings = readSettings(stackContext(root, options.context), definition.name, names);
    return resolveBenchmark(definition, { ...settings, ...scale }, options.region);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.problems.join('; '));
    throw error;
  }
}

interface CostOptions {
  readonly scale?: string;
  readonly context: readonly string[];
  readonly region: string;
  readonly json?: boolean;
}

/** `fsxbench cost BENCHMARK`: list prices, line by line, before anything is deployed. */
export function costCommand(context: CliContext, name: string, options: CostOptions): void {
  const definition = benchmarkNamed(name);
  const configuration = configured(definition, context.root, options);
  const { scale } = configuration;
  const region = regionOf(options.region);
  const document = costDocument(region, deploymentLines(partsOf(configuration), region));
  if (options.json) {
    printJson(context, document);
    return;
  }
  const money = (value: number | null): string => (value === null ? 'unknown' : value.toFixed(4));
  const rows = document.lines.map((line) => [
    line.item,
    String(line.quantity ?? 'unknown'),
    line.unit,
    money(line.unitPrice),
    money(line.hourly),
    line.reason ?? '',
  ]);
  context.out(renderTable(['item', 'quantity', 'unit', 'USD/unit', 'USD/h', ''], rows));
  context.out(
    `\n${definition.name} at scale ${scale} in ${region}: ${money(document.hourly)} USD/h (list prices of ${document.pricesAsOf}, a month taken as ${document.hoursPerMonth} h)\n`,
  );
  // A plan for another fleet or other file systems is made when they are there.
  if (!isDeepStrictEqual(configuration, resolveBenchmark(definition, { scale }))) return;
  const { expectedSeconds } = documentedPlan(definition, { plan: 'paired', scale, set: [] }).totals;
  if (document.hourly !== null)
    context.out(
      `the paired plan takes about ${renderDuration(expectedSeconds)}: ${((document.hourly * expectedSeconds) / 3600).toFixed(2)} USD while it runs; deployment and what the stack stands idle come on top\n`,
    );
}
