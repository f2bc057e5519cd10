import { createHash } from 'node:crypto';
import type { ConversationReader } from '../../src/engine/conversation/port.js';
import type { DatabaseCaller } from '../../src/engine/database/port.js';
import type { EmailSender } from '../../src/engine/email/port.js';
import type { FileStore, LoadedFile, NewFile, PaidFile } from '../../src/engine/files/port.js';
import type { KeyValueOutcome, KeyValueStore } from '../../src/engine/key-value/port.js';
import {
  type CallContext,
  type Clock,
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
  type Usage,
} from '../../src/engine/ports.js';
import type { LanguagePort } from '../../src/engine/scenario/languages.js';
import type { ApprovalDecision } from '../../src/engine/wait-ports.js';
import { effectOf, KeyValueError, outcomeOf } from '../../src/modules/key-value-entries/change-effect.js';
import { htmlExtractor } from '../../src/providers/html.js';
import { languages } from '../../src/providers/text/languages.js';

interface Timer {
  at: number;
  fire(): void;
}

/** A clock that advances only when no other work is left: it jumps to the next timer. */
export class FakeClock implements Clock {
  time = Date.parse('2026-01-02T03:04:05.678Z');
  /** Every requested wait, in milliseconds. */
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

/**
 * Responses of external services to a request: an answer or an error that is thrown; `hang`: no answer until the call is aborted; `deaf`: no
 * answer, not even after an abort.
 */
export type Script<Request, Answer> = (request: Request, call: CallContext) => Answer | Error | 'hang' | 'deaf';

export interface FakePorts extends Ports {
  readonly languages: LanguagePort;
  readonly clock: FakeClock;
  /** HTTP requests in order, each with its idempotency key. */
  readonly httpRequests: (HttpRequest & { key: string })[];
  readonly prompts: ModelRequest[];
  /** Decisions by request: `request-1`, `request-2`, … */
  readonly decisions: Map<string, ApprovalDecision>;
  /** Events that runs have sent, by their idempotency keys. */
  outbox: Map<string, { name: string; key: string; payload: unknown }>;
  /** Events for which a run may wait, by name and correlation key, such as `paid 7`. Tests add them. */
  readonly sent: Map<string, { payload: unknown }>;
  /** The number of calls without an answer, and its maximum. */
  readonly inFlight: { now: number; most: number };
}

/**
 * Ports with scripted answers, values in memory and a clock that jumps. Without scripts an HTTP request has an empty body with the status 200
 * and a model repeats the last message.
 */
export function fakePorts(
  scripts: {
    http?: Script<HttpRequest, Partial<HttpAnswer>>;
    llm?: Script<ModelRequest, ModelAnswer>;
    sandbox?: Sandbox['run'];
    mcp?: Partial<McpCaller>;
    databases?: DatabaseCaller;
    files?: FileStore;
    keyValues?: KeyValueStore;
    conversations?: ConversationReader;
    email?: EmailSender;
    runs?: Partial<SubRuns>;
    scenarios?: Partial<ScenarioRuns>;
    search?: SearchPort['search'];
    latency?: (request: HttpRequest) => number;
  } = {},
): FakePorts {
  const clock = new FakeClock();
  const decisions: FakePorts['decisions'] = new Map();
  const events: FakePorts['sent'] = new Map();
  const outbox: FakePorts['outbox'] = new Map();
  let requests = 0;
  const httpRequests: FakePorts['httpRequests'] = [];
  const prompts: ModelRequest[] = [];
  const inFlight = { now: 0, most: 0 };
  async function answered<T>(answer: T | Error | 'hang' | 'deaf', ms: number, signal: AbortSignal): Promise<T> {
    inFlight.now++;
    inFlight.most = Math.max(inFlight.most, inFlight.now);
    try {
      if (answer === 'deaf') return await new Promise<never>(() => {});
      // 1e9 ms are 11 days, longer than any time limit of the tests.
      await clock.sleep(answer === 'hang' ? 1e9 : ms, signal);
      if (answer instanceof Error) throw answer;
      return answer as T;
    } finally {
      inFlight.now--;
    }
  }
  return {
    clock,
    httpRequests,
    prompts,
    inFlight,
    sandbox: { run: scripts.sandbox ?? (async () => '') },
    approvals: { newId: () => `request-${++requests}`, findDecision: async id => decisions.get(id) },
    events: {
      newId: () => `wait-${++requests}`,
      findEvent: async ({ name, key }) => events.get(`${name} ${key}`),
      send: async ({ name, key, payload, idempotencyKey }) => {
        outbox.set(idempotencyKey, { name, key, payload });
        return `event ${outbox.size}`;
      },
    },
    outbox,
    runs: { start: async () => '', findEnd: async () => undefined, cancel: async () => {}, ...scripts.runs },
    html: htmlExtractor,
    languages,
    databases: scripts.databases ?? {
      query: async () => ({ rows: [], rowCount: 0, columns: [], isTruncated: false }),
    },
    files: scripts.files ?? fakeFiles(),
    keyValues: scripts.keyValues ?? fakeKeyValues(),
    conversations: scripts.conversations ?? { read: async () => [] },
    email: scripts.email ?? {
      send: async ({ to }) => ({ messageId: '<m>', accepted: to.map(({ address }) => address), rejected: [] }),
    },
    search: { search: scripts.search ?? (async () => []) },
    scenarios: { start: async () => '', findEnd: async () => undefined, cancel: async () => {}, ...scripts.scenarios },
    decisions,
    sent: events,
    mcp: {
      listTools: async () => [],
      callTool: async () => noResult,
      schemaHash: tool => `hash of ${JSON.stringify(tool)}`,
      ...scripts.mcp,
    },
    http: {
      request: async (request, call) => {
        httpRequests.push({ ...request, key: call.idempotencyKey });
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

/** Files in memory. The same file under the same key is stored once. */
export function fakeFiles(): FileStore & { stored: Map<string, LoadedFile>; paid: Map<string, PaidFile> } {
  const stored = new Map<string, LoadedFile>();
  const paid = new Map<string, PaidFile>();
  const files = {
    stored,
    paid,
    findPaid: async (key: string) => paid.get(key),
    writePaid: async (file: NewFile, usage: Usage, key: string) => {
      const known = paid.get(key);
      if (known) return known.reference;
      const reference = await files.write(file, key);
      paid.set(key, { reference, usage });
      return reference;
    },
    read: async (id: string, maxBytes: number) => {
      const file = stored.get(id);
      if (!file) throw new PortError('file_not_found', `the project has no file with the id ${id}`);
      if (file.bytes.length > maxBytes) throw new PortError('file_too_large', 'the file is too large');
      return file;
    },
    write: async ({ name, bytes }: NewFile, key: string) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const hex = createHash('sha256').update(`${key} ${name} ${sha256}`).digest('hex');
      const file_id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
      const reference = { file_id, name, content_type: 'application/octet-stream', size: bytes.length, sha256 };
      stored.set(file_id, { reference, bytes });
      return reference;
    },
  };
  return files;
}

/** Values in memory. Each change is applied once. */
export function fakeKeyValues(): KeyValueStore & { stored: Map<string, unknown>; changes: number } {
  const stored = new Map<string, unknown>();
  const versions = new Map<string, string>();
  const outcomes = new Map<string, KeyValueOutcome>();
  const entryOf = (key: string) =>
    stored.has(key) ? { key, value: stored.get(key), version: versions.get(key) ?? '0' } : null;
  const store = {
    stored,
    changes: 0,
    find: async (key: string) => entryOf(key),
    list: async ({ prefix, after, limit }: { prefix: string; after: string; limit: number }) =>
      [...stored.keys()]
        .filter(key => key.startsWith(prefix) && key > after)
        .sort()
        .slice(0, limit)
        .map(key => entryOf(key)!),
    change: async (change: Parameters<KeyValueStore['change']>[0], changeKey: string) => {
      const known = outcomes.get(changeKey);
      if (known) return known;
      store.changes++;
      const current = entryOf(change.key) ?? undefined;
      const effect = effectIn(change, current);
      const version = String(store.changes);
      const outcome = outcomeOf(change, current, effect, version);
      if (effect.kind === 'write') stored.set(change.key, effect.value);
      if (effect.kind === 'write') versions.set(change.key, version);
      if (effect.kind === 'remove') stored.delete(change.key);
      outcomes.set(changeKey, outcome);
      return outcome;
    },
  };
  return store;
}

function effectIn(...[change, current]: Parameters<typeof effectOf>) {
  try {
    return effectOf(change, current);
  } catch (error) {
    throw error instanceof KeyValueError ? new PortError(error.code, error.message, { isFinal: true }) : error;
  }
}

const noResult: McpToolResult = { content: [], isError: false, schemaHash: '' };

function isPlain<T extends object>(value: T | Error | string): value is T {
  return typeof value === 'object' && !(value instanceof Error);
}

export function usageOf({ settings }: Pick<ModelRequest, 'settings'>) {
  return { provider: 'fake', model: settings.model_name ?? '', promptTokens: 3, completionTokens: 2, costUsd: '0.001' };
}

export const upstreamDown = () => new PortError('upstream_error', 'the upstream cannot be reached');
