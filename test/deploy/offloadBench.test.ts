import { offloadBench } from '../../lib/benchmark/offload';
import type { Settings } from '../../lib/config/fields';
import { masked, ofType, resourcesOf, stacksWith } from '../support/cdk';

const stackWith = (settings: Settings) => stacksWith(settings, undefined, undefined, offloadBench).bench;
const serversIn = (settings: Settings): string[] =>
  ofType(resourcesOf(stackWith(settings)), 'AWS::EC2::Instance').flatMap(([id]) => (/^LustreZfs/.test(id) ? [id] : []));

test('has one server for all compressions, since its processors are what is compared', () => {
  expect(serversIn({})).toHaveLength(1);
});

test('has a server of its own for what hardware compresses', () => {
  expect(serversIn({ lustreZfsOffload: 'qat', arms: ['off', 'gzip-6-qat'] })).toHaveLength(2);
});

test('matches its snapshot at scale smoke', () => {
  expect(masked(stackWith({ scale: 'smoke', arms: ['off', 'gzip-6', 'client-zstd-3'] }))).toMatchSnapshot();
});
