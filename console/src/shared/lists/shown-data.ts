interface QueryState<T> {
  data?: T | undefined;
  previousData?: T | undefined;
  error?: unknown;
}

/**
 * The data of a query to show: that of its variables, and while they load, the data of the variables before. After an error it is
 * undefined, unless the query has data of the same variables: the page before must not appear as the page that failed.
 */
export function shownData<T>({ data, previousData, error }: QueryState<T>): T | undefined {
  return data ?? (error ? undefined : previousData);
}
