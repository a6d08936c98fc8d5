/** The part of cephes that is used here: its own declarations are not among its exports. */
declare module 'cephes' {
  /** Normal distribution function. */
  export function ndtr(x: number): number;
  /** Chi-squared distribution function. */
  export function chdtr(degrees: number, x: number): number;
  /** Regularised incomplete beta function, and its inverse. */
  export function incbet(a: number, b: number, x: number): number;
  export function incbi(a: number, b: number, y: number): number;
}
