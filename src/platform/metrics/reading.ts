/** A number that is asked for when somebody looks. */
export interface Reading {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Whether it only ever grows. */
  isCounter?: boolean;
  read(): readonly Sample[] | Promise<readonly Sample[]>;
}

export interface Sample {
  labels?: Record<string, string>;
  value: number;
}
