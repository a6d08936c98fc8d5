import type { Trend, TrendChange, TrendPoint, TrendSetting } from '../../analysis/compare/trends';
import { compressibilityLabel } from '../../common/format/compressibilities';
import { moment, plain, ratio } from '../../common/format/units';
import { leavesOutEquality } from '../../common/statistics';

/** `lab · paired plan · smoke scale` */
export function settingWords({ platform, plan, scale }: TrendSetting): string {
  const parts = [platform, plan && `${plan} plan`, scale && `${scale} scale`];
  return parts.filter((part) => part !== null).join(' · ');
}

/** Label of a trend: `write at 2.6:1` */
export function placeWords({
  operation,
  metric,
  compressibility,
}: Pick<Trend, 'operation' | 'metric' | 'compressibility'>): string {
  const what = operation === 'space' ? 'compression read back' : operation.replaceAll('_', ' ');
  const which = operation === 'space' || metric === 'throughput' || metric === 'rate' ? what : `${what}, ${metric}`;
  const made = operation === 'space' ? ', made for ' : ' at ';
  return compressibility === null ? which : `${which}${made}${compressibilityLabel(compressibility)}`;
}

type Measure = Pick<Trend, 'metric' | 'unit'>;

/** The value with its unit, or why there is none. */
export const valueWords = ({ value, reason }: TrendPoint, measure: Measure): string =>
  value === null ? `not measured (${reason})` : withUnit(value, measure);

const withUnit = (value: number, { metric, unit }: Measure): string =>
  metric === 'compression_ratio' ? `${ratio(value)}:1` : `${plain(value)} ${unit}`;

/** `+2.1 %, within chance (means 98 → 100 MB/s)`; `single repeat` where nothing says how far chance reaches, `perhaps the model` where models differ as much. */
export function changeWords(
  { ratio: quotient, real, interval, means: [before, after] }: TrendChange,
  measure: Measure,
): string {
  const from = measure.metric === 'compression_ratio' ? withUnit(before, measure) : plain(before);
  const means = `means ${from} → ${withUnit(after, measure)}`;
  const chance = interval !== null && leavesOutEquality(interval) ? 'perhaps the model' : 'within chance';
  return `${percent(quotient)}, ${real === null ? 'single repeat' : real ? 'real' : chance} (${means})`;
}

/** `+2.1 %` of a quotient of 1.021. */
export function percent(quotient: number): string {
  const share = ((quotient - 1) * 100).toFixed(1);
  if (Number(share) === 0) return '±0.0 %';
  return `${share.startsWith('-') ? share.replace('-', '−') : `+${share}`} %`;
}

/** The day of a run, or the hour where all runs are of one day. */
export function dayOf(at: string | null, all: readonly { readonly startedAt: string | null }[]): string {
  if (at === null) return '';
  const days = new Set(all.map(({ startedAt }) => startedAt?.slice(0, 10)));
  const [day = '', time = ''] = moment(at).split(', ');
  return days.size === 1 ? time.slice(0, 5) : day.replace(/ \d{4}$/, '');
}
