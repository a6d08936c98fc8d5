import { NotEvaluated } from './series';

/** The supported metric math operators, by increasing precedence; those in a row are equal. */
const OPERATORS = [
  ['OR', '||'],
  ['AND', '&&'],
  ['==', '!=', '<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/'],
  ['^'],
] as const;

export type Operator = (typeof OPERATORS)[number][number];

export type Node =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'array'; readonly items: readonly Node[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'minus'; readonly of: Node };

interface Token {
  readonly kind: 'number' | 'text' | 'word' | 'sign';
  readonly text: string;
}

const TOKEN =
  /\s+|(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|'([^']*)'|([A-Za-z_]\w*)|(\|\||&&|==|!=|<=|>=|[-+*/^()<>,[\]])/y;

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new NotEvaluated(`'${text.charAt(at)}' is not understood at character ${at + 1}`);
    const [all, number, quoted, word, sign] = match;
    at += all.length;
    if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (quoted !== undefined) found.push({ kind: 'text', text: quoted });
    else if (word !== undefined) found.push({ kind: 'word', text: word });
    else if (sign !== undefined) found.push({ kind: 'sign', text: sign });
  }
  return found;
}

/**
 * Parses a metric math expression.
 *
 * @throws NotEvaluated if it is invalid, with what was expected
 */
export function parseExpression(text: string): Node {
  return new Parser(tokens(text)).whole();
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Node {
    const node = this.binary(0);
    const rest = this.tokens[this.at];
    if (rest !== undefined) throw new NotEvaluated(`'${rest.text}' stands where the expression should end`);
    return node;
  }

  private binary(level: number): Node {
    const operators = OPERATORS[level];
    if (operators === undefined) return this.unary();
    let left = this.binary(level + 1);
    for (let operator = this.oneOf(operators); operator !== undefined; operator = this.oneOf(operators)) {
      left = { kind: 'binary', operator, left, right: this.binary(level + 1) };
    }
    return left;
  }

  private unary(): Node {
    return this.sign('-') ? { kind: 'minus', of: this.unary() } : this.primary();
  }

  private primary(): Node {
    const token = this.tokens[this.at];
    if (token === undefined) throw new NotEvaluated('it ends in the middle');
    this.at += 1;
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) };
    if (token.kind === 'text') return { kind: 'text', value: token.text };
    if (token.text === '(') {
      const inner = this.binary(0);
      this.expect(')');
      return inner;
    }
    if (token.text === '[') return { kind: 'array', items: this.list(']') };
    if (token.kind === 'sign') throw new NotEvaluated(`'${token.text}' stands where a value should be`);
    // Ids begin with a lower-case letter, unlike functions (CloudWatch user guide, metric math).
    if (/^[a-z]/.test(token.text)) return { kind: 'id', id: token.text };
    if (this.sign('(')) return { kind: 'call', name: token.text, args: this.list(')') };
    return { kind: 'call', name: token.text, args: [] };
  }

  private list(end: string): Node[] {
    const items: Node[] = [];
    if (this.sign(end)) return items;
    do items.push(this.binary(0));
    while (this.sign(','));
    this.expect(end);
    return items;
  }

  private oneOf<T extends Operator>(operators: readonly T[]): T | undefined {
    const token = this.tokens[this.at];
    const found = token?.kind === 'text' ? undefined : operators.find((operator) => operator === token?.text);
    if (found !== undefined) this.at += 1;
    return found;
  }

  private sign(text: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'sign' || token.text !== text) return false;
    this.at += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.sign(text)) throw new NotEvaluated(`'${text}' is missing`);
  }
}
