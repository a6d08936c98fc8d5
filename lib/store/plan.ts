import { type Plan, planSchema } from '../schema/plan';
import { checkConfigurations } from '../storage/configurations';
import { executableOf } from '../workload/lookup';

/** An executable plan: each command must start with its task's tool, so that nothing else can be run in its name. */
export const runnablePlanSchema = planSchema.superRefine(checkConfigurations).superRefine((plan: Plan, context) => {
  plan.steps.forEach(({ tasks }, step) => {
    tasks.forEach(({ action }, task) => {
      if (action.kind !== 'workload' || action.command[0] === executableOf(action.tool)) return;
      const path = ['steps', step, 'tasks', task, 'action'];
      context.addIssue({ code: 'custom', path, message: 'a command must start with its tool' });
    });
  });
});
