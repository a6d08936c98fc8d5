import { NotEvaluated } from './series';

/** A metric search: all dimensions by name, and the required name and values. */
export interface Search {
  readonly namespace: string;
  readonly dimensions: readonly string[];
  readonly terms: readonly { readonly property: string; readonly value: string; readonly exact: boolean }[];
}

const FORM = /^\s*\{\s*([^{}]+?)\s*\}\s*(.*?)\s*$/s;
const TERM = /([A-Za-z][\w.]*)=(?:"([^"]*)"|([\w-]+))(?:\s+|$)/y;

/**
 * Parses the first argument of SEARCH: a schema, and terms with their property, which must all match.
 *
 * @throws NotEvaluated for other forms, such as OR and words without a property
 */
export function parseSearch(text: string): Search {
  const [, schema, rest = ''] = FORM.exec(text) ?? [];
  if (schema === undefined) throw new NotEvaluated('a SEARCH without {namespace,dimensions}');
  const [namespace = '', ...dimensions] = schema.split(',').map((word) => word.trim().replace(/^"(.*)"$/, '$1'));
  const terms = [];
  for (let at = 0; at < rest.length; at = TERM.lastIndex) {
    TERM.lastIndex = at;
    const match = TERM.exec(rest);
    if (match === null) throw new NotEvaluated(`a SEARCH for '${rest.slice(at)}'`);
    const [, property = '', quoted, word = ''] = match;
    terms.push({ property, value: quoted ?? word, exact: quoted !== undefined });
  }
  return { namespace, dimensions, terms };
}

/** A token in its original case; `start` is true after a character that is not a letter or digit. */
interface Token {
  readonly text: string;
  readonly start: boolean;
}

/**
 * The tokens of a value, as CloudWatch splits it: at non-alphanumeric characters, between letters and digits, and before a capital
 * after a lower-case letter. Source: CloudWatch user guide, search expressions (tokenization).
 */
function tokensOf(value: string): Token[] {
  return (value.match(/[A-Za-z0-9]+/g) ?? []).flatMap((part) =>
    (part.match(/\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((text, index) => ({ text, start: index === 0 })),
  );
}

/**
 * True if a term is a token of a value, or several consecutive ones. A single token matches case-insensitively; of several, those that
 * the term writes as one word match case-sensitively (CloudWatch user guide, search expressions, partial matches).
 */
export function matchesPartly(term: string, value: string): boolean {
  const wanted = tokensOf(term);
  const there = tokensOf(value);
  const alone = (index: number): boolean =>
    (wanted[index]?.start ?? false) && (index + 1 === wanted.length || (wanted[index + 1]?.start ?? false));
  return there.some((_, from) =>
    wanted.every(({ text }, index) => {
      const own = there[from + index]?.text;
      return alone(index) ? own?.toLowerCase() === text.toLowerCase() : own === text;
    }),
  );
}

/** A metric by its namespace, name and dimensions. */
interface Named {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** True if a search matches a metric: it has exactly the schema's dimensions, and every term matches. */
export function finds({ namespace, dimensions, terms }: Search, metric: Named): boolean {
  const names = Object.keys(metric.dimensions);
  if (metric.namespace !== namespace || names.length !== dimensions.length) return false;
  if (!dimensions.every((name) => Object.hasOwn(metric.dimensions, name))) return false;
  return terms.every(({ property, value, exact }) => {
    const own = property === 'MetricName' ? metric.metric : metric.dimensions[property];
    if (own === undefined) return false;
    return exact ? own === value : matchesPartly(value, own);
  });
}
