export { type Change, type ChangeOptions, findChanges, type Levels } from './change';
export { type Description, describe } from './describe';
export { minimumDetectable, type PowerOptions, repeatsFor, spreadFromVariation } from './detectable';
export { stepDown } from './holm';
export { type Interval, type IntervalOptions, meanInterval } from './interval';
export { type Outlier, outliers } from './outliers';
export { comparePairs, type PairedComparison, type PairedValues } from './paired';
