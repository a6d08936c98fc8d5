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

/** The look of an arm without a group. When the colours repeat, the shapes are shifted by one: the thirteenth arm does not look like the first. */
const lookAt = (index: number) => ({ index, colour: index, shape: index + Math.floor(index / ARM_COLOURS.length) });

/** Colours and shapes of a report's arms: arms of a group share a colour. */
export class ArmLook {
  private readonly looks: ReadonlyMap<string, ReturnType<typeof lookAt>>;

  constructor({ arms }: { readonly arms: readonly { readonly name: string; readonly group?: string }[] }) {
    const groups = [...new Set(arms.map(({ group }) => group))];
    this.looks = new Map(
      arms.map(({ name, group }, index) => {
        if (group === undefined) return [name, lookAt(index)];
        const shape = arms.slice(0, index).filter((before) => before.group === group).length;
        return [name, { index, colour: groups.indexOf(group), shape }];
      }),
    );
  }

  /** Position of the arm in the plan; what is not in the plan comes after it. */
  index(name: string): number {
    return this.look(name).index;
  }

  colour(name: string): string {
    return `var(--arm-${this.look(name).colour % ARM_COLOURS.length})`;
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

  private look(name: string) {
    return this.looks.get(name) ?? lookAt(this.looks.size);
  }

  private shape(name: string): (typeof SHAPES)[number] {
    return SHAPES[this.look(name).shape % SHAPES.length] as (typeof SHAPES)[number];
  }
}
