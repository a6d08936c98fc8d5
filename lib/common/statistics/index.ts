export { type Change, findChanges, type Levels } from './change';
export {
  autocorrelationOf,
  dependenceOf,
  evidenceOf,
  FEWEST_FOR_AUTOCORRELATION,
  type Lag1Evidence,
  residualsOf,
} from './dependence';
export {
  firstAgainstLast,
  minimumDetectable,
  repeatsFor,
  spreadFromVariation,
  valuesToFind,
} from './detectable';
export { studentQuantile } from './distributions';
export { comparePairs, type Interval, inflatedSpread, meanInterval, type PairedValues, stepDown } from './paired';
export { confidenceWithInterim, FEWEST_FOR_INTERIM, pocockBoundary } from './sequential';
export {
  FEWEST_FOR_OUTLIERS,
  geometricMean,
  geometricRatio,
  isNegligible,
  leavesOutEquality,
  meanOf,
  medianOf,
  outliers,
  variationOf,
} from './summary';
