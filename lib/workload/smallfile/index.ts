import type { ParseDocument, ParsedSample, ParsedTest } from '../../schema/parse';
import { summarize } from '../common/parse/finding';
import type { Tool } from '../tool';
import { isSmallfile, isSmallfileJson, parseSmallfile, parseSmallfileJson } from './output';

/** Half of the millisecond to which smallfile's text rounds, and what floating point leaves. */
const ROUNDING_SECONDS = 0.0005 + 1e-9;

/**
 * A log with the unrounded figures from its tool's files, one per run. A file belongs to the first run of its operation with the same threads, files
 * and time; other runs keep the log's figures. @param sides the documents of those files, in any order; other tools' are ignored
 */
export function exactFigures(log: ParseDocument, sides: readonly ParseDocument[]): ParseDocument {
  if (log.tests.some(({ tool }) => tool !== 'smallfile')) return log;
  const unused = new Set(
    sides.filter(({ tool, complete, tests }) => tool === 'smallfile' && complete && tests.length === 1),
  );
  let samples = log.samples;
  const found: ParseDocument[] = [];
  const tests = log.tests.map((test) => {
    // Times of `time` around the run also have its number, and come behind it.
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

export const smallfile: Tool = {
  id: 'smallfile',
  formats: [
    { recognizes: isSmallfile, parse: parseSmallfile },
    { recognizes: isSmallfileJson, parse: parseSmallfileJson, form: 'json' },
  ],
  program: 'smallfile_cli\\.py',
};
