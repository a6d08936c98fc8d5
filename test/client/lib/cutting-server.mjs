// Serves the files of a folder, but ends the connection in the middle: /cut-twice/FILE the first two times, /cut-always/FILE always.
//
// usage: node cutting-server.mjs FOLDER PORT_FILE

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';

const [folder, portFile] = process.argv.slice(2);
let left = 2;

const server = createServer((request, response) => {
  const body = readFileSync(join(folder, basename(request.url)));
  const cut = request.url.startsWith('/cut-always/') || left-- > 0;
  response.writeHead(200, { 'content-length': body.length });
  if (!cut) response.end(body);
  else response.write(body.subarray(0, body.length / 2), () => response.destroy());
});
server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)));
