// One direction of a link: `sink ADDRESS` takes bytes on a free port and prints how fast they came; `source ADDRESS PORT SECONDS` sends them.
// Environment: LINK_SECRET, with which the source begins; nobody else is counted.
import { timingSafeEqual } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Start of a connection that is left out: slow start, and the burst that the shaper lets pass. */
const SETTLING_SECONDS = 0.3;

const [role, host, port, seconds] = process.argv.slice(2);
const now = () => Number(process.hrtime.bigint()) / 1e9;
const secret = Buffer.from(process.env.LINK_SECRET ?? '');
if (secret.length < 32) throw new Error('LINK_SECRET must have at least 32 characters');

/** Counts the bytes of the source, and ends when it does. */
function count(server, socket) {
  const begun = now();
  let counted = 0;
  let from = null;
  let last = begun;
  socket.on('data', ({ length }) => {
    last = now();
    if (from === null && last - begun >= SETTLING_SECONDS) from = last;
    else if (from !== null) counted += length;
  });
  socket.on('close', () => {
    process.stdout.write(`${from === null ? 0 : Math.round(counted / (last - from))}\n`);
    server.close();
  });
}

if (role === 'sink') {
  const server = createServer((socket) => {
    let said = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', function listen(bytes) {
      said = Buffer.concat([said, bytes]);
      if (said.length < secret.length) return;
      socket.off('data', listen);
      if (timingSafeEqual(said.subarray(0, secret.length), secret)) count(server, socket);
      else socket.destroy();
    });
  });
  server.listen(0, host, () => process.stdout.write(`${server.address().port}\n`));
} else {
  const block = Buffer.alloc(1 << 18);
  const socket = connect({ host, port: Number(port) });
  const deadline = now() + Number(seconds);
  const send = () => {
    while (now() < deadline) if (!socket.write(block)) return socket.once('drain', send);
    socket.end();
  };
  socket.on('connect', () => {
    socket.write(secret);
    send();
  });
}
