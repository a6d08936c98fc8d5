// A metadata service of version 2: answers nothing without a token.
//
// usage: node fake-imds.mjs FOLDER PORT_FILE; FOLDER/latest/… are its answers, and while there is FOLDER/refuse-once, the first is 503

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [folder, portFile] = process.argv.slice(2);
const token = 'AQAEAFake';

const server = createServer((request, response) => {
  const refusal = join(folder, 'refuse-once');
  if (existsSync(refusal)) {
    rmSync(refusal);
    response.writeHead(503).end();
  } else if (request.method === 'PUT' && request.url === '/latest/api/token') {
    response.writeHead(request.headers['x-aws-ec2-metadata-token-ttl-seconds'] ? 200 : 400).end(token);
  } else if (request.headers['x-aws-ec2-metadata-token'] !== token) {
    response.writeHead(401).end();
  } else {
    const file = join(folder, request.url);
    const isFile = existsSync(file) && statSync(file).isFile();
    if (isFile) response.writeHead(200).end(readFileSync(file));
    // A folder of the service answers with its names.
    else if (existsSync(join(file, 'names'))) response.writeHead(200).end(readFileSync(join(file, 'names')));
    else response.writeHead(404).end();
  }
});
server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)));
