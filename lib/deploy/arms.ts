import { Annotations, Stack } from 'aws-cdk-lib';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Warning } from '../common/violation';
import type { BenchmarkConfiguration } from '../config/benchmark';
import type { INetwork } from '../constructs/fleet/construct';
import type { ArmView } from '../constructs/storage/construct';
import { deploymentNamed } from '../constructs/storage/registry';
import { colourOf } from '../dashboard/graph';
import type { DescribedArm } from '../observe/benchmarkDashboard';
import type { ModelLimits } from '../schema/model';
import { storageOf } from '../storage/lookup';
import type { StackPrice } from './price';

export function armWarnings({ arms, fleet }: BenchmarkConfiguration): Warning[] {
  const kinds = [...new Set(arms.map(({ storage }) => storage.kind))];
  return kinds.flatMap((kind) => {
    const own = arms.map(({ storage }) => storage).filter((storage) => storage.kind === kind);
    return deploymentNamed(kind).warnings?.(own, { efa: fleet.efa === true }) ?? [];
  });
}

interface Surroundings {
  readonly network: INetwork;
  readonly logGroup: logs.ILogGroup;
  readonly price: StackPrice;
  readonly models?: ModelLimits;
  readonly kmsKey?: kms.IKey;
}

export function deployArms(
  scope: Construct,
  { definition, arms, scale }: BenchmarkConfiguration,
  { network, logGroup, price, models = {}, kmsKey }: Surroundings,
): (ArmView & DescribedArm & { readonly mountPoint: string })[] {
  const { vpc, subnet, egress } = network;
  return arms.map(({ name, storage: configuration }, index) => {
    const { kind } = configuration;
    const props = { vpc, subnet, egress, logGroup, configuration, kmsKey, smoke: scale === 'smoke' };
    const storage = deploymentNamed(kind).deploy(scope, `Storage-${name}`, props);
    for (const { id, reason } of definition.acknowledged ?? []) Annotations.of(storage).acknowledgeWarning(id, reason);
    return {
      name,
      description: storageOf(configuration).configuration.describe(configuration),
      configuration,
      storage,
      region: Stack.of(scope).region,
      resourceId: storage.resourceId,
      parts: storage.parts ?? [storage.resourceId],
      // The address of the construct stays the same from synth to synth, the text of a token does not.
      key: storage.node.addr.slice(-8),
      colour: colourOf(index),
      mountPoint: `/fsx/${name}`,
      hourlyUsd: price.arms[name] ?? null,
      model: models[name],
    };
  });
}
