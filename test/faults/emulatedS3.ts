import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { ensureVenv } from '../../lib/lab/venv';
import { temporaryFolder } from '../run/bench';
import { until } from '../support/patience';
import type { Answer, Asked, Backend } from './s3';

const ROOT = resolve(__dirname, '../..');
const BUCKET = 'results';
/** The key that the emulator accepts. */
export const SECRET = 'the-lab-secret-of-these-tests';

/** The S3 of the lab's emulator, in a separate process. */
export class EmulatedS3 implements Backend {
  private emulator: ChildProcess | null = null;
  private port = 0;

  async start(): Promise<void> {
    const python = await ensureVenv(ROOT);
    const portFile = join(temporaryFolder(), 'port');
    const emulator = spawn(python, ['-m', 'fsxbench_lab', '--port-file', portFile], {
      cwd: resolve(ROOT, 'assets/lab'),
      stdio: 'ignore',
      env: { ...process.env, AWS_ACCESS_KEY_ID: SECRET, PYTHONDONTWRITEBYTECODE: '1' },
    });
    this.emulator = emulator;
    await until('the emulator', () => {
      if (emulator.exitCode !== null) throw new Error(`the emulator ended with ${emulator.exitCode}`);
      return existsSync(portFile);
    });
    this.port = Number(readFileSync(portFile, 'utf8'));
    await this.client().send(new CreateBucketCommand({ Bucket: BUCKET }));
  }

  async end(): Promise<void> {
    const { emulator } = this;
    if (emulator === null || emulator.exitCode !== null || emulator.signalCode !== null) return;
    const ended = once(emulator, 'exit');
    emulator.kill('SIGKILL');
    await ended;
  }

  async object(key: string): Promise<string | undefined> {
    try {
      const { Body } = await this.client().send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
      return await Body?.transformToString();
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  /** Hands a request on as it came. */
  async answer({ method, path, headers, body }: Asked): Promise<Answer> {
    const host = `127.0.0.1:${this.port}`;
    const passed = request({ host: '127.0.0.1', port: this.port, method, path, headers: { ...headers, host } });
    passed.end(body);
    const [response] = await once(passed, 'response');
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) };
  }

  private client(): S3Client {
    const credentials = { accessKeyId: SECRET, secretAccessKey: 'test' };
    const endpoint = `http://127.0.0.1:${this.port}`;
    return new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
  }
}
