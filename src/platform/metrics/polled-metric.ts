/** A metric that is read at each scrape. */
export interface PolledMetric {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Whether the value never decreases. */
  isCounter?: boolean;
  read(): readonly Sample[] | Promise<readonly Sample[]>;
}

export interface Sample {
  labels?: Record<string, string>;
  value: number;
}
