import { readFileSync } from 'node:fs';
import { parseCommandFile, parseText } from '../../lib/parse';
import type { ParseDocument } from '../../lib/schema/parse';
import { casesOf } from '../parse/corpus';
import { randomOf } from './random';

interface Source {
  readonly id: string;
  readonly text: string;
  readonly command: string;
}

type Mutation = (text: string, random: () => number, other: string) => string;

const below = (random: () => number, end: number): number => Math.floor(random() * end);

/** Replaces one of the numbers of a text. */
const ofNumber =
  (change: (digits: string) => string): Mutation =>
  (text, random) => {
    const numbers = [...text.matchAll(/\d+(?:\.\d+)?/g)];
    const found = numbers[below(random, numbers.length)];
    if (found === undefined) return text;
    return `${text.slice(0, found.index)}${change(found[0])}${text.slice(found.index + found[0].length)}`;
  };

/** Replaces the lines from one to another. */
const ofLines =
  (change: (lines: readonly string[]) => readonly string[]): Mutation =>
  (text, random) => {
    const lines = text.split('\n');
    const from = below(random, lines.length);
    const to = from + 1 + below(random, 3);
    return [...lines.slice(0, from), ...change(lines.slice(from, to)), ...lines.slice(to)].join('\n');
  };

/** Damage that disks, networks, terminals and people do to a log. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'cut off': (text, random) => text.slice(0, below(random, text.length)),
  'its tail only': (text, random) => text.slice(below(random, text.length)),
  'its tail before another log': (text, random, other) => `${text.slice(below(random, text.length))}${other}`,
  'its head before another log': (text, random, other) => `${text.slice(0, below(random, text.length))}${other}`,
  'lines lost': ofLines(() => []),
  'lines twice': ofLines((lines) => [...lines, ...lines]),
  'lines in another order': ofLines((lines) => [...lines].reverse()),
  'a hole of NUL bytes': (text, random) => {
    const at = below(random, text.length);
    return `${text.slice(0, at)}${'\0'.repeat(64)}${text.slice(at + 64)}`;
  },
  'another byte': (text, random) => {
    const at = below(random, text.length);
    return `${text.slice(0, at)}${String.fromCharCode(below(random, 256))}${text.slice(at + 1)}`;
  },
  'a negative number': ofNumber((digits) => `-${digits}`),
  'a decimal comma': ofNumber((digits) => digits.replace('.', ',')),
  'a number of 400 digits': ofNumber(() => '9'.repeat(400)),
  'a number that is none': ofNumber(() => 'nan'),
};

/** A figure that no tool measures: what a document that calls itself whole and valid must not hold. */
function nonsenseIn(document: ParseDocument, text: string, original: () => ParseDocument): string | null {
  const { complete, valid, samples, summary } = document;
  const figures = [
    ...samples.map(({ value }) => value),
    ...summary.flatMap(({ max, min, mean, stddev }) => [max, min, mean, stddev]),
  ];
  if (figures.some((value) => value !== null && !Number.isFinite(value))) return 'a figure that is not finite';
  if (!complete || !valid) return null;
  // A program that was timed may print what it likes.
  if (text.includes('\0') && JSON.stringify(samples) !== JSON.stringify(original().samples))
    return 'NUL bytes changed figures, yet complete and valid';
  if (figures.some((value) => value !== null && (value < 0 || value > 1e18)))
    return 'a figure that nothing measures, yet complete and valid';
  return null;
}

/** A text on which a parser fails. */
export interface Find {
  readonly source: string;
  readonly mutation: string;
  readonly why: string;
  readonly text: string;
}

/** A parse of some kilobytes takes a millisecond; this is a hang. Of processor time, since the machine may be busy. */
const HANG_MS = 2000;
const LARGEST_SOURCE = 30_000;

/** Parses so many mutated outputs of real tools. */
export function fuzz(seed: number, count: number): readonly Find[] {
  const random = randomOf(seed);
  const sources = casesOf()
    .map(({ id, path }): Source => {
      const command = path.replace(/\.out$/, '.cmd');
      return { id, text: readFileSync(path, 'utf8'), command: command === path ? '' : readOrEmpty(command) };
    })
    .filter(({ text }) => text.length > 0 && text.length < LARGEST_SOURCE);
  const kinds = Object.entries(MUTATIONS);
  const finds: Find[] = [];
  for (let each = 0; each < count; each += 1) {
    const source = sources[below(random, sources.length)] as Source;
    const other = sources[below(random, sources.length)] as Source;
    const [mutation, mutate] = kinds[below(random, kinds.length)] as (typeof kinds)[number];
    const text = mutate(source.text, random, other.text);
    const before = process.cpuUsage();
    let why: string | null;
    try {
      const parse = (of: string) => parseText(source.id, of, parseCommandFile(source.command));
      why = nonsenseIn(parse(text), text, () => parse(source.text));
    } catch (error) {
      why = `throws ${error instanceof Error ? error.message : String(error)}`;
    }
    const { user } = process.cpuUsage(before);
    if (user > HANG_MS * 1000) why = `takes ${Math.round(user / 1000)} ms`;
    if (why !== null) finds.push({ source: source.id, mutation, why, text });
  }
  return finds;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
