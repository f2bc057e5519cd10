/** Cache lifetime in milliseconds. It limits database queries however often the metrics are read. */
const KEPT_MS = 5_000;
const PATIENCE_MS = 2_000;

/** Caches figures that need a database query. Returns null if the query fails or takes longer than two seconds. */
export function keptReading<Figures>(
  ask: () => Promise<Figures>,
  onFailure: (error: Error) => void,
): () => Promise<Figures | null> {
  let kept: Promise<Figures | null> | undefined;
  let until = 0;
  return () => {
    if (!kept || Date.now() > until) {
      until = Date.now() + KEPT_MS;
      kept = withTimeLimit(
        ask().catch((error: Error) => {
          onFailure(error);
          return null;
        }),
      );
    }
    return kept;
  };
}

async function withTimeLimit<Figures>(asked: Promise<Figures | null>): Promise<Figures | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
