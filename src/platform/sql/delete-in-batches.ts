const ROWS = 2_000;

/**
 * Deletes rows in small batches, so that no statement locks many rows. After a cancelled statement the next call
 * continues.
 *
 * @param deleteBatch deletes at most this number of rows, skips locked ones and returns one element for each
 *
 * @returns the number of deleted rows
 */
export async function deleteInBatches(deleteBatch: (rows: number) => Promise<readonly unknown[]>): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteBatch(ROWS);
    total += deleted.length;
    if (deleted.length < ROWS) return total;
  }
}
