import { parametersOf } from '../../plan/plan';
import { changeWarnings } from '../../run/changing';
import { localManifest } from '../../run/manifest';
import { type CliContext, UsageError, usage } from '../context';
import { configurationAs } from '../input/configurationOptions';
import { planIn, type RunOptions, recordedNotices, type StartedRun, settingsIn } from './arguments';
import { drivenHere, keepLocalRun, writableDirectory } from './localRun';
import { planOn, surveyOf } from './survey';

/** Refuses mistakes that do not depend on the machines before any are waited for or paid. @throws UsageError */
export function refuseEarly(options: RunOptions): void {
  writableDirectory('--on', options.on ?? '');
  if (options.as !== undefined) configurationAs(options.as);
  const fleet = { clients: 1, instanceType: null, ranksPerClient: 1 };
  usage(() =>
    parametersOf(planIn(options), { scale: 'lab', fleet, set: settingsIn(options, Number(options.nodes) || null) }),
  );
}

/** Starts a run on one file system that is mounted here: no stack, and nothing to compare it with but what is documented for it. */
export async function startOn(context: CliContext, options: RunOptions): Promise<StartedRun> {
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
  const fleet = machines && {
    machines: { asked: `--${machines.option} ${machines.wanted}`, names: machines.names },
    hourlyReason: 'clients that existed already',
  };
  const manifest = localManifest(plan, client, {
    run: options.id,
    region,
    known: () => ({ fileSystemId, describe }),
    fleet: { instanceType: clientType, ...fleet },
    notices,
  });
  for (const sentence of changeWarnings(manifest.arms)) context.err(`warning: ${sentence}\n`);
  return drivenHere(context, await keepLocalRun(context, options.results, { plan, manifest, client }));
}
