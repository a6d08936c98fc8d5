/** A style sheet as text, which bundles hold. */
declare module '*.css' {
  const text: string;
  export default text;
}
