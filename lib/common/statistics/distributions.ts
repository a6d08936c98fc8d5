/** Student's distribution, central and noncentral, from the special functions of Cephes (https://www.netlib.org/cephes). */
import { chdtr, incbet, incbi } from 'cephes';

/** The probability of at most `t`. @param degrees of freedom, which may be a fraction */
export function studentCdf(t: number, degrees: number): number {
  const rest = degrees / (degrees + t * t);
  // Of share and rest the smaller one has the digits.
  const beyond =
    rest < 0.5 ? incbet(degrees / 2, 0.5, rest) : 1 - incbet(0.5, degrees / 2, (t * t) / (degrees + t * t));
  return t > 0 ? 1 - beyond / 2 : beyond / 2;
}

/** The two-sided quantile: `t` lies between it and its negative with the given probability. */
export function studentQuantile(confidence: number, degrees: number): number {
  const rest = incbi(degrees / 2, 0.5, 1 - confidence);
  if (rest < 0.5) return Math.sqrt((degrees * (1 - rest)) / rest);
  const share = incbi(0.5, degrees / 2, confidence);
  return Math.sqrt((degrees * share) / (1 - share));
}

/** A chi-squared value beyond which there is nothing, for the degrees of freedom at hand; Cephes throws where its exponential underflows. */
const MOST_SQUARED = 1000;

const REACH = 8;
const STEPS = 320;

/** The probability that a t, `away` standard errors off centre, exceeds `critical`. @param degrees at most 60: the quadrature is too coarse for more */
export function noncentralTail(critical: number, degrees: number, away: number): number {
  // Simpson's rule over the normal numerator; given it, the squared denominator has a chi-squared distribution.
  const step = (2 * REACH) / STEPS;
  let sum = 0;
  for (let at = 0; at <= STEPS; at += 1) {
    const z = at * step - REACH;
    if (away + z <= 0) continue;
    const weight = at === 0 || at === STEPS ? 1 : at % 2 === 1 ? 4 : 2;
    sum +=
      weight * Math.exp((-z * z) / 2) * chdtr(degrees, Math.min(degrees * ((away + z) / critical) ** 2, MOST_SQUARED));
  }
  return (sum * step) / 3 / Math.sqrt(2 * Math.PI);
}
