import { type Plan, planSchema } from '../schema/plan';
import { checkConfigurations } from '../storage/configurations';
import { executableOf } from '../workload/lookup';
import { PLAN_FILE, RESTORE, required } from './documents';

/** An executable plan: each command must start with its task's tool, so that nothing else can be run in its name. */
const runnablePlanSchema = planSchema.superRefine(checkConfigurations).superRefine((plan: Plan, context) => {
  plan.steps.forEach(({ tasks }, step) => {
    tasks.forEach(({ action }, task) => {
      if (action.kind !== 'workload' || action.command[0] === executableOf(action.tool)) return;
      const path = ['steps', step, 'tasks', task, 'action'];
      context.addIssue({ code: 'custom', path, message: 'a command must start with its tool' });
    });
  });
});

/** The plan of a run folder, as a driver can carry it out. */
export const PLAN = { name: 'plan', file: PLAN_FILE, schema: runnablePlanSchema, next: RESTORE };

/** @throws if the folder has none, or it cannot be read */
export const readPlan = (folder: string): Plan => required(folder, PLAN);
