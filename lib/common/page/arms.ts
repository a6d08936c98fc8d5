import { ARM_COLOURS } from './drawing';
import { html, type Markup, trusted } from './markup';

/** A piece of a sentence: text, or the name of an arm, which each form of a report marks in its own way. */
export type Part = string | { readonly arm: string };
export type Sentence = readonly Part[];

/** Every arm has a palette colour and a shape, which distinguish arms for colour-blind readers and on grey paper. */
const SHAPES = [
  { symbol: 'circle', path: 'M5 1a4 4 0 1 1 0 8a4 4 0 1 1 0-8z' },
  { symbol: 'square', path: 'M1.5 1.5h7v7h-7z' },
  { symbol: 'triangle', path: 'M5 .8l4.4 8h-8.8z' },
  { symbol: 'diamond', path: 'M5 .2l3.6 4.8l-3.6 4.8l-3.6-4.8z' },
  { symbol: 'star', path: 'M5 0l1.3 3.4l3.6.2l-2.8 2.3l.9 3.5l-3-2l-3 2l.9-3.5l-2.8-2.3l3.6-.2z' },
  { symbol: 'cross', path: 'M3.5 .5h3v3h3v3h-3v3h-3v-3h-3v-3h3z' },
] as const;

/** Colours and shapes of a report's arms: arms of a group share a colour. */
export class ArmLook {
  private readonly indices: ReadonlyMap<string, number>;
  private readonly colours = new Map<string, number>();
  private readonly shapes = new Map<string, number>();

  constructor(summary: { readonly arms: readonly { readonly name: string; readonly group?: string }[] }) {
    this.indices = new Map(summary.arms.map(({ name }, index) => [name, index]));
    const groups = [...new Set(summary.arms.map(({ group }) => group))];
    const members = new Map<string, number>();
    for (const { name, group } of summary.arms) {
      if (group === undefined) continue;
      const before = members.get(group) ?? 0;
      this.colours.set(name, groups.indexOf(group));
      this.shapes.set(name, before);
      members.set(group, before + 1);
    }
  }

  /** Position of the arm in the plan; what is not in the plan comes after it. */
  index(name: string): number {
    return this.indices.get(name) ?? this.indices.size;
  }

  colour(name: string): string {
    return `var(--arm-${(this.colours.get(name) ?? this.index(name)) % ARM_COLOURS.length})`;
  }

  symbol(name: string): (typeof SHAPES)[number]['symbol'] {
    return this.shape(name).symbol;
  }

  /** The arm's name with its mark. */
  label(name: string): Markup {
    const { path } = this.shape(name);
    const mark = html`<svg class="mark" viewBox="0 0 10 10" aria-hidden="true" fill="${trusted(this.colour(name))}"><path d="${trusted(path)}"/></svg>`;
    return html`<span class="arm">${mark}${name}</span>`;
  }

  sentence(sentence: Sentence): Markup {
    return html`${sentence.map((part: Part) => (typeof part === 'string' ? part : this.label(part.arm)))}`;
  }

  private shape(name: string): (typeof SHAPES)[number] {
    const index = this.index(name);
    // When the colours repeat, the shapes are shifted by one: the thirteenth arm does not look like the first.
    const own = this.shapes.get(name) ?? index + Math.floor(index / ARM_COLOURS.length);
    return SHAPES[own % SHAPES.length] as (typeof SHAPES)[number];
  }
}
