import Counter from '@prometheus-io/client/lib/counter.js';
import Gauge from '@prometheus-io/client/lib/gauge.js';
import Histogram from '@prometheus-io/client/lib/histogram.js';
import Registry from '@prometheus-io/client/lib/registry.js';
import { LabeledCounter } from './labeled-counter.js';
import { measureProcess } from './process-metrics.js';
import type { Reading } from './reading.js';

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const RUN_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];
const WAIT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300];

/** Maximum pairs of provider and model with their own label. Further models are counted as `other`. */
const MOST_MODELS = 200;

export type RunKind = 'workflow' | 'scenario' | 'keyword' | 'recognition';

/** One call to a model provider. */
export interface ModelCall {
  provider: string;
  /** The name in the price table. Null for models outside of it, because callers may send any name. */
  model: string | null;
  /** `ok` or an error code. */
  outcome: string;
  seconds: number;
}

export interface ModelUse {
  provider: string;
  model: string | null;
  promptTokens: number;
  completionTokens: number;
  /** Null: unknown. */
  costUsd: string | null;
}

/**
 * The Prometheus metrics of this process. Label values come from small sets defined by the service: routes, kinds,
 * codes and models of the price table. They are never ids or user input.
 */
export class Metrics {
  readonly #registry = new Registry();
  /** Models by provider. */
  readonly #models = new Map<string, Set<string>>();
  readonly #stopMeasuring: () => void;

  readonly #requests = this.#tally('scenarium_http_requests_total', 'Requests answered.', [
    'method',
    'route',
    'status',
    'inner',
  ]);
  readonly #requestSeconds = this.#histogram(
    'scenarium_http_request_duration_seconds',
    'From a request’s arrival to the end of its answer.',
    ['method', 'route'],
    REQUEST_SECONDS,
  );
  readonly #rateLimited = this.#tally(
    'scenarium_rate_limited_total',
    'Requests and operations that an API key’s limit refused.',
    [],
  );
  readonly #fields = this.#tally('scenarium_graphql_fields_total', 'Root fields that GraphQL operations asked for.', [
    'field',
  ]);
  readonly #runsEnded = this.#tally('scenarium_runs_ended_total', 'Runs that this process brought to an end.', [
    'kind',
    'outcome',
  ]);
  readonly #runSeconds = this.#histogram(
    'scenarium_run_duration_seconds',
    'From a run’s acceptance to its end, waits included.',
    ['kind'],
    RUN_SECONDS,
  );
  readonly #runWait = this.#histogram(
    'scenarium_run_wait_seconds',
    'From a run’s acceptance to its first execution.',
    ['kind'],
    WAIT_SECONDS,
  );
  readonly #leasesLost = this.#tally('scenarium_leases_lost_total', 'Runs that another process took over from this.', [
    'kind',
  ]);
  readonly #takeovers = this.#tally(
    'scenarium_takeovers_total',
    'Runs that this process took over from a worker that had died.',
    ['kind'],
  );
  readonly #nodeSeconds = this.#histogram(
    'scenarium_node_duration_seconds',
    'From the start of a node to its end, waits included.',
    ['type', 'outcome'],
    CALL_SECONDS,
  );
  readonly #modelCalls = this.#tally('scenarium_model_calls_total', 'Calls of model providers.', [
    'provider',
    'model',
    'outcome',
  ]);
  readonly #modelSeconds = this.#histogram(
    'scenarium_model_call_duration_seconds',
    'Calls of model providers: whole answers, of streams their beginning.',
    ['provider'],
    CALL_SECONDS,
  );
  readonly #tokens = this.#tally('scenarium_model_tokens_total', 'Tokens that models used.', [
    'provider',
    'model',
    'direction',
  ]);
  readonly #cost = this.#tally('scenarium_model_cost_usd_total', 'What models cost, in US dollars.', [
    'provider',
    'model',
  ]);
  readonly #slotWait = this.#histogram(
    'scenarium_slot_wait_seconds',
    'How long calls waited for a slot; those that found one free are left out.',
    ['kind'],
    WAIT_SECONDS,
  );
  readonly #webhooks = this.#tally('scenarium_webhook_attempts_total', 'Attempts to deliver webhooks.', ['verdict']);

  constructor() {
    this.#stopMeasuring = measureProcess(reading => this.add(reading));
  }

  requestEnded(request: { method: string; route: string; status: number; inner: string; seconds: number }): void {
    const { method, route, status, inner, seconds } = request;
    this.#requests.count([method, route, String(status), inner]);
    this.#requestSeconds.observe({ method, route }, seconds);
  }

  fieldsAsked(fields: Iterable<string>): void {
    for (const field of fields) this.#fields.count([field]);
  }

  rateLimited(): void {
    this.#rateLimited.count([]);
  }

  runBegan(kind: RunKind, waitedSeconds: number): void {
    this.#runWait.observe({ kind }, Math.max(waitedSeconds, 0));
  }

  /** `seconds` undefined: unknown. */
  runEnded(kind: RunKind, outcome: string, seconds?: number): void {
    this.#runsEnded.count([kind, outcome]);
    if (seconds !== undefined) this.#runSeconds.observe({ kind }, Math.max(seconds, 0));
  }

  jobLost(kind: string): void {
    this.#leasesLost.count([kind]);
  }

  takenOver(kind: string): void {
    this.#takeovers.count([kind]);
  }

  nodeEnded(type: string, outcome: 'succeeded' | 'failed', seconds: number): void {
    this.#nodeSeconds.observe({ type, outcome }, Math.max(seconds, 0));
  }

  modelCalled({ provider, model, outcome, seconds }: ModelCall): void {
    this.#modelCalls.count([provider, this.#labelOf(provider, model), outcome]);
    this.#modelSeconds.observe({ provider }, seconds);
  }

  modelUsed({ provider, model: name, promptTokens, completionTokens, costUsd }: ModelUse): void {
    const model = this.#labelOf(provider, name);
    this.#tokens.count([provider, model, 'input'], promptTokens);
    this.#tokens.count([provider, model, 'output'], completionTokens);
    this.#cost.count([provider, model], Number(costUsd ?? 0));
  }

  slotWaited(kind: string, seconds: number): void {
    this.#slotWait.observe({ kind }, seconds);
  }

  webhookTried(verdict: string): void {
    this.#webhooks.count([verdict]);
  }

  /** Adds a metric that is read at each scrape. */
  add({ name, help, labels = [], isCounter = false, read }: Reading): void {
    const collect = async () => {
      const samples = await read();
      metric.reset();
      for (const { labels: of = {}, value } of samples) metric.inc(of, value);
    };
    const config = { name, help, labelNames: labels, registers: [this.#registry], collect };
    const metric: Gauge<string> | Counter<string> = isCounter ? new Counter(config) : new Gauge(config);
  }

  /** Returns all metrics in the Prometheus text format. */
  async text(): Promise<{ contentType: string; body: string }> {
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  stop(): void {
    this.#stopMeasuring();
  }

  #labelOf(provider: string, model: string | null): string {
    if (model === null) return 'other';
    const known = this.#models.get(provider) ?? new Set();
    if (known.has(model)) return model;
    const count = [...this.#models.values()].reduce((sum, { size }) => sum + size, 0);
    if (count >= MOST_MODELS) return 'other';
    this.#models.set(provider, known.add(model));
    return model;
  }

  #tally(name: string, help: string, labels: readonly string[]): LabeledCounter {
    const tally = new LabeledCounter(labels);
    this.add({ name, help, labels, isCounter: true, read: () => tally.samples() });
    return tally;
  }

  #histogram(name: string, help: string, labelNames: readonly string[], buckets: number[]): Histogram<string> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] });
  }
}
