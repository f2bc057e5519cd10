/** A part of a document's text. */
export interface TextPage {
  /** From 1; null where the format has no pages. */
  page: number | null;
  text: string;
}
