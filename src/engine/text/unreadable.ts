/** The text of a document cannot be extracted. The message is shown to users. A retry would fail in the same way. */
export class UnreadableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableError';
  }
}
