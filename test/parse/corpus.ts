import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile } from '../../lib/parse';
import type { ParseDocument } from '../../lib/schema/parse';

/** Real outputs of the tools, each with the figures that two independent extractions agreed on. */
export const FIXTURES = join(__dirname, '..', 'fixtures', 'tools');

// biome-ignore lint/suspicious/noExplicitAny: the expected files have a shape of their own for each format
export type Expected = any;

export interface Case {
  readonly id: string;
  readonly path: string;
  readonly expected: Expected;
}

/** Outputs of a program in which a tool printed its own: only `.cmd` says that they are not that tool's. */
const TOLD_BY_COMMAND = 'command-of-a-tool';

/** The cases of the formats, by name: `ior-text`, `fio-json` …; without a name, all whose format is recognisable. */
export function casesOf(...formats: string[]): Case[] {
  return readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.expected.json'))
    .map((name) => {
      const expected = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));
      return { id: name.replace('.expected.json', ''), path: join(FIXTURES, expected.source), expected };
    })
    .filter(({ expected }) =>
      formats.length === 0 ? expected.format !== TOLD_BY_COMMAND : formats.includes(expected.format),
    );
}

/** The part of a verdict that the corpus states; not every format states all of it. */
export function verdictOf(document: ParseDocument, { verdict }: Expected): Expected {
  const { complete, valid, problems, cautions } = document;
  const all: Expected = { complete, valid, problems, cautions };
  return Object.fromEntries(Object.keys(verdict).map((key) => [key, all[key]]));
}

/** The corpus explains one code in brackets; the code is what counts. */
export function expectedVerdict({ verdict }: Expected): Expected {
  return { ...verdict, problems: verdict.problems.map((code: string) => code.replace(/ .*/, '')) };
}

/** Holds each case to its verdict, and to the other tests of its tool. */
export function describeCases(
  cases: readonly Case[],
  tests: (one: Case & { readonly document: ParseDocument }) => void,
): void {
  describe.each<Case>([...cases])('$id', (one) => {
    const document = parseFile(one.path);

    test('gives the verdict of the corpus', () => {
      expect(verdictOf(document, one.expected)).toEqual(expectedVerdict(one.expected));
    });

    tests({ ...one, document });
  });
}
