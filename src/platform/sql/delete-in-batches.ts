const ROWS = 2_000;

/**
 * Deletes rows a few at a time: no statement locks many rows, and one that is cancelled goes on in the next run.
 *
 * @param deleteBatch deletes at most this number of rows, passes over locked ones and returns one element for each
 * @returns the number of deleted rows
 */
export async function deleteInBatches(deleteBatch: (rows: number) => Promise<readonly unknown[]>): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteBatch(ROWS);
    total += deleted.length;
    if (deleted.length < ROWS) return total;
  }
}
