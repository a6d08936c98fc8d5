import { type Plan, planSchema } from '../schema/plan';
import { executableOf } from '../workload/lookup';

/** A plan as it may be carried out: each command starts the tool that its task names, so that nothing else is started in its name. */
export const runnablePlanSchema = planSchema.superRefine((plan: Plan, context) => {
  plan.steps.forEach(({ tasks }, step) => {
    tasks.forEach(({ action }, task) => {
      if (action.kind !== 'workload' || action.command[0] === executableOf(action.tool)) return;
      const path = ['steps', step, 'tasks', task, 'action'];
      context.addIssue({ code: 'custom', path, message: 'a command begins with its tool' });
    });
  });
});
