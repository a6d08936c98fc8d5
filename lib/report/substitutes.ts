import type { Part, Sentence } from '../common/page/arms';

export interface StoodIn {
  readonly name: string;
  readonly actually: string;
}

/** Most arms that get a sentence each. */
const FEW = 2;
/** Fewest words in common for arms to share a sentence. */
const LEAST_IN_COMMON = 3;
/** The part of a description that the arm's own and the sentence about the scale repeat. */
const MODEL_OF = /: a 1:\d+ model of .*$/;

/** `a, b and c`, each in its arm's colour. */
export const armNames = (names: readonly string[]): Part[] => listedParts(names.map((arm) => [{ arm }]));

/** `a, b and c` of pieces of sentences. */
export const listedParts = (all: readonly (readonly Part[])[]): Part[] =>
  all.flatMap((parts, index) => [index === 0 ? '' : index === all.length - 1 ? ' and ' : ', ', ...parts]);

/** Sentences on the substitute of each arm; arms whose substitutes differ in a word or two share a sentence. */
export function substituteSentences(arms: readonly StoodIn[]): Sentence[] {
  if (arms.length <= FEW) return arms.map(({ name, actually }): Sentence => [{ arm: name }, ` ran on ${actually}.`]);
  const shortened = arms.map(({ name, actually }) => ({ name, words: actually.replace(MODEL_OF, '') }));
  const groups = [...Map.groupBy(shortened, ({ words }) => words).values()].map((group) => ({
    names: armNames(group.map(({ name }) => name)),
    words: group[0]?.words.split(' ') ?? [],
  }));
  const all = groups.map(({ words }) => words);
  const front = inCommon(all);
  const back = inCommon(all.map((words) => words.slice(front).reverse()));
  const own = all.map((words) => words.slice(front, words.length - back).join(' '));
  if (groups.length === 1 || front + back < LEAST_IN_COMMON || own.includes(''))
    return groups.map(({ names, words }): Sentence => [...names, ` ran on ${words.join(' ')}.`]);
  const [first = []] = all;
  const shared = [...first.slice(0, front), ...first.slice(first.length - back)].join(' ');
  const differing = groups.flatMap(({ names }, index): Part[] => [
    ...(index === 0 ? [] : ['; ']),
    ...names,
    ` ${own[index]}`,
  ]);
  return [[`Each arm ran on ${shared}: `, ...differing, '.']];
}

function inCommon(all: readonly (readonly string[])[]): number {
  const [first = [], ...others] = all;
  const end = first.findIndex((word, index) => others.some((words) => words[index] !== word));
  return end < 0 ? first.length : end;
}
