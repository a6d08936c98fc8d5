/** The part of cephes used here, whose own declarations are not exported: distribution functions, the incomplete beta function and its inverse. */
declare module 'cephes' {
  export function ndtr(x: number): number;
  export function chdtr(degrees: number, x: number): number;
  export function incbet(a: number, b: number, x: number): number;
  export function incbi(a: number, b: number, y: number): number;
}
