import type { RequestHandler, Response } from 'express';
import { LabeledCounter } from '../../platform/metrics/labeled-counter.js';
import type { Metrics } from '../../platform/metrics/metrics.js';

/** Labels of requests in addition to the methods with a handler. */
const KNOWN_METHODS = new Set([
  'resume',
  'response',
  'invalid',
  'notifications/initialized',
  'notifications/cancelled',
]);

/** What is known of a request before its response has ended. */
interface RequestFacts {
  method?: string;
  hasFailed?: boolean;
}

/** Counts each request of an MCP client once, when its response has ended. */
export class McpRequestMetrics {
  readonly #requests = new LabeledCounter(['method', 'outcome']);

  /** `methods`: the methods with a handler. */
  constructor(
    metrics: Metrics,
    private readonly methods: () => readonly string[],
  ) {
    metrics.add({
      name: 'scenarium_mcp_requests_total',
      help: 'Requests of MCP clients, by method and outcome.',
      labels: ['method', 'outcome'],
      isCounter: true,
      read: () => this.#requests.samples(),
    });
  }

  /** Must run before all other handlers of the path, because those may refuse the request. */
  readonly handler: RequestHandler = (_request, response, next) => {
    response.once('close', () => this.#requests.count([this.#methodLabel(response), outcomeOf(response)]));
    next();
  };

  /** Unknown methods share a label, so that callers cannot create metric series. */
  #methodLabel(response: Response): string {
    const { method = 'invalid' } = response.locals as RequestFacts;
    return KNOWN_METHODS.has(method) || this.methods().includes(method) ? method : 'other';
  }
}

/** An error of JSON-RPC may have the HTTP status 200, and a stream may fail after its status was sent. */
function outcomeOf(response: Response): 'answered' | 'rejected' | 'disconnected' {
  const { hasFailed = false } = response.locals as RequestFacts;
  if (hasFailed || response.statusCode >= 400) return 'rejected';
  return response.headersSent ? 'answered' : 'disconnected';
}
