/** The part of jstat that is used here; the package has no types. */
declare module 'jstat' {
  export const jStat: {
    readonly studentt: { inv(probability: number, degrees: number): number };
    readonly chisquare: { cdf(x: number, degrees: number): number };
    readonly noncentralt: { cdf(x: number, degrees: number, noncentrality: number): number };
  };
}
