/** A document whose text cannot be had, and why, for people. Another try would end the same. */
export class UnreadableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableError';
  }
}
