/** The most that the setting `clients` takes. */
const MOST_CLIENTS = 1000;

/** At least so many clients, in two equal halves where that can be. */
export function evenClients(needed: number): number {
  return Math.min(MOST_CLIENTS, Math.max(2, Math.ceil(needed / 2) * 2));
}
