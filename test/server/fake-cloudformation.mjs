// The part of CloudFormation that a machine signals to: writes each request, as `METHOD URL AUTHORIZATION`, to a file, and accepts it.
//
// usage: node fake-cloudformation.mjs FILE PORT_FILE

import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, portFile] = process.argv.slice(2);

const server = createServer((request, response) => {
  appendFileSync(file, `${request.method} ${request.url} ${request.headers.authorization}\n`);
  response.writeHead(200).end();
});
server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)));
