interface Run {
  /** Seconds; null: the run has not ended. */
  duration: number | null;
  cost: { usd: string };
}

/** The mean of the runs that have ended. Null members: no run has ended. */
export function averagesOf(runs: readonly Run[]): { seconds: number | null; usd: string | null } {
  const ended = runs.filter(({ duration }) => duration !== null);
  if (ended.length === 0) return { seconds: null, usd: null };
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / ended.length;
  return {
    seconds: mean(ended.map(({ duration }) => duration ?? 0)),
    usd: mean(ended.map(({ cost }) => Number(cost.usd))).toFixed(9),
  };
}
