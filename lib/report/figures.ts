import type { RunSummary } from '../analysis/summary';
import type { RunFigures } from '../schema/summary';
import { findings } from './findings';
import { plainText } from './render/shown';

/** The result of a run in short, for a list of runs; its words are the report's. Pure: the same run gives the same figures. */
export function figuresOf(run: RunSummary): RunFigures {
  const costUsd = run.lab ? null : run.cost.runUsd;
  return {
    schema: 'fsxbench.summary/1',
    run: run.run,
    benchmark: run.benchmark,
    plan: run.plan,
    scale: run.scale,
    platform: platformOf(run),
    seconds: run.seconds,
    validity: run.validity,
    findings: findings(run).map(plainText),
    costUsd,
    ...(costUsd === null ? { costReason: costReasonOf(run) } : {}),
  };
}

const costReasonOf = ({ lab, cost }: RunSummary): string =>
  lab ? 'nothing was rented: it is a lab run' : (cost.reason ?? 'unknown');

function platformOf({ place, record: { manifest } }: RunSummary): string {
  if (place === 'lab') return 'lab';
  if (place === 'model') return 'scale model in the lab';
  if (manifest === null) return 'unknown platform';
  if (place === 'machines') return 'clients that existed already';
  if (place === 'directories') return 'directories of one computer';
  if (place === 'mounted') return 'Lustre mounted on one computer';
  return `AWS ${manifest.region ?? 'in an unknown Region'}`;
}
