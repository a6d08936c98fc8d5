import { SCALES } from '../benchmark/definition';
import { costDocument } from '../cost/cost';
import { deploymentCost } from '../cost/deployment';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson } from './context';
import { documentedPlan, oneOf } from './plan';
import { regionOf } from './quantity';
import { renderDuration, renderTable } from './table';

/** `fsxbench cost BENCHMARK`: list prices, line by line, before anything is deployed. */
export function costCommand(
  context: CliContext,
  name: string,
  options: { scale: string; region: string; json?: boolean },
): void {
  const definition = benchmarkNamed(name);
  const scale = oneOf('scale', options.scale, SCALES);
  const region = regionOf(options.region);
  const document = costDocument(region, deploymentCost(definition, scale, region).lines);
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
  const { expectedSeconds } = documentedPlan(definition, { plan: 'paired', scale, set: [] }).totals;
  if (document.hourly !== null)
    context.out(
      `the paired plan takes about ${renderDuration(expectedSeconds)}: ${((document.hourly * expectedSeconds) / 3600).toFixed(2)} USD while it runs; deployment and what the stack stands idle come on top\n`,
    );
}
