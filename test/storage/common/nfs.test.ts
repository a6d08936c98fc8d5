import { idByDnsName } from '../../../lib/storage/common/nfs';

const idOf = (service: string, device: string) => idByDnsName(service)({ type: 'nfs4', device } as never);

test.each([
  ['efs', 'fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/'],
  ['efs', 'fs-0123456789abcdef0.efs.cn-north-1.amazonaws.com.cn:/'],
  ['fsx', 'fs-0123456789abcdef0.fsx.eusc-de-east-1.amazonaws.eu:/fsx'],
  ['fsx', 'fs-0123456789abcdef0.fsx.us-iso-east-1.c2s.ic.gov:/fsx'],
])('tells the id of %s from %s, in every partition', async (service, device) => {
  expect(await idOf(service, device)).toBe('fs-0123456789abcdef0');
  expect(await idOf(service === 'efs' ? 'fsx' : 'efs', device)).toBeNull();
});

test.each(['fs-0123456789abcdef0:/', 'server.example.com:/export', 'fs-x.efs.us-east-1.amazonaws.com:/'])(
  'takes %s for none',
  async (device) => expect(await idOf('efs', device)).toBeNull(),
);
