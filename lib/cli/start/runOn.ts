import { parametersOf } from '../../plan/plan';
import { changeWarnings } from '../../run/changing';
import { localManifest } from '../../run/localManifest';
import { type CliContext, UsageError } from '../context';
import { configurationAs } from '../input/configurationOptions';
import { usage } from '../plan';
import { drivenHere, keepLocalRun, type LocallyDriven, writableDirectory } from './localRun';
import { planOn } from './mountPlan';
import { planIn, type RunOptions, recordedNotices, type StartedRun, settingsIn } from './recorded';
import { surveyOf } from './survey';

/** Starts a run on one file system that is mounted here, in this process. */
export const startOn = async (context: CliContext, options: RunOptions): Promise<StartedRun> =>
  drivenHere(context, await prepareOn(context, options));

/** Refuses mistakes that do not depend on the machines before any are waited for or paid. @throws UsageError */
export function refuseEarly(options: RunOptions): void {
  writableDirectory('--on', options.on ?? '');
  if (options.as !== undefined) configurationAs(options.as);
  const fleet = { clients: 1, instanceType: null, ranksPerClient: 1 };
  usage(() =>
    parametersOf(planIn(options), { scale: 'lab', fleet, set: settingsIn(options, Number(options.nodes) || null) }),
  );
}

/** A run on one file system that is mounted here: no stack, and nothing to compare it with but what is documented for it. */
async function prepareOn(context: CliContext, options: RunOptions): Promise<LocallyDriven> {
  const survey = await surveyOf(context, options);
  const { directory, clientType, known, machines, client, there, noMpi, better } = survey;
  for (const sentence of [noMpi, better]) if (sentence !== null) context.err(`${sentence}\n`);
  if (there !== null && there.problems.length > 0)
    throw new UsageError(
      `${machines === null ? 'this computer cannot' : 'not every client can'} measure ${directory}:\n${there.problems.join('\n')}`,
    );
  const { plan, lacks, otherTool } = planOn(survey, options);
  if (lacks.length > 0) throw new UsageError(`not every client has what the plan runs:\n${lacks.join('\n')}`);
  const notices = [...known.notices, ...recordedNotices(options), ...(there?.notices ?? [])];
  for (const sentence of [...notices, ...(otherTool === null ? [] : [otherTool])]) context.err(`${sentence}\n`);
  const { region, fileSystemId, describe } = known;
  const manifest = localManifest(plan, client, {
    run: options.id,
    region,
    known: () => ({ fileSystemId, describe }),
    fleet: {
      instanceType: clientType,
      ...(machines === null
        ? {}
        : {
            machines: { asked: `--${machines.option} ${machines.wanted}`, names: machines.names },
            hourlyReason: 'clients that existed already',
          }),
    },
    notices,
  });
  for (const sentence of changeWarnings(manifest.arms)) context.err(`warning: ${sentence}\n`);
  return keepLocalRun(context, options.results, { plan, manifest, client });
}
