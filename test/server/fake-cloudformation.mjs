// The part of CloudFormation that a machine signals to: writes each request, as `METHOD URL AUTHORIZATION`, to a file, and accepts it.
//
// The body of the last request with one is in FILE.body.
//
// usage: node fake-cloudformation.mjs FILE PORT_FILE

import { appendFileSync, createWriteStream, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, portFile] = process.argv.slice(2);

const server = createServer((request, response) => {
  appendFileSync(file, `${request.method} ${request.url} ${request.headers.authorization}\n`);
  if (request.method === 'PUT') request.pipe(createWriteStream(`${file}.body`));
  request.once('end', () => response.writeHead(200).end()).resume();
});
server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)));
