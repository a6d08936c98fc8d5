import { pathToFileURL } from 'node:url';
import { printable } from '../../common/format/text';
import type { CliContext } from '../context';

/** The codes of a terminal (ECMA-48, Select Graphic Rendition). */
const CODES = { bold: 1, red: 31, green: 32, yellow: 33 } as const;
export type Style = keyof typeof CODES;

/** A piece of text for the terminal, without the styles that it cannot show. */
export type Styled = string | { readonly style: Style; readonly text: string } | { readonly file: string };

export function outStyled(context: CliContext, pieces: readonly Styled[]): void {
  const { colour = false, raw = context.out } = context;
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return printable(piece);
    if ('file' in piece) {
      const address = pathToFileURL(piece.file).href;
      // A link as terminals take it: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda.
      return colour ? `\u001b]8;;${address}\u001b\\${address}\u001b]8;;\u001b\\` : address;
    }
    const text = printable(piece.text);
    return colour ? `\u001b[${CODES[piece.style]}m${text}\u001b[0m` : text;
  });
  raw(texts.join(''));
}

/** True if a stream is a terminal that shows colours and the user does not mind them (https://no-color.org). */
export function showsColour(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false;
  return Boolean(FORCE_COLOR && FORCE_COLOR !== '0') || (isTerminal && TERM !== 'dumb');
}
