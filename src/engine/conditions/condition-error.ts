/** Names the right operand at the start of an error message. */
export const RIGHT_OPERAND = 'right: ';

/** Values of a comparison are unsuitable for its operator. The message starts with the operand: `left: ` or `right: `. */
export class ConditionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConditionError';
  }

  /** The message without the right operand, for a value that is checked without a comparison. */
  get messageOfValue(): string {
    return this.message.replace(RIGHT_OPERAND, '');
  }
}
