import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metadataBench } from '../../../lib/benchmark/metadata';
import type { DashboardMetricsFile, MetricsFile } from '../../../lib/schema/metrics';
import type { ModelLimits, ScaleModel } from '../../../lib/schema/model';
import { resourcesOf, stacksWith } from '../../support/cdk';
import { dashboardInTemplate } from '../../support/templateDashboard';

const FOLDER = join(__dirname, '..', '..', 'fixtures', 'model', 'metadata');

const read = <T>(path: string): T => JSON.parse(readFileSync(join(FOLDER, path), 'utf8'));

interface Recorded {
  readonly run: string;
  readonly autoScalingGroup: string | null;
  readonly arms: readonly { readonly name: string; readonly fileSystemId: string; readonly model: ScaleModel }[];
}

/** A recorded lab run of MetadataBench on the dashboard that is deployed for it today. */
export function recordedDashboard() {
  const { run, arms, autoScalingGroup } = read<Recorded>('arms.json');
  const models: ModelLimits = Object.fromEntries(
    arms.map(({ name, model }) => [
      name,
      { scale: model.scale, metadataIops: model.metadata?.writesPerSecond ?? null },
    ]),
  );
  const settings = { ...metadataBench.lab.settings, arms: arms.map(({ name }) => name) };
  const { bench } = stacksWith(settings, { env: { region: 'us-east-1' }, models }, undefined, metadataBench);
  const metrics = arms.map(({ name }) => read<MetricsFile>(`metrics/${name}.json`));
  const shown = read<DashboardMetricsFile>('metrics/dashboard/series.json');
  return {
    title: `MetadataBench: dashboard of the run ${run}`,
    dashboard: dashboardInTemplate(resourcesOf(bench), { arms, fleet: { autoScalingGroup } }),
    series: [...metrics.flatMap(({ series }) => series), ...shown.series],
    window: shown.window,
    note: 'The values come from the lab: they describe this computer, not a file system on AWS.',
  };
}
