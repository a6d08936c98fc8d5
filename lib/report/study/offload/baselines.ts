import type { RunSummary } from '../../../analysis/summary';
import { offloadBench } from '../../../benchmark/offload';
import { BASELINE_STEP } from '../../../benchmark/offload/plan/ladder';
import { NO_VALUE, plain } from '../../../common/format/units';
import type { Step } from '../../../schema/plan';
import type { Sample } from '../../../schema/sample';
import { BASELINES } from '../../../workload/lookup';
import { columns, numbers, quantity, remark, table, text } from '../../blocks';
import type { Section } from '../../sections/section';
import { pointsOf } from './trade';

/** Baselines from the network and the disks up to the client: the share that each layer leaves of the one below. */
export const baselines: Section = {
  id: 'baselines',
  title: 'Baselines by layer',
  isResult: true,
  after: 'compression-cost',
  blocks(run) {
    if (run.benchmark !== offloadBench.name) return [];
    const steps = (run.record.plan?.steps ?? []).filter(({ id }) => id.startsWith(BASELINE_STEP));
    if (steps.length === 0) return [];
    const [client] = pointsOf(run).filter(({ family }) => family === 'off');
    const own = quantity(client?.throughputMBps.value ?? null, plain);
    return [
      text(
        'Each layer below Lustre was measured before the arms; the last row is what a client writes through all layers. The last column has the slides’ figure, with the verdict.',
      ),
      table({
        caption: 'Baselines from the network to the client (MB/s)',
        captionHidden: true,
        columns: [...columns('Layer'), ...numbers('MB/s', 'gzip stores'), ...columns('In the slides')],
        rows: [
          ...steps.map((step) => rowOf(run, step)),
          ['A client’s write, without compression', own, NO_VALUE, NO_VALUE],
        ],
      }),
      remark(
        '“gzip stores” is the size of a sample of the data after gzip-6, as a share of its size before: it shows how compressible the data are.',
      ),
    ];
  },
};

function rowOf(run: RunSummary, { id: step, tasks }: Step) {
  const [task] = tasks;
  const id = task?.action.kind === 'workload' ? task.action.pattern : '';
  const { label = id, ofEachArm = false } = BASELINES.find((baseline) => baseline.id === id) ?? {};
  const own = run.record.counted.filter((sample) => sample.step === step);
  const of = (metric: string): Sample | undefined => own.find((sample) => sample.metric === metric);
  const [rate, share] = [of('throughput'), of('gzip_share')];
  const reason = rate === undefined ? 'not measured' : (rate.reason ?? null);
  return [
    ofEachArm ? `${label}: ${task?.arm}` : label,
    quantity(rate?.value ?? null, plain, { reason, below: rate?.value == null ? reason : null }),
    share?.value == null ? NO_VALUE : quantity(share.value, (value) => `${plain((value ?? 0) * 100)} %`),
    describeStudy(run, id),
  ];
}

function describeStudy({ analysis: { verdicts } }: RunSummary, id: string) {
  const found = verdicts.find(({ claim }) => claim.study === offloadBench.study && claim.layer === id);
  if (found === undefined) return NO_VALUE;
  const { claim, verdict, because } = found;
  return [`${claim.quantity}: ${claim.quoted} ${claim.unit}`, { below: `${verdict}${because ? `: ${because}` : ''}` }];
}
