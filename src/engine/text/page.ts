/** The text of one page of a document. */
export interface TextPage {
  /** Page number from 1; null: the format has no pages. */
  page: number | null;
  text: string;
}
