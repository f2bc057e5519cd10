/** A JSON object with its original text. A class, so that `instanceof` excludes values of GraphQL variables. */
export class SourceJson {
  constructor(
    readonly text: string,
    readonly value: Readonly<Record<string, unknown>>,
    /** The original text in UTF-8. */
    readonly utf8: Buffer,
  ) {}
}
