import { capabilities, examine, thisMachine } from '../doctor/checks';
import { type CliContext, printJson, Unsuccessful } from './context';
import { renderTable } from './table';

/** `fsxbench doctor`: exit 0 when a deployment, a local run or the lab would work; what each lacks stands in the answer. */
export function doctorCommand(context: CliContext, options: { json?: boolean }): void {
  const findings = examine(thisMachine(context.root, context.environment));
  const works = capabilities(findings);
  if (options.json) printJson(context, { schema: 'fsxbench.doctor/1', works, findings });
  else {
    context.out(
      renderTable(
        ['', 'needed for', 'found', 'what to do'],
        findings.map(({ name, neededFor, state, found, advice }) => [
          `${state.padEnd(8)} ${name}`,
          neededFor.join(', '),
          found,
          advice ?? '',
        ]),
      ),
    );
    for (const [purpose, ok] of Object.entries(works)) context.out(`${ok ? 'ready' : 'not ready'} for: ${purpose}\n`);
  }
  if (!Object.values(works).some(Boolean)) throw new Unsuccessful('nothing works here yet: see the table');
}
