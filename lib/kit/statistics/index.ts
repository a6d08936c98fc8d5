export { type Change, findChanges, type Levels } from './change';
export { describe, geometricMean, geometricRatio } from './describe';
export { minimumDetectable, repeatsFor, spreadFromVariation } from './detectable';
export { type Ends, firstAgainstLast, valuesToFind } from './ends';
export { isNegligible, leavesOutEquality } from './equality';
export { stepDown } from './holm';
export { type Interval, meanInterval, studentQuantile } from './interval';
export { FEWEST_FOR_OUTLIERS, outliers } from './outliers';
export { comparePairs, type PairedValues } from './paired';
