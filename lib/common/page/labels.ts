/** A rectangle on a chart, in its own units, y downwards. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A text that belongs to a point of a chart. */
export interface LabelRequest {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** True if it is placed first, and may be far from its point; without room nearby, others are left out. */
  readonly required: boolean;
}

/** A label and the position of its middle. */
export interface PlacedLabel {
  readonly label: LabelRequest;
  readonly x: number;
  readonly y: number;
  readonly box: Box;
  /** True if it is so far from its point that a line should lead there. */
  readonly far: boolean;
}

/** Width of a character in the charts' type: 11 px, bold, tabular figures. */
const CHARACTER = 7;
const LINE = 12;

/** Width of a text in a chart, rounded up. */
export const textWidth = (text: string): number => text.length * CHARACTER;

/** The box of a text around its middle. */
export function textBox(x: number, y: number, text: string): Box {
  const half = textWidth(text) / 2;
  return { left: x - half, right: x + half, top: y - LINE / 2, bottom: y + LINE / 2 };
}

/** True if two boxes have more than an edge in common. */
export const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Left above first, as the front of a chart of cost against speed leaves most room there. */
const DIRECTIONS = [-135, -90, 180, -45, 135, 0, 90, 45].map((degrees) => (degrees * Math.PI) / 180);
const NEAR = [10, 13] as const;
const FARTHER = [18, 24, 30] as const;
const FARTHEST = [38, 48, 60, 75, 95, 120, 150] as const;

/** Places labels next to their points, clear of each other, of obstacles and of the edge. Required and earlier ones choose first. Deterministic. */
export function placeLabels(
  labels: readonly LabelRequest[],
  obstacles: readonly Box[],
  inside: Box,
): readonly PlacedLabel[] {
  const taken = [...obstacles];
  const placed: PlacedLabel[] = [];
  for (const label of [...labels.filter(({ required }) => required), ...labels.filter(({ required }) => !required)]) {
    const spot = spots(label).find(
      ({ box }) =>
        box.left >= inside.left &&
        box.right <= inside.right &&
        box.top >= inside.top &&
        box.bottom <= inside.bottom &&
        !taken.some((other) => overlap(box, other)),
    );
    if (spot === undefined) continue;
    taken.push(spot.box);
    placed.push(spot);
  }
  return placed;
}

/** All places of a label, the best first. */
function spots(label: LabelRequest): PlacedLabel[] {
  const distances = [...NEAR, ...FARTHER, ...(label.required ? FARTHEST : [])];
  const wider = textWidth(label.text) / 2 - LINE / 2;
  return distances.flatMap((distance) =>
    DIRECTIONS.map((angle) => {
      const x = label.x + Math.cos(angle) * (distance + wider);
      const y = label.y + Math.sin(angle) * distance;
      return { label, x, y, box: textBox(x, y, label.text), far: distance > NEAR[1] };
    }),
  );
}
