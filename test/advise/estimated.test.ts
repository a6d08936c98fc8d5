import { type FoundData, ofData } from '../../lib/cli/input/requirement';
import { advise } from './requirements';

/** Data of two types, of which a thousandth is of a third. */
const MIXED: FoundData = {
  files: 1000,
  logicalBytes: 1e12,
  uncompressedBytes: 1e12,
  allocatedBytes: 1e12 / 1.4,
  ratio: 1.4,
  interval: { low: 1.26, high: 1.56, confidence: 0.95 },
  byType: [
    { type: 'txt', logicalBytes: 0.5e12, ratio: 1.77 },
    { type: 'gz', logicalBytes: 0.499e12, ratio: 1.2 },
    { type: 'jpg', logicalBytes: 0.001e12, ratio: 0.99 },
  ],
};
const adviceOn = (found: Partial<FoundData>, stated: object) => advise(ofData(stated, { ...MIXED, ...found }));
const messagesOf = (id: string, found: Partial<FoundData>, stated: object) =>
  adviceOn(found, stated).options.flatMap(({ configuration: { dataCompressionType }, warnings }) =>
    warnings.flatMap((warning) => (warning.id === id ? `${dataCompressionType}: ${warning.message}` : [])),
  );

describe('the type of file that compresses least, read alone', () => {
  const missed = (found: Partial<FoundData>, stated: object = {}) =>
    messagesOf('fsxbench:least-compressible-type', found, { readMBps: 10_000, capacityTB: 40, ...stated });

  test('is noted where it misses what all data together reach', () => {
    const messages = missed({});
    expect(messages).toContainEqual(
      expect.stringMatching(
        /^LZ4: the ratio is a mean of types that differ: reads of \.gz alone, 1\.20:1, reach [89]\.\d+ of 10 GB\/s$/,
      ),
    );
    expect(messages.filter((message) => !message.startsWith('LZ4'))).toEqual([]);
  });

  test('is not noted where head-room makes up for it, there is one type, or it is next to nothing', () => {
    expect(missed({}, { headroom: 0.5 })).toEqual([]);
    const txt = MIXED.byType.slice(0, 1);
    expect(missed({ byType: txt })).toEqual([]);
    expect(missed({ byType: [...txt, ...MIXED.byType.slice(2)] })).toEqual([]);
  });

  test('counts for writes, too, and names files without an ending', () => {
    const byType = MIXED.byType.map((one) => (one.type === 'gz' ? { ...one, type: '(none)' } : one));
    expect(missed({ byType }, { readMBps: undefined, writeMBps: 10_000 })).toContainEqual(
      expect.stringContaining('writes of files (none) alone, 1.20:1, reach'),
    );
  });
});

test('data that at the low end of the ratio fill more than they may are noted, on compressing options alone', () => {
  const overfilled = (found: Partial<FoundData>, stated: object = {}) =>
    messagesOf('fsxbench:low-ratio-overfills', found, { capacityTB: 40, ...stated });
  const messages = overfilled({});
  expect(messages).toContainEqual(
    expect.stringMatching(
      /^LZ4: at the low end of the ratio, 1\.26:1, the data fill 8\d %, above the 80 % that they may$/,
    ),
  );
  expect(messages.filter((message) => !message.startsWith('LZ4'))).toEqual([]);
  // So fast that it is far larger than the data.
  expect(overfilled({}, { readMBps: 60_000 })).toEqual([]);
  expect(overfilled({ interval: { low: 1.4, high: 1.4, confidence: 1 } })).toEqual([]);
});
