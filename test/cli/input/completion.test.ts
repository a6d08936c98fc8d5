import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fsxbench } from '../support';

test('bash completes commands, then their options', async () => {
  const { out } = await fsxbench('completion', 'bash');
  const completed = (...words: string[]): string[] => completedIn(process.cwd(), ...words);
  const completedIn = (cwd: string, ...words: string[]): string[] => {
    const script = `${out}\nCOMP_WORDS=(fsxbench ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _fsxbench; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd })
      .split('\n')
      .filter((word) => word !== '');
  };
  expect(completed('pre')).toEqual(['predict']);
  expect(completed('run', 'Comp')).toEqual(['CompressionBench']);
  expect(completed('run', 'CompressionBench', '--loc')).toEqual(['--local']);
  expect(completed('lab', 'q')).toEqual(['quickstart']);
  expect(completed('lab', 'quickstart', '--ke')).toEqual(['--keep']);
  // Values of options: types, parameters of the plans, runs in results/.
  expect(completed('predict', '--deployment', 'PERS')).toEqual(['PERSISTENT_1', 'PERSISTENT_2']);
  expect(completed('run', 'CompressionBench', '--set', 'repe')).toEqual(['repeats=']);
  expect(completed('plan', 'MetadataBench', '--scale', 's')).toEqual(['smoke']);
  expect(completed('advise', '--storage', 'e')).toEqual(['efs', 'ebs']);
  expect(completed('cost', 'CompressionBench', '--region', 'eu-central')).toEqual(['eu-central-1', 'eu-central-2']);
  expect(completed('lab', 'up', '--benchmark', 'Stor')).toEqual(['StorageBench']);
  const there = mkdtempSync(join(tmpdir(), 'fsxbench-completion-'));
  mkdirSync(join(there, 'results/runs/CompressionBench/20260101T000000Z-paired-abcd'), { recursive: true });
  for (const before of [['watch'], ['report'], ['run', 'CompressionBench', '--resume']])
    expect(completedIn(there, ...before, '2026')).toEqual(['20260101T000000Z-paired-abcd']);
  rmSync(there, { recursive: true });
  const { out: zsh } = await fsxbench('completion', 'zsh');
  expect(zsh).toContain('bashcompinit\n# bash completion');
  // zsh (tried with 5.9) takes a letter there for a modifier: "unrecognized modifier".
  expect(zsh).not.toMatch(/:\d+:[A-Za-z]/);
  // Its own names, which a function must not take for itself.
  expect(zsh).not.toMatch(/\b(path|words)=/);
  expect((await fsxbench('completion', 'fish')).out).toMatch(
    /^complete -c fsxbench -n '__fish_seen_subcommand_from lab; and __fish_seen_subcommand_from up' -l arms -d /m,
  );
  expect(await fsxbench('completion', 'tcsh')).toMatchObject({
    status: 2,
    err: "fsxbench: 'shell' must be one of bash, zsh, fish, got 'tcsh'\n",
  });
});
