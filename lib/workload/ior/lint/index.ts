import type { LintRule } from '../../common/lint/rule';
import { PATTERN_RULES, RESULT_RULES } from './pattern';
import { FORM_RULES } from './script';
import { CACHE_RULES, TIME_RULES } from './time';

export const IOR_RULES: readonly LintRule[] = [FORM_RULES, PATTERN_RULES, CACHE_RULES, TIME_RULES, RESULT_RULES].flat();
