import { Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { camelCase } from '../../kit/format/strings';
import type { ArmView, StorageConstruct } from '../../storage/construct';
import type { Limit, LimitOptions } from '../../storage/slices/documented';
import { ceilingsOf, graph, idOf, perSecond, throughputGraphs } from './graph';

/** A storage whose own servers count what they do, and publish it by fsxbench's names. */
interface CountingStorage<C> extends StorageConstruct {
  readonly configuration: C;
  metric(name: string, options?: cloudwatch.MetricOptions): cloudwatch.Metric;
}

type Arm<C> = ArmView<CountingStorage<C>>;

const rate = <C>(arm: Arm<C>, name: string, options?: cloudwatch.MathExpressionOptions) =>
  perSecond(arm.storage.metric(name), `${camelCase(name)}_${idOf(arm)}`, options);

/**
 * Throughput of the clients, as servers count it.
 *
 * @param names names of the limits on a graph
 */
export const countedThroughput = <C>(
  arms: readonly Arm<C>[],
  limitsOf: (configuration: C, options: LimitOptions) => readonly Limit[],
  names: Readonly<Record<string, string>>,
): cloudwatch.IWidget[] =>
  throughputGraphs(arms, {
    width: 12,
    rate: (arm, mode) => rate(arm, mode === 'write' ? 'BytesWritten' : 'BytesRead'),
    ceilings: ({ storage }, mode) =>
      ceilingsOf(limitsOf(storage.configuration, { mode, region: Stack.of(storage).region }), names),
  });

/** Operations a second by their names; a single one is drawn in the colour of its arm. */
export const countedOperations = <C>(
  arms: readonly Arm<C>[],
  title: string,
  names: readonly string[],
): cloudwatch.IWidget =>
  graph({
    ...{ title, width: 8, unit: 'operations/s' },
    left: arms.flatMap((arm) =>
      names.map((name) =>
        rate(arm, name, { label: `${arm.name} ${name}`, ...(names.length === 1 && { color: arm.colour }) }),
      ),
    ),
  });
