import type { RunSummary } from '../../analysis/summary';
import { text } from '../blocks';
import { rerunCommands } from '../rerun';
import { BENCHMARK_SECTIONS } from '../study/registry';
import { checks } from './checks';
import { claims } from './claims';
import { deployment } from './deployment';
import { limits } from './limits';
import { metrics } from './metrics';
import { pairs } from './pairs';
import { plan } from './plan';
import { predicted } from './predicted';
import { program } from './program';
import { provenance } from './provenance';
import { rates } from './rates';
import { raw, samples } from './samples';
import type { Section } from './section';
import { space } from './space';
import { stragglers } from './stragglers';

const rerun: Section = {
  id: 'rerun',
  title: 'Running it again',
  blocks(run) {
    const { words, commands } = rerunCommands(run);
    return commands.length === 0 ? [] : [text(words), { kind: 'code', code: commands.join('\n'), language: 'sh' }];
  },
};

/** The report's own sections in their order: results first, then what they rest on. */
const SECTIONS: readonly Section[] = [
  rates,
  pairs,
  limits,
  program,
  space,
  predicted,
  claims,
  stragglers,
  metrics,
  checks,
  deployment,
  plan,
  provenance,
  samples,
  raw,
  rerun,
];

/** Own sections and those of plug-ins, each after the one that it names, or else after the last result. @throws Error if that is unknown, or an id is taken */
export function inPlace(own: readonly Section[], added: readonly Section[]): Section[] {
  const all = [...own];
  for (const section of added) {
    const { id, after } = section;
    if (all.some((one) => one.id === id)) throw new Error(`two sections of the report have the id '${id}'`);
    const at =
      after === undefined ? all.findLastIndex(({ isResult }) => isResult) : all.findIndex((one) => one.id === after);
    if (typeof after === 'string' && at < 0)
      throw new Error(
        `'after' of the section '${id}' must be one of ${all.map((one) => one.id).join(', ')}, got '${after}'`,
      );
    all.splice(at + 1, 0, section);
  }
  return all;
}

const ALL = inPlace(SECTIONS, BENCHMARK_SECTIONS);

/** The sections in which the run has something to say, in the order of every form of the report. */
export const sectionsOf = (run: RunSummary) =>
  ALL.flatMap(({ id, title, isResult = false, blocks }) => {
    const shown = blocks(run).filter((block) => block !== null && block !== false);
    if (shown.length === 0) return [];
    return [{ id, title: typeof title === 'string' ? title : title(run), isResult, blocks: shown }];
  });
