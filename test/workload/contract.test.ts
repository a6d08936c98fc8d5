import { parseFile, parseText } from '../../lib/parse';
import { TOOLS, toolNamed } from '../../lib/workload/lookup';
import { casesOf, FORMATS } from '../parse/corpus';

const cases = casesOf(...FORMATS);
const printing = TOOLS.filter(({ output }) => output !== undefined).map(({ id }) => id);

/** Logs of jobs with several tools in them. */
const OF_SEVERAL = /^joblog_|^ior_mixed_/;

describe.each(printing.filter((id) => id !== 'compsize'))('the outputs of %s', (id) => {
  const own = cases.filter(({ path }) => parseFile(path).tool === id);

  test('are among the fixtures', () => expect(own.length).toBeGreaterThan(0));

  test('give finite values, or null with a reason', () => {
    for (const { path } of own) {
      const { samples, summary } = parseFile(path, id);
      const missing = samples.filter(({ value, reason }) => (value === null ? !reason : !Number.isFinite(value)));
      const infinite = summary.filter(({ mean, max, min, reason, count }) =>
        count === 0 ? !reason : ![mean, max, min].every((value) => value === null || Number.isFinite(value)),
      );
      expect([path, missing, infinite]).toEqual([path, [], []]);
    }
  });

  test('are the same when the tool is known beforehand', () => {
    for (const { path, id: name } of own)
      if (!OF_SEVERAL.test(name)) expect(parseFile(path, id)).toEqual(parseFile(path));
  });

  test('are refused by every other tool', () => {
    for (const { path, id: name } of own) {
      for (const other of printing.filter((each) => each !== id)) {
        if (OF_SEVERAL.test(name)) continue;
        const { tool, samples, valid, complete } = parseFile(path, other);
        expect([path, tool, samples, valid && complete]).toEqual([path, other, [], false]);
      }
    }
  });
});

test('a tool that is not known is an error that names it', () => {
  expect(() => toolNamed('iozone')).toThrow(/^'tool' must be one of ior, .*, got 'iozone'\. .*another release/);
  expect(() => parseText('x.out', '', undefined, '', 'iozone')).toThrow("got 'iozone'");
});
