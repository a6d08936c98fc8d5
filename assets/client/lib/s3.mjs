// Gets and puts single S3 objects, signed by hand with SigV4.
//
// Why not the AWS CLI: the same start-run must work on machines that have none. Node.js is on every client anyway, since
// the driver is written for it.
//
// s3 get s3://BUCKET/KEY FILE               writes FILE whole or not at all; prints the ETag
// s3 put FILE s3://BUCKET/KEY               prints the ETag
// Status: 0 done · 1 failed · 4 no such object
//
// Environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), else the instance's role;
//   AWS_REGION or AWS_DEFAULT_REGION, else the instance's; AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL (then path-style).

import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { imds } from './imds.mjs';

const USAGE = 'usage: s3 get s3://BUCKET/KEY FILE | s3 put FILE s3://BUCKET/KEY';
const NOT_FOUND = 4;
const ATTEMPTS = 4;
const TIMEOUT_MS = 300_000;

class Refusal extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const hmac = (key, data) => createHmac('sha256', key).update(data).digest();
/** RFC 3986, as SigV4 wants it; slashes stay. */
const encodePath = (path) =>
  encodeURIComponent(path)
    .replace(/%2F/g, '/')
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

async function credentials() {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: session } = process.env;
  if (id && secret) return { id, secret, session };
  const role = (await imds('meta-data/iam/security-credentials/'))?.trim();
  if (!role) throw new Refusal('no AWS credentials: neither AWS_ACCESS_KEY_ID in the environment nor an instance role');
  const found = JSON.parse(await imds(`meta-data/iam/security-credentials/${role}`));
  return { id: found.AccessKeyId, secret: found.SecretAccessKey, session: found.Token };
}

async function region() {
  const named = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  return named || (await imds('meta-data/placement/region'));
}

/** Domain of this partition's services, such as amazonaws.com.cn or c2s.ic.gov. */
async function domain() {
  // Outside EC2, there is no service, and only a user's keys.
  return (await imds('meta-data/services/domain').catch(() => null)) || 'amazonaws.com';
}

async function target(url, inRegion) {
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(.+)$/.exec(url) ?? [];
  if (!bucket) throw new Refusal(`an S3 address must look like s3://BUCKET/KEY, got '${url}'`);
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 || process.env.AWS_ENDPOINT_URL;
  if (endpoint) return new URL(`/${bucket}/${encodePath(key)}`, endpoint);
  return new URL(`https://${bucket}.s3.${inRegion}.${await domain()}/${encodePath(key)}`);
}

function signed(method, url, inRegion, who, body) {
  const now = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${now.slice(0, 8)}/${inRegion}/s3/aws4_request`;
  const headers = { host: url.host, 'x-amz-content-sha256': sha256(body), 'x-amz-date': now };
  if (who.session) headers['x-amz-security-token'] = who.session;
  const names = Object.keys(headers).sort();
  const request = [
    method,
    url.pathname,
    '',
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', now, scope, sha256(request)].join('\n');
  const key = scope.split('/').reduce((secret, part) => hmac(secret, part), `AWS4${who.secret}`);
  headers.authorization =
    `AWS4-HMAC-SHA256 Credential=${who.id}/${scope}, SignedHeaders=${names.join(';')}, ` +
    `Signature=${hmac(key, toSign).toString('hex')}`;
  return headers;
}

/** Not by fetch: that of Node.js 24 ends the process (`assert(!this.paused)` in undici) if a server closes while a large body is being written. */
function request(method, url, headers, body) {
  const { request: open } = url.protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    open(url, { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) }, resolve)
      .on('error', reject)
      .end(body);
  });
}

/** Sends until it is answered: a server error, a throttle or a broken connection is retried, also at the source of the keys. */
async function send(method, address, body, onAnswer) {
  let inRegion;
  let who;
  for (let attempt = 1; ; attempt++) {
    try {
      inRegion ??= await region();
      who ??= await credentials();
      const url = await target(address, inRegion);
      const response = await request(method, url, signed(method, url, inRegion, who, body), body);
      const { statusCode: status } = response;
      if (status >= 200 && status < 300) return await onAnswer(response);
      const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await text(response)) ?? [];
      const message = `${method} ${address} answered ${status} ${code}`.trimEnd();
      if (status === 404) throw new Refusal(message, NOT_FOUND);
      if (status < 500 && status !== 429) throw new Refusal(message);
      throw new Error(message);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (attempt === ATTEMPTS)
        throw new Refusal(`${method} ${address} failed ${ATTEMPTS} times, last: ${error.message}`);
      await new Promise((done) => setTimeout(done, 250 * 2 ** attempt));
    }
  }
}

const etagOf = ({ headers }) => headers.etag ?? '';

async function get(address, file) {
  const part = `${file}.part-${randomUUID()}`;
  try {
    const etag = await send('GET', address, '', async (response) => {
      await pipeline(response, createWriteStream(part));
      return etagOf(response);
    });
    await rename(part, file);
    return etag;
  } finally {
    await rm(part, { force: true });
  }
}

async function put(file, address) {
  return send('PUT', address, await readFile(file), async (response) => {
    response.resume();
    return etagOf(response);
  });
}

try {
  const [action, ...rest] = process.argv.slice(2);
  const run = { get, put }[action];
  if (!run || rest.length !== 2) throw new Refusal(USAGE);
  process.stdout.write(`${await run(...rest)}\n`);
} catch (error) {
  process.stderr.write(`s3: ${error.message}\n`);
  process.exitCode = error.exitCode ?? 1;
}
