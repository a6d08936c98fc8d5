/** Something that keeps the lab from coming up or going down, said so that a person can act on it. */
export class LabError extends Error {
  override readonly name = 'LabError';
}
