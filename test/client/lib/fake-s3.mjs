// A small S3 that keeps objects as files: GET and PUT, path-style, with If-None-Match, If-Match and ETags.
//
// usage: node fake-s3.mjs FOLDER PORT_FILE
// FOLDER/objects/BUCKET/KEY are the objects, FOLDER/requests.log and authorizations.log have a line for each request. While FOLDER/refuse exists its
// content is the status of every answer; FOLDER/refuse-once serves one answer.

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';

const [folder, portFile] = process.argv.slice(2);
const etag = (body) => `"${createHash('md5').update(body).digest('hex')}"`;

function refusal() {
  for (const name of ['refuse', 'refuse-once']) {
    const file = join(folder, name);
    if (!existsSync(file)) continue;
    const status = Number(readFileSync(file, 'utf8'));
    if (name === 'refuse-once') rmSync(file);
    return status;
  }
  return null;
}

function answer(method, path, headers, body) {
  const refused = refusal();
  if (refused) return [refused, {}, '<Error><Code>Refused</Code></Error>'];
  if (!/^AWS4-HMAC-SHA256 Credential=\S+\/s3\/aws4_request, /.test(headers.authorization ?? '')) return [403, {}, ''];
  const file = join(folder, 'objects', path);
  const old = existsSync(file) ? readFileSync(file) : null;
  if (method === 'GET')
    return old ? [200, { etag: etag(old) }, old] : [404, {}, '<Error><Code>NoSuchKey</Code></Error>'];
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) return [400, {}, ''];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, body);
  return [200, { etag: etag(body) }, ''];
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const [status, headers, body] = answer(request.method, path, request.headers, Buffer.concat(parts));
    appendFileSync(join(folder, 'authorizations.log'), `${request.headers.authorization}\n`);
    appendFileSync(join(folder, 'requests.log'), `${request.method} ${path} ${status}\n`);
    response.writeHead(status, headers).end(body);
  });
});
server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)));
