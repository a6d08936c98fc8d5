/**
 * The driver: `node driver.js --run DIR [--bucket NAME --prefix runs/B/ID]`, started by assets/client/bin/start-run on the leader.
 * Exit: 0 every step has its values and they are in the bucket; 1 not so; 130 interrupted. Either way `run --resume` continues.
 *
 * `node driver.js --run DIR --bucket NAME --upload-only` measures nothing: exit 0 once every file of the run is in the bucket, else 1.
 *
 * Environment: FSXBENCH_CLIENT_CONFIG, this client's description (default /etc/fsxbench/client.json); FSXBENCH_UPLOAD_SECONDS, how long the
 * last upload continues without progress (default that of `Uploader`, and 20 with `--upload-only`).
 */
import { parseArgs } from 'node:util';
import { convergedTasks } from '../lib/analysis/converged';
import { printable } from '../lib/common/format/text';
import { isSupportedNode, NODE_FLOOR } from '../lib/common/nodeFloor';
import { Heartbeat } from '../lib/run/driver/heartbeat';
import { readClientConfig, runSession } from '../lib/run/driver/session';
import { raisePriority } from '../lib/run/precedence';
import { S3Store } from '../lib/store/bucket';
import { readManifest } from '../lib/store/documents';
import { prefixOf } from '../lib/store/record';
import { Uploader } from '../lib/store/upload';

const UPLOAD_SECONDS = Number(process.env.FSXBENCH_UPLOAD_SECONDS) || undefined;

async function main(): Promise<number> {
  const { node } = process.versions;
  if (!isSupportedNode(node))
    throw new Error(
      `Node.js must be ${NODE_FLOOR} or newer on this client, this is ${node} (${process.execPath}): install it, then resume the run`,
    );
  const { values } = parseArgs({
    options: {
      run: { type: 'string' },
      bucket: { type: 'string' },
      prefix: { type: 'string' },
      'upload-only': { type: 'boolean' },
    },
  });
  if (!values.run) throw new Error('usage: driver.js --run DIR [--bucket NAME --prefix PREFIX]');
  if (values['upload-only']) return upload(values.run, values.bucket ?? '');
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => abort.abort());

  const client = readClientConfig(process.env.FSXBENCH_CLIENT_CONFIG ?? '/etc/fsxbench/client.json');
  const manifest = readManifest(values.run);
  if (Object.values(client.arms).some(({ model }) => model !== undefined)) raisePriority();
  const heartbeat = manifest.stack ? new Heartbeat(manifest.stack.name) : null;
  heartbeat?.start();
  try {
    const { status, uploadError } = await runSession({
      folder: values.run,
      client,
      abort: abort.signal,
      environment: process.env,
      converged: (...measured) => convergedTasks(...measured, manifest),
      ...(values.bucket && values.prefix
        ? { results: { store: new S3Store(values.bucket), prefix: values.prefix, flush: { patience: UPLOAD_SECONDS } } }
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

/** Uploads a run that nobody works on. One attempt need not be long: the driver repeats it later. */
async function upload(folder: string, bucket: string): Promise<number> {
  const problem = await new Uploader(folder, new S3Store(bucket), prefixOf(readManifest(folder))).finish({
    patience: UPLOAD_SECONDS ?? 20,
  });
  if (problem !== null) console.error(`driver: results are kept in ${folder} only: ${problem}`);
  return problem === null ? 0 : 1;
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(`driver: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
