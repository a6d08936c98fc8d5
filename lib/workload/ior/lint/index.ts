import type { LintedTool, LintRule } from '../../kit/lint/rule';
import { dataFitInMemory, missingFsync, oneCommand, readsOwnData } from './caches';
import {
  csvWithoutData,
  jsonWithVerbose,
  oldDirectOption,
  rewrites,
  sharedFile,
  sizesDoNotDivide,
  verbosity,
} from './form';
import { dummyApi, incompressible, patternOfVersion, randomPattern } from './pattern';
import { limitCutsRepetitions, noRepeats, noStonewallWithTime, statusFile } from './time';

export { iorOptions } from './common';

export const IOR_RULES: readonly LintRule<LintedTool>[] = [
  rewrites,
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
