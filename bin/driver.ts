/**
 * The driver: `node driver.js --run DIR [--bucket NAME --prefix runs/B/ID]`, started by assets/client/bin/start-run on the leader.
 * Exit: 0 every step has its values and they are in the bucket; 1 not so; 130 interrupted. Either way `run --resume` goes on.
 */
import { parseArgs } from 'node:util';
import { printable } from '../lib/kit/format/printable';
import { Heartbeat } from '../lib/run/heartbeat';
import { goFirst } from '../lib/run/precedence';
import { readClientConfig, runSession } from '../lib/run/session';
import { S3Store } from '../lib/store/bucket';
import { readManifest } from '../lib/store/documents';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { run: { type: 'string' }, bucket: { type: 'string' }, prefix: { type: 'string' } },
  });
  if (!values.run) throw new Error('usage: driver.js --run DIR [--bucket NAME --prefix PREFIX]');
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => abort.abort());

  const client = readClientConfig(process.env.FSXBENCH_CLIENT_CONFIG ?? '/etc/fsxbench/client.json');
  const manifest = readManifest(values.run);
  if (Object.values(client.arms).some(({ model }) => model !== undefined)) goFirst();
  const heartbeat = manifest.stack ? new Heartbeat(manifest.stack.name) : null;
  heartbeat?.start();
  try {
    const { status, uploadError } = await runSession({
      folder: values.run,
      client,
      abort: abort.signal,
      environment: process.env,
      ...(values.bucket && values.prefix
        ? { results: { store: new S3Store(values.bucket), prefix: values.prefix } }
        : {}),
      onStatus: (changed) => {
        const { updatedAt, state, stepsDone, stepsTotal, message } = changed;
        console.error(printable(`${updatedAt} ${state} ${stepsDone}/${stepsTotal} ${message}`));
        void heartbeat?.note(changed);
      },
    });
    await heartbeat?.note(status);
    if (heartbeat?.lastError) console.error(`driver: the run's metrics could not be published: ${heartbeat.lastError}`);
    if (uploadError)
      console.error(`driver: results are kept in ${values.run} only: ${uploadError}; resume the run to upload them`);
    if (status.state === 'interrupted') return 130;
    return status.state === 'done' && uploadError === null ? 0 : 1;
  } finally {
    heartbeat?.stop();
  }
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(`driver: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
