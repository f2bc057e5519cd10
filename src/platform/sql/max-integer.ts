/** The largest id, position and count: the maximum of PostgreSQL's type `integer`. */
export const MAX_INTEGER = 2_147_483_647;

/** Whether a text is the decimal form of an id or another number of type `integer`. */
export function isInteger(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER;
}
