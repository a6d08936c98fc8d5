import { type CellContent, code, details, facts, json, table } from '../layout';
import { html, type Markup } from '../markup';
import type { Section } from './section';

type Facts = Readonly<Record<string, unknown>>;

export const provenance: Section = {
  id: 'provenance',
  title: 'Provenance',
  render({ record }) {
    const { environment, manifest, samples } = record;
    const used = [
      ...new Set(
        samples.flatMap(({ tool, toolVersion }) => (tool === null ? [] : [`${tool} ${toolVersion ?? ''}`.trim()])),
      ),
    ];
    const tools = Object.entries(manifest?.tools ?? {}).map(([name, version]) => [name, version] as const);
    if (environment.length === 0 && tools.length === 0 && used.length === 0) return null;
    return html`${facts([['Measured with', used.join(', ') || null], ...tools])}
${environment.map(({ node, facts: said }) => nodeFacts(node, said))}`;
  },
};

function nodeFacts(node: string, said: Facts): Markup {
  const simple = Object.entries(said).filter(([, value]) => isSimple(value));
  const lists = Object.entries(said).flatMap(([name, value]) => (isTuning(value) ? [{ name, rows: value }] : []));
  const rest = Object.fromEntries(
    Object.entries(said).filter(([name, value]) => !isSimple(value) && !lists.some((list) => list.name === name)),
  );
  return html`<h3>${node}</h3>
${facts(simple.map(([name, value]) => [name, String(value)] as const))}
${lists.map(({ name, rows }) => tuningTable(node, name, rows))}
${Object.keys(rest).length > 0 && details(`All else that ${node} said of itself`, json(rest))}`;
}

function isSimple(value: unknown): boolean {
  return value !== null && value !== '' && ['string', 'number', 'boolean'].includes(typeof value);
}

/** Client tuning: settings with what was asked for and what is in effect. */
function isTuning(value: unknown): value is readonly Facts[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => typeof row === 'object' && row !== null && 'wanted' in row && 'effective' in row)
  );
}

function tuningTable(node: string, name: string, rows: readonly Facts[]): Markup {
  const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
  return table({
    caption: `${name} of ${node}: wanted and in effect`,
    columns: [
      { label: 'Setting' },
      { label: 'Wanted', numeric: true },
      { label: 'In effect', numeric: true },
      { label: 'Remark' },
    ],
    rows: rows.map((row): CellContent[] => {
      const { wanted, effective, ...others } = row;
      const [setting, ...remarks] = Object.values(others)
        .filter((value) => isSimple(value))
        .map(text);
      const differs = text(wanted) !== text(effective);
      return [
        code(setting ?? ''),
        text(wanted),
        differs ? html`<strong>${text(effective)}</strong>` : text(effective),
        html`${differs && 'differs. '}${remarks.join('; ')}`,
      ];
    }),
  });
}
