/** A JSON object as somebody wrote it, and what it says. */
export class WrittenJson {
  constructor(
    readonly text: string,
    readonly value: Readonly<Record<string, unknown>>,
    /** The text in UTF-8, where it came so. */
    readonly utf8: Buffer | undefined,
  ) {}
}
