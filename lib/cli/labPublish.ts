import { clientPublisher } from '../lab/metrics/clients';
import { createPublisher, emulatorCloudWatch, endOfPeriod } from '../lab/metrics/publisher';
import { isServedByModel } from '../lab/model';
import { linkCounters, modelServers, substituteServers } from '../lab/model/machine';
import { labPaths } from '../lab/paths';
import { readState } from '../lab/state';
import { findDeployment } from '../run/deployed';
import { readClientConfig } from '../run/driver/session';
import { describeArms } from '../run/manifest';
import { codecOf, storageOf } from '../storage/lookup';
import { type CliContext, Unsuccessful } from './context';

/** `fsxbench lab publish`, which the lab starts by itself: publishes the metrics of a benchmark's file systems until it is ended. */
export async function labPublishCommand(context: CliContext, benchmark: string): Promise<void> {
  context.unwatched?.();
  const paths = labPaths(context.root);
  const state = await readState(paths);
  if (state === null) throw new Unsuccessful('the lab is not up: npx fsxbench lab up');
  const { deployment } = await findDeployment(benchmark);
  const described = await describeArms(deployment.arms);
  const client = readClientConfig(paths.clientConfig);
  const storages = deployment.arms.flatMap(({ name, fileSystemId, configuration }) => {
    const mountPoint = client.arms[name]?.mountPoint;
    const { account, monitoring: { metrics } = {} } = storageOf(configuration);
    const stored = state.storages.find((storage) => storage.mountPoint === mountPoint);
    if (mountPoint === undefined || metrics === undefined || stored === undefined) return [];
    // As it was deployed, which a user's settings may have changed.
    const deployed = account.fromDescription(described.get(fileSystemId) ?? null, configuration) ?? configuration;
    const { arm, model, master } = stored;
    const substitute = master === undefined ? null : substituteServers(paths, arm, { mountPoint, master });
    const served = (isServedByModel(stored) ? modelServers(paths, arm) : substitute) ?? undefined;
    return { fileSystemId, mountPoint, service: metrics, compressed: codecOf(deployed) !== null, model, served };
  });
  const cloudwatch = emulatorCloudWatch(context.environment);
  const servers = storages.flatMap(({ served }) => served ?? []);
  const publishClients = clientPublisher(cloudwatch, deployment, () => Promise.all(servers.map(linkCounters)));
  const publisher = createPublisher({ client: cloudwatch, storages, publishClients });
  // Until it is ended, or the lab is.
  while ((await readState(paths)) !== null) {
    await publisher.publishOnce().catch((error: Error) => {
      context.err(`${new Date().toISOString()} ${error.message}\n`);
    });
    await endOfPeriod();
  }
}
