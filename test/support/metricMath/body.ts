/** A widget of a dashboard's body, as CloudWatch has it. */
export interface Widget {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly period?: number;
    readonly stat?: string;
    readonly metrics?: readonly (readonly (string | Readonly<Record<string, unknown>>)[])[];
    readonly yAxis?: Readonly<Partial<Record<'left' | 'right', { label?: string; min?: number; max?: number }>>>;
    readonly annotations?: { readonly horizontal?: readonly { label: string; value: number }[] };
    readonly markdown?: string;
    readonly alarms?: readonly string[];
  };
}
