import { readOptions } from '../kit/lint/options';
import type { Tool } from '../tool';
import { IOZONE_RULES } from './lint';

/** IOzone: only its commands are linted (https://manpages.ubuntu.com/manpages/lunar/man1/iozone.1.html). */
export const iozone: Tool = {
  id: 'iozone',
  lint: { options: (words) => readOptions(words, 'SLfrsitludjFVHkUPbJXYngyq'), rules: IOZONE_RULES },
};
