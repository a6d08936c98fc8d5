import { type AddressInfo, createServer, type Socket } from 'node:net';
import { CloudWatchClient, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { boundedBy } from '../../../lib/kit/aws/bounded';
import { explain } from '../../../lib/kit/aws/explain';

test('a service that is silent is told as one, with the next step', async () => {
  const open: Socket[] = [];
  const server = createServer((socket) => open.push(socket));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const client = new CloudWatchClient({
    ...boundedBy(0.05),
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  });
  const error = await client.send(new ListMetricsCommand({})).catch((failure: unknown) => failure);
  expect(explain(error)).toMatch(/did not answer in time: try again, or check the network and AWS_REGION$/);
  client.destroy();
  for (const socket of open) socket.destroy();
  server.close();
});
