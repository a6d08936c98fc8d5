import type { LintRule } from '../../common/lint/rule';
import { CACHE_RULES } from './caches';
import { FORM_RULES } from './form';
import { PATTERN_RULES } from './pattern';
import { RESULT_RULES } from './results';
import { TIME_RULES } from './time';

export const IOR_RULES: readonly LintRule[] = [FORM_RULES, PATTERN_RULES, CACHE_RULES, TIME_RULES, RESULT_RULES].flat();
