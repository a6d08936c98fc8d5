import type { Rule, Subject } from '../rule';
import { dataFitInMemory, missingFsync, oneCommand, readsOwnData } from './ior/caches';
import { csvWithoutData, jsonWithVerbose, oldDirectOption, sharedFile, sizesDoNotDivide, verbosity } from './ior/form';
import { dummyApi, incompressible, patternOfVersion, randomPattern } from './ior/pattern';
import { limitCutsRepetitions, noRepeats, noStonewallWithTime, statusFile } from './ior/time';

export { IOR_WITH_VALUE } from './ior/common';

export const IOR_RULES: readonly Rule<Subject>[] = [
  dummyApi,
  oldDirectOption,
  sizesDoNotDivide,
  incompressible,
  randomPattern,
  patternOfVersion,
  missingFsync,
  readsOwnData,
  oneCommand,
  sharedFile,
  noStonewallWithTime,
  limitCutsRepetitions,
  statusFile,
  verbosity,
  csvWithoutData,
  jsonWithVerbose,
  dataFitInMemory,
  noRepeats,
];
