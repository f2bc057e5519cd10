import {
  type CallContext,
  type Clock,
  type Decision,
  type HttpAnswer,
  type HttpRequest,
  type McpCaller,
  type McpToolResult,
  type ModelAnswer,
  type ModelRequest,
  PortError,
  type Ports,
  type Sandbox,
  type ScenarioRuns,
  type SearchPort,
  type SubRuns,
} from '../../src/engine/ports.js';

interface Timer {
  at: number;
  fire(): void;
}

/** A clock whose time passes only when nothing else can happen: then it jumps to the next one who waits. */
export class FakeClock implements Clock {
  time = Date.parse('2026-01-02T03:04:05.678Z');
  /** Every wait that was asked for, in milliseconds. */
  readonly waits: number[] = [];
  readonly #timers = new Set<Timer>();
  #isTicking = false;

  now(): Date {
    return new Date(this.time);
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.waits.push(ms);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        this.#timers.delete(timer);
        reject(signal.reason);
      };
      const timer = {
        at: this.time + ms,
        fire: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#timers.add(timer);
      this.#tick();
    });
  }

  #tick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    setImmediate(() => {
      this.#isTicking = false;
      let next: Timer | undefined;
      for (const timer of this.#timers) if (!next || timer.at < next.at) next = timer;
      if (!next) return;
      this.#timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.fire();
      this.#tick();
    });
  }
}

/** What the outside does with a request: an answer, an error that is thrown, or `hang`. */
export type Script<Request, Answer> = (request: Request, call: CallContext) => Answer | Error | 'hang' | 'deaf';

export interface FakePorts extends Ports {
  readonly clock: FakeClock;
  /** Requests in the order in which they came. */
  readonly asked: (HttpRequest & { key: string })[];
  readonly prompts: ModelRequest[];
  /** What was decided, by request: `request-1`, `request-2`, … */
  readonly decisions: Map<string, Decision>;
  readonly inFlight: { now: number; most: number };
}

export function fakePorts(
  scripts: {
    http?: Script<HttpRequest, Partial<HttpAnswer>>;
    llm?: Script<ModelRequest, ModelAnswer>;
    sandbox?: Sandbox['run'];
    mcp?: Partial<McpCaller>;
    runs?: Partial<SubRuns>;
    scenarios?: Partial<ScenarioRuns>;
    search?: SearchPort['search'];
    latency?: (request: HttpRequest) => number;
  } = {},
): FakePorts {
  const clock = new FakeClock();
  const decisions: FakePorts['decisions'] = new Map();
  let requests = 0;
  const asked: FakePorts['asked'] = [];
  const prompts: ModelRequest[] = [];
  const inFlight = { now: 0, most: 0 };
  async function answered<T>(answer: T | Error | 'hang' | 'deaf', ms: number, signal: AbortSignal): Promise<T> {
    inFlight.now++;
    inFlight.most = Math.max(inFlight.most, inFlight.now);
    try {
      if (answer === 'deaf') return await new Promise<never>(() => {});
      await clock.sleep(answer === 'hang' ? 1e9 : ms, signal);
      if (answer instanceof Error) throw answer;
      return answer as T;
    } finally {
      inFlight.now--;
    }
  }
  return {
    clock,
    asked,
    prompts,
    inFlight,
    sandbox: { run: scripts.sandbox ?? (async () => '') },
    approvals: { newId: () => `request-${++requests}`, decision: async id => decisions.get(id) },
    runs: { start: async () => '', end: async () => undefined, cancel: async () => {}, ...scripts.runs },
    search: { search: scripts.search ?? (async () => []) },
    scenarios: { start: async () => '', end: async () => undefined, cancel: async () => {}, ...scripts.scenarios },
    decisions,
    mcp: {
      listTools: async () => [],
      callTool: async () => noResult,
      schemaHash: tool => `hash of ${JSON.stringify(tool)}`,
      ...scripts.mcp,
    },
    http: {
      request: async (request, call) => {
        asked.push({ ...request, key: call.idempotencyKey });
        const answer = scripts.http?.(request, call) ?? {};
        const whole = isPlain(answer) ? { status: 200, headers: {}, body: '', ...answer } : answer;
        return answered(whole, scripts.latency?.(request) ?? 1, call.signal);
      },
    },
    llm: {
      complete: async (request, call) => {
        prompts.push(request);
        const last = request.messages.at(-1)?.content ?? '';
        return answered(scripts.llm?.(request, call) ?? { text: last, usage: usageOf(request) }, 1, call.signal);
      },
    },
  };
}

const noResult: McpToolResult = { content: [], isError: false, schemaHash: '' };

function isPlain<T extends object>(value: T | Error | string): value is T {
  return typeof value === 'object' && !(value instanceof Error);
}

export function usageOf({ settings }: Pick<ModelRequest, 'settings'>) {
  return { provider: 'fake', model: settings.model_name ?? '', promptTokens: 3, completionTokens: 2, costUsd: '0.001' };
}

export const upstreamDown = () => new PortError('upstream_error', 'the upstream cannot be reached');
