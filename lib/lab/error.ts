/** An error that keeps the lab from starting or stopping, with an actionable message. */
export class LabError extends Error {
  override readonly name = 'LabError';
}
