import { makeRandom } from '../../../lib/estimate';
import { BtrfsLayout } from '../../../lib/estimate/btrfs/layout';
import { Strata } from '../../../lib/estimate/sample/strata';

test('holes are part of the size, but no bytes to read', () => {
  const strata = new Strata([new BtrfsLayout()], makeRandom(1));
  const [bytes, written] = [2 ** 30, 2 ** 20];
  strata.add({ path: 'sparse.img', bytes, data: [[0, written]], holeBytes: bytes - written });
  strata.add({ path: 'empty.img', bytes, data: [], holeBytes: bytes });
  expect(strata.all).toMatchObject([{ files: 2, logicalBytes: 2 * bytes, readableBytes: written }]);
});
