/** Cache lifetime in milliseconds. It limits database queries however often the metrics are read. */
const CACHE_MS = 5_000;
const TIMEOUT_MS = 2_000;

/** Caches figures that need a database query. Returns null if the query fails or takes longer than two seconds. */
export function cachedQuery<Figures>(
  query: () => Promise<Figures>,
  onFailure: (error: Error) => void,
): () => Promise<Figures | null> {
  let cached: Promise<Figures | null> | undefined;
  let until = 0;
  return () => {
    if (!cached || Date.now() > until) {
      until = Date.now() + CACHE_MS;
      cached = withTimeLimit(
        query().catch((error: Error) => {
          onFailure(error);
          return null;
        }),
      );
    }
    return cached;
  };
}

async function withTimeLimit<Figures>(figures: Promise<Figures | null>): Promise<Figures | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), TIMEOUT_MS);
  });
  return Promise.race([figures, timeout]).finally(() => clearTimeout(timer));
}
