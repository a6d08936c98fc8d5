/** A rate in five digits, so that dividing two of them gives the difference that `renderChange` prints. */
export const renderRate = (value: number | null): string =>
  value === null ? '-' : String(Number(value.toPrecision(5)));

/** `+2.1 %` of a ratio of 1.021. */
export const renderChange = (ratio: number): string =>
  `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(ratio < 2 ? 1 : 0)} %`;

/** `20–45 s`, `2–7 min`, `3–5 h`, `up to 5 min`. */
export function renderRange(low: number, high: number): string {
  const [unit, seconds] = high < 180 ? ['s', 1] : high < 2 * 3600 ? ['min', 60] : ['h', 3600];
  const [least, most] = [Math.floor(low / seconds), Math.ceil(high / seconds)];
  return `${least === 0 ? 'up to ' : `${least}–`}${most} ${unit}`;
}

/** `1 h 05 min`, `4 min 10 s`, `12 s`. */
export function renderDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole >= 3600)
    return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
  if (whole >= 60) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${whole} s`;
}
