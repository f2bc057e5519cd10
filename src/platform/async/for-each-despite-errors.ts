/**
 * Calls `action` for the items one after another. An error does not stop the calls for the items after it.
 * @throws the first error, after all calls
 */
export async function forEachDespiteErrors<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      await action(item);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
