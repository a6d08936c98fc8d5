// One direction of a link: `sink` takes bytes on a free port and says how fast they came, `source HOST PORT SECONDS` sends them.
import { connect, createServer } from 'node:net';

/** Start of a connection that is left out: slow start, and the burst that the shaper lets pass. */
const SETTLING_SECONDS = 0.3;

const [role, host, port, seconds] = process.argv.slice(2);
const now = () => Number(process.hrtime.bigint()) / 1e9;

if (role === 'sink') {
  const server = createServer((socket) => {
    const begun = now();
    let counted = 0;
    let from = null;
    let last = begun;
    socket.on('data', ({ length }) => {
      last = now();
      if (from === null && last - begun >= SETTLING_SECONDS) from = last;
      else if (from !== null) counted += length;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      process.stdout.write(`${from === null ? 0 : Math.round(counted / (last - from))}\n`);
      server.close();
    });
  });
  server.listen(0, '0.0.0.0', () => process.stdout.write(`${server.address().port}\n`));
} else {
  const block = Buffer.alloc(1 << 18);
  const socket = connect({ host, port: Number(port) });
  const deadline = now() + Number(seconds);
  const send = () => {
    while (now() < deadline) if (!socket.write(block)) return socket.once('drain', send);
    socket.end();
  };
  socket.on('connect', send);
}
