import type { Part, Sentence } from '../common/page/arms';

export interface StoodIn {
  readonly name: string;
  readonly actually: string;
}

/** Most arms that get a sentence each. */
const FEW = 2;
/** The part of a description that the arm's own and the sentence about the scale repeat. */
const MODEL_OF = /: a 1:\d+ model of .*$/;

/** `a, b and c`, each in its arm's colour. */
export const armNames = (names: readonly string[]): Part[] => listedParts(names.map((arm) => [{ arm }]));

/** `a, b and c` of pieces of sentences. */
export const listedParts = (all: readonly (readonly Part[])[]): Part[] =>
  all.flatMap((parts, index) => [index === 0 ? '' : index === all.length - 1 ? ' and ' : ', ', ...parts]);

/** Sentences on the substitute of each arm; arms with the same one share a sentence. */
export function substituteSentences(arms: readonly StoodIn[]): Sentence[] {
  if (arms.length <= FEW) return arms.map(({ name, actually }): Sentence => [{ arm: name }, ` ran on ${actually}.`]);
  const groups = Map.groupBy(arms, ({ actually }) => actually.replace(MODEL_OF, ''));
  return [...groups].map(([words, own]): Sentence => [...armNames(own.map(({ name }) => name)), ` ran on ${words}.`]);
}
