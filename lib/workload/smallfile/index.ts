import type { ParseDocument, ParsedSample, ParsedTest } from '../../schema/parse';
import { summarize } from '../common/parse/finding';
import type { Tool } from '../tool';
import { isSmallfileJson, parseSmallfileJson } from './json';
import { isSmallfile, parseSmallfile } from './text';

/** Half of the millisecond to which smallfile's text rounds, and what floating point leaves. */
const ROUNDING_SECONDS = 0.0005 + 1e-9;

/**
 * A log with the unrounded figures of the files that its tool wrote next to it, one a run. A file belongs to the first run of its
 * operation with as many threads and files in the same time; runs without a file keep what the log has.
 * @param sides the documents of those files, in any order; others than smallfile's are passed over
 */
function exactFigures(log: ParseDocument, sides: readonly ParseDocument[]): ParseDocument {
  if (log.tests.some(({ tool }) => tool !== 'smallfile')) return log;
  const unused = new Set(
    sides.filter(({ tool, complete, tests }) => tool === 'smallfile' && complete && tests.length === 1),
  );
  let samples = log.samples;
  const found: ParseDocument[] = [];
  const tests = log.tests.map((test) => {
    // Times of `time` around the run have its number, too, and come behind it.
    const operation = samples.find((sample) => sample.test === test.test)?.operation;
    const rounded = samples.filter((sample) => sample.test === test.test && sample.operation === operation);
    const side = [...unused].find((one) => isOfRun(one, test, rounded));
    if (side === undefined) return test;
    unused.delete(side);
    found.push(side);
    const exact = side.samples.map((sample) => ({ ...sample, test: test.test }));
    const at = samples.indexOf(rounded[0] as ParsedSample);
    const rest = samples.filter((sample) => !rounded.includes(sample));
    samples = [...rest.slice(0, at), ...exact, ...rest.slice(at)];
    return { ...test, began: side.tests[0]?.began ?? null };
  });
  if (found.length === 0) return log;
  const figuresFrom = found.length === 1 ? (found[0] as ParseDocument).file : log.file.replace(/out$/, '*.json');
  return { ...log, figuresFrom, samples, summary: summarize(samples), tests };
}

function isOfRun({ samples, tests }: ParseDocument, test: ParsedTest, rounded: readonly ParsedSample[]): boolean {
  const value = (of: readonly ParsedSample[], metric: string) => of.find((one) => one.metric === metric)?.value ?? null;
  const [mine, theirs] = [value(rounded, 'seconds'), value(samples, 'seconds')];
  return (
    rounded[0]?.operation === samples[0]?.operation &&
    test.tasks === tests[0]?.tasks &&
    value(rounded, 'files') === value(samples, 'files') &&
    mine !== null &&
    theirs !== null &&
    Math.abs(mine - theirs) <= ROUNDING_SECONDS
  );
}

/** smallfile: its output is parsed. */
export const smallfile: Tool = {
  id: 'smallfile',
  output: {
    formats: [
      { recognizes: isSmallfile, parse: parseSmallfile },
      { recognizes: isSmallfileJson, parse: parseSmallfileJson, ofJson: true },
    ],
    program: 'smallfile_cli\\.py',
    withSideFiles: exactFigures,
  },
};
