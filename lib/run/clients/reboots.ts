import { firstOf } from '../../kit/format/strings';

/** A look at a client within a step. */
interface Look {
  readonly client: string;
  /** Id that the kernel draws at each boot; scripts of older releases do not tell. */
  readonly bootId: string | null | undefined;
  readonly step: string;
  /** True after the step's measurement. */
  readonly ended: boolean;
}

/** Finds the clients that booted between two looks at them. */
export class Reboots {
  private readonly last = new Map<string, Look>();
  private found: { readonly from: Look; readonly to: Look }[] = [];

  note(to: Look): void {
    if (to.bootId == null) return;
    const from = this.last.get(to.client);
    this.last.set(to.client, to);
    if (from !== undefined && from.bootId !== to.bootId) this.found.push({ from, to });
  }

  /**
   * Says once of each reboot who and when it was, with the steps that it may have spoilt.
   *
   * @param steps ids of all steps, in order
   */
  take(steps: readonly string[]): string[] {
    return this.found.splice(0).map(({ from, to }) => {
      const [first, last] = [steps.indexOf(from.step) + Number(from.ended), steps.indexOf(to.step) + Number(to.ended)];
      const spoilt = steps.slice(first, last);
      const when = from.step === to.step ? `in ${to.step}` : `between ${from.step} and ${to.step}`;
      const wrong = spoilt.length === 0 ? 'no step ran meanwhile' : `these may be wrong: ${firstOf(spoilt, ', ')}`;
      return `${to.client} rebooted ${when}; ${wrong}`;
    });
  }
}
