export { type Change, findChanges, type Levels } from './change';
export { describe } from './describe';
export { minimumDetectable, repeatsFor, spreadFromVariation } from './detectable';
export { isNegligible, leavesOutEquality } from './equality';
export { stepDown } from './holm';
export { type Interval, meanInterval, studentQuantile } from './interval';
export { outliers } from './outliers';
export { comparePairs, type PairedValues } from './paired';
