/** Names that a shell, a template or an option parser would take for something else, each without `/` and legal in a path. */
export const HOSTILE = [
  'it\'s a "quoted" name',
  '$(touch made-by-a-name)',
  '`touch made-by-a-name`',
  'a; touch made-by-a-name',
  '-rf',
  '--help',
  '{client}{dir}{round}',
  '$& $` $$ $HOME',
  'back\\slash',
  '*?#~!%d',
] as const;
