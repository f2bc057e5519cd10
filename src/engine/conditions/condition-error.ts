/** Values of a comparison are unsuitable for its operator. The message starts with the side. */
export class ConditionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConditionError';
  }
}
