import { clientCounters, clientData, withLinks } from '../../../lib/lab/metrics/clients';

const STAT = (busy: number, idle: number) =>
  `cpu  ${busy} 0 10 ${idle} 20 0 3 2 7 0\ncpu0 1 0 0 1 0 0 0 0 0 0\nintr 5\n`;

/** Statistics as Linux prints them: bytes are the first and the ninth column. */
const NET = (
  received: number,
  sent: number,
) => `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 99999 10 0 0 0 0 0 0 99999 10 0 0 0 0 0 0
  eth0:${received} 20 0 0 0 0 0 0 ${sent} 20 0 0 0 0 0 0
 veth1: 5 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0
`;

test('the load of clients is that of all processors, waiting is none of it, and the loopback carries none of their traffic', () => {
  expect(clientCounters(STAT(100, 50), NET(1000, 2000))).toEqual({ busy: 115, total: 185, received: 1005, sent: 2007 });
});

test('what servers of a model received, their clients sent; a link that is gone counts nothing', () =>
  expect(withLinks(clientCounters(STAT(1, 1), NET(1, 2)), [{ received: 100, sent: 40 }, null])).toMatchObject({
    received: 46,
    sent: 109,
  }));

test('a period has what was used and moved in it, and never less than nothing', () => {
  const before = clientCounters(STAT(100, 50), NET(1000, 2000));
  const now = clientCounters(STAT(175, 75), NET(4000, 1000));
  expect(clientData(before, now)).toEqual([
    { name: 'CPUUtilization', unit: 'Percent', value: 75 },
    { name: 'NetworkIn', unit: 'Bytes', value: 3000 },
    { name: 'NetworkOut', unit: 'Bytes', value: 0 },
  ]);
});
