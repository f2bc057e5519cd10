import Counter from '@prometheus-io/client/lib/counter.js';
import Gauge from '@prometheus-io/client/lib/gauge.js';
import Histogram from '@prometheus-io/client/lib/histogram.js';
import Registry from '@prometheus-io/client/lib/registry.js';
import { LabeledCounter } from './labeled-counter.js';
import type { PolledMetric } from './polled-metric.js';
import { measureProcess } from './process-metrics.js';
import { SlotGauge, slotMetrics } from './slot-gauge.js';

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const RUN_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];
const WAIT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300];

/** Maximum pairs of provider and model with their own label. Further models are counted as `other`. */
const MAX_MODELS = 200;

export type RunKind = 'workflow' | 'scenario' | 'keyword' | 'recognition' | 'rehearsal';

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
  readonly #slotGauges = new Map<string, SlotGauge>();
  readonly #stopMeasuring: () => void;

  readonly #requests = this.#counter('scenarium_http_requests_total', 'Completed HTTP requests.', [
    'method',
    'route',
    'status',
    'inner',
  ]);
  readonly #requestSeconds = this.#histogram(
    'scenarium_http_request_duration_seconds',
    'Time from the arrival of a request to the end of its response.',
    ['method', 'route'],
    REQUEST_SECONDS,
  );
  readonly #rateLimited = this.#counter(
    'scenarium_rate_limited_total',
    'Requests and operations rejected by the rate limit of an API key or of a client address.',
    [],
  );
  readonly #fields = this.#counter('scenarium_graphql_fields_total', 'Root fields requested by GraphQL operations.', [
    'field',
  ]);
  readonly #runsEnded = this.#counter('scenarium_runs_ended_total', 'Runs that ended in this process.', [
    'kind',
    'outcome',
  ]);
  readonly #runSeconds = this.#histogram(
    'scenarium_run_duration_seconds',
    'Time from the acceptance of a run to its end, including waiting time.',
    ['kind'],
    RUN_SECONDS,
  );
  readonly #runWait = this.#histogram(
    'scenarium_run_wait_seconds',
    'Time from the acceptance of a run to its first execution.',
    ['kind'],
    WAIT_SECONDS,
  );
  readonly #leasesLost = this.#counter(
    'scenarium_leases_lost_total',
    'Runs that another process took over from this process.',
    ['kind'],
  );
  readonly #takeovers = this.#counter(
    'scenarium_takeovers_total',
    'Runs that this process took over from a dead worker.',
    ['kind'],
  );
  readonly #nodeSeconds = this.#histogram(
    'scenarium_node_duration_seconds',
    'Time from the start of a node to its end, including waiting time.',
    ['type', 'outcome'],
    CALL_SECONDS,
  );
  readonly #modelCalls = this.#counter('scenarium_model_calls_total', 'Calls to model providers.', [
    'provider',
    'model',
    'outcome',
  ]);
  readonly #modelSeconds = this.#histogram(
    'scenarium_model_call_duration_seconds',
    'Duration of calls to model providers: the complete response, or the start of a stream.',
    ['provider'],
    CALL_SECONDS,
  );
  readonly #tokens = this.#counter('scenarium_model_tokens_total', 'Tokens used by models.', [
    'provider',
    'model',
    'direction',
  ]);
  readonly #cost = this.#counter('scenarium_model_cost_usd_total', 'Cost of model calls in US dollars.', [
    'provider',
    'model',
  ]);
  readonly #slotWait = this.#histogram(
    'scenarium_slot_wait_seconds',
    'Time that calls waited for a slot. Calls that found a free slot are not counted.',
    ['kind'],
    WAIT_SECONDS,
  );
  readonly #webhooks = this.#counter('scenarium_webhook_attempts_total', 'Attempts to deliver webhooks.', ['verdict']);

  constructor() {
    this.#stopMeasuring = measureProcess(metric => this.add(metric));
    for (const metric of slotMetrics(() => this.#slotGauges.values())) this.add(metric);
  }

  recordRequest(request: { method: string; route: string; status: number; inner: string; seconds: number }): void {
    const { method, route, status, inner, seconds } = request;
    this.#requests.count([method, route, String(status), inner]);
    this.#requestSeconds.observe({ method, route }, seconds);
  }

  recordFields(fields: Iterable<string>): void {
    for (const field of fields) this.#fields.count([field]);
  }

  countRateLimited(): void {
    this.#rateLimited.count([]);
  }

  recordRunStart(kind: RunKind, waitedSeconds: number): void {
    this.#runWait.observe({ kind }, Math.max(waitedSeconds, 0));
  }

  /** `seconds` undefined: unknown. */
  recordRunEnd(kind: RunKind, outcome: string, seconds?: number): void {
    this.#runsEnded.count([kind, outcome]);
    if (seconds !== undefined) this.#runSeconds.observe({ kind }, Math.max(seconds, 0));
  }

  countLostLease(kind: string): void {
    this.#leasesLost.count([kind]);
  }

  countTakeover(kind: string): void {
    this.#takeovers.count([kind]);
  }

  recordNode(type: string, outcome: 'succeeded' | 'failed', seconds: number): void {
    this.#nodeSeconds.observe({ type, outcome }, Math.max(seconds, 0));
  }

  recordModelCall({ provider, model, outcome, seconds }: ModelCall): void {
    this.#modelCalls.count([provider, this.#labelOf(provider, model), outcome]);
    this.#modelSeconds.observe({ provider }, seconds);
  }

  recordModelUse({ provider, model: name, promptTokens, completionTokens, costUsd }: ModelUse): void {
    const model = this.#labelOf(provider, name);
    this.#tokens.count([provider, model, 'input'], promptTokens);
    this.#tokens.count([provider, model, 'output'], completionTokens);
    this.#cost.count([provider, model], Number(costUsd ?? 0));
  }

  /** Returns the gauge of all queues for slots of this kind in this process. Every queue that is created with it is measured. */
  slotGauge(kind: string): SlotGauge {
    const gauge =
      this.#slotGauges.get(kind) ?? new SlotGauge(kind, seconds => this.#slotWait.observe({ kind }, seconds));
    this.#slotGauges.set(kind, gauge);
    return gauge;
  }

  countWebhookAttempt(verdict: string): void {
    this.#webhooks.count([verdict]);
  }

  /** Adds a metric that is read at each scrape. */
  add({ name, help, labels = [], isCounter = false, read }: PolledMetric): void {
    const collect = async () => {
      const samples = await read();
      metric.reset();
      for (const { labels: labelValues = {}, value } of samples) metric.inc(labelValues, value);
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
    const models = this.#models.get(provider) ?? new Set();
    if (models.has(model)) return model;
    const count = [...this.#models.values()].reduce((sum, { size }) => sum + size, 0);
    if (count >= MAX_MODELS) return 'other';
    this.#models.set(provider, models.add(model));
    return model;
  }

  #counter(name: string, help: string, labels: readonly string[]): LabeledCounter {
    const counter = new LabeledCounter(labels);
    this.add({ name, help, labels, isCounter: true, read: () => counter.samples() });
    return counter;
  }

  #histogram(name: string, help: string, labelNames: readonly string[], buckets: number[]): Histogram<string> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] });
  }
}
