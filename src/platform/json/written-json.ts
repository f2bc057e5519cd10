/** A JSON object as somebody wrote it, and what it says. */
export class WrittenJson {
  constructor(
    readonly text: string,
    readonly value: Readonly<Record<string, unknown>>,
    /** The text in UTF-8. */
    readonly utf8: Buffer,
  ) {}
}
