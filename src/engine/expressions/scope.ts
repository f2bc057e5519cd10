import type { HttpResponse } from '../http-port.js';
import { isShallow, parseJsonText } from '../json-value.js';

/** The content of a node. It is parsed as JSON on first use. */
export class Content {
  #json: unknown;
  #isParsed = false;

  constructor(readonly text: string) {}

  /** The parsed content; undefined if it is not JSON or nested deeper than `MAX_DEPTH`. */
  get json(): unknown {
    if (!this.#isParsed) {
      const json = parseJsonText(this.text);
      this.#json = isShallow(json) ? json : undefined;
      this.#isParsed = true;
    }
    return this.#json;
  }
}

/** Error of a failed node, as placeholders read it. */
export interface ErrorValue {
  code: string;
  message: string;
  /** HTTP status of the response that failed the node; null: none. */
  status: number | null;
  attempts: number;
}

/** The values that placeholders resolve to. */
export interface Scope {
  readonly input: Readonly<Record<string, unknown>>;
  /** Ids of declared input fields. A field without a value resolves to the empty text. */
  readonly declared: ReadonlySet<string>;
  node(id: string): Content | undefined;
  previous(): Content | undefined;
  /** Returns the error of a node that failed and after which the run continued. Absent: no node has one. */
  errorOf?(id: string): ErrorValue | undefined;
  /** Returns the model usage of a node: tokens, cost and finish reason. Absent: no node has one. */
  usageOf?(id: string): object | undefined;
  /** Returns the HTTP response from which the content of a node comes. Absent: no node has one. */
  responseOf?(id: string): HttpResponse | undefined;
  readonly runId: string;
  /** Id of the workflow; null: not stored. Absent: unknown. */
  readonly workflowId?: number | null;
  /** When the run began, as ISO 8601. Absent: unknown. */
  readonly startedAt?: string;
  readonly now: string;
  /** The value of a project variable; undefined: there is none. */
  env?(name: string): unknown;
  /** Returns the variables that earlier nodes have set. Absent: none. */
  variables?(): Readonly<Record<string, unknown>>;
  /** Seed of `uuid()`: differs for each node and iteration, equal when the node is repeated. Absent: `runId`. */
  readonly seed?: string;
}

/** The values of placeholders with the root `args`. A declared name without a value resolves to the empty text. */
export interface Args {
  readonly values: Readonly<Record<string, unknown>>;
  readonly declared: ReadonlySet<string>;
}
