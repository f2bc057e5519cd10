import pg from 'pg';
import type { Sql } from '../database/database.js';
import { connectClient, IDLE_SESSION } from '../database/database-client.js';
import type { Log } from '../logging/log.js';
import { notifyAll, notifySql } from './bus.sql.js';

type Listener = (payload: string) => void;

interface Channel {
  onPayload: Listener;
  onReconnect: () => void;
}

const CHANNEL = 'scenarium';
/** Ends the session lock, also if it was taken twice. The connection has no other. */
const UNLOCK = 'select pg_advisory_unlock_all()';
const RECONNECT_MS = 500;
/** Interval and timeout of heartbeats on the LISTEN connection, in milliseconds. */
const HEARTBEAT_MS = 5_000;
/** Watchers of a topic are also called at this interval without a notification. */
const FALLBACK_INTERVAL_MS = 60_000;
const FALLBACK_STEP_MS = 1_000;
/** Watchers that are called in one slice. Further slices start after the microtasks of the previous one. */
const WATCHERS_PER_SLICE = 250;
/** Notifications of PostgreSQL have less than 8000 bytes. Topics are ASCII, so characters are bytes. */
const MAX_PAYLOAD_CHARACTERS = 7_000;

/**
 * Publishes events between processes over one LISTEN connection for all channels. A notification of a topic is `topic` or
 * `topic:detail` and never contains data: receivers read the changed data again. Notifications during a lost connection
 * are lost, so after a reconnect all watchers are called.
 */
export class Bus {
  readonly #channels = new Map<string, Channel>();
  /** The keys of the session lock. */
  #lock: readonly [number, number] | undefined;
  #holdsLock = false;
  readonly #topics = new Map<string, Set<() => void>>();
  readonly #watched = new Map<string, Set<() => void>>();
  /** Sets of watchers that are being called, and whether they must be called once more. */
  readonly #activeCalls = new Map<Set<() => void>, boolean>();
  #client: pg.Client | undefined;
  /** Settles after the last statement on the connection. */
  #lastStatement: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  #timers: NodeJS.Timeout[] = [];
  #topicIterator: Iterator<Set<() => void>> | undefined;

  constructor(
    private readonly url: string,
    private readonly log: Log,
    /** Name of the LISTEN connection in pg_stat_activity. */
    private readonly connectionName = 'scenarium',
  ) {}

  async start(): Promise<void> {
    this.#channels.set(CHANNEL, {
      onPayload: payload => {
        for (const topic of payload.split('\n')) this.#notifyTopic(topic);
      },
      onReconnect: () => {
        for (const watchers of this.#watched.values()) this.#callWatchers(watchers);
      },
    });
    await this.#connect();
    this.#timers = [
      setInterval(() => void this.#sendHeartbeat(), HEARTBEAT_MS).unref(),
      setInterval(() => this.#callNextTopics(), FALLBACK_STEP_MS).unref(),
    ];
  }

  /** The statement that notifies all processes of `topics` when the surrounding transaction commits. */
  static readonly notifySql = notifySql(CHANNEL);

  /** Notifies all processes of `topics` when the transaction of `sql` commits. */
  static async notify(sql: Sql, topics: Iterable<string>): Promise<void> {
    await notifyAll(sql, Bus.notifySql, Bus.payloads(topics));
  }

  /** Returns payloads for `notifySql`: topics joined up to `MAX_PAYLOAD_CHARACTERS`. */
  static payloads(topics: Iterable<string>): string[] {
    const payloads: string[] = [];
    let current = '';
    for (const topic of new Set(topics)) {
      if (current && current.length + topic.length > MAX_PAYLOAD_CHARACTERS) {
        payloads.push(current);
        current = '';
      }
      current = current ? `${current}\n${topic}` : topic;
    }
    if (current) payloads.push(current);
    return payloads;
  }

  /**
   * Calls `listener` for each notification of `topic`, for listeners that act on the notification itself, such as a
   * cancellation. Notifications during a lost connection do not reach it. Returns a function that unsubscribes.
   */
  subscribe(topic: string, listener: () => void): () => void {
    return addListener(this.#topics, topic, listener);
  }

  /**
   * Like `subscribe`, for a listener that reads state. It is also called after a reconnect and periodically. All
   * watchers of a topic are called together, so that they can share one read.
   */
  watch(topic: string, listener: () => void): () => void {
    return addListener(this.#watched, topic, listener);
  }

  /** Returns `watch` bound to a topic. */
  topicSource(topic: string): (listener: () => void) => () => void {
    return listener => this.watch(topic, listener);
  }

  /** The number of watchers of all topics. */
  get watchers(): number {
    let count = 0;
    for (const listeners of this.#watched.values()) count += listeners.size;
    return count;
  }

  /** Listens on another channel of the same connection, such as that of the queue. */
  async listen(name: string, onPayload: Listener, onReconnect: () => void): Promise<{ close(): Promise<void> }> {
    this.#channels.set(name, { onPayload, onReconnect });
    if (this.#client) await this.#execute(this.#client, `listen ${pg.escapeIdentifier(name)}`);
    return {
      close: async () => {
        this.#channels.delete(name);
        if (this.#isClosed || !this.#client) return;
        await this.#execute(this.#client, `unlisten ${pg.escapeIdentifier(name)}`).catch(() => {});
      },
    };
  }

  /**
   * Holds a session lock on the connection until `releaseLock`, so that other sessions can see whether this process lives. A lost
   * lock is taken again with the reconnect or, while PostgreSQL still has the lost session, with a later heartbeat.
   */
  async holdLock(keys: readonly [number, number]): Promise<void> {
    if (this.#lock) throw new Error('the connection already holds a session lock');
    this.#lock = keys;
    if (this.#client) await this.#takeLock(this.#client);
  }

  async releaseLock(): Promise<void> {
    this.#lock = undefined;
    this.#holdsLock = false;
    if (this.#client) await this.#execute(this.#client, UNLOCK);
  }

  get holdsLock(): boolean {
    return this.#holdsLock;
  }

  async #takeLock(client: pg.Client): Promise<void> {
    if (!this.#lock || this.#holdsLock) return;
    const { rows } = await this.#execute(client, 'select pg_try_advisory_lock($1, $2) as taken', [...this.#lock]);
    if (this.#lock) this.#holdsLock = rows[0].taken;
    else await this.#execute(client, UNLOCK);
  }

  async stop(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    for (const timer of this.#timers) clearInterval(timer);
    await this.#client?.end().catch(() => {});
  }

  /** Executes a statement after the previous one. pg deprecates a second query on a busy connection. */
  #execute(client: pg.Client, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    const result = this.#lastStatement.then(() => client.query(text, values));
    this.#lastStatement = result.catch(() => {});
    return result;
  }

  #notifyTopic(topic: string): void {
    for (const listener of this.#topics.get(topic) ?? []) listener();
    const watchers = this.#watched.get(topic);
    if (watchers) this.#callWatchers(watchers);
  }

  #callWatchers(watchers: Set<() => void>): void {
    // If a round is in progress, another one follows for the watchers that were already called.
    const isInProgress = this.#activeCalls.has(watchers);
    this.#activeCalls.set(watchers, isInProgress);
    if (isInProgress) return;
    let next = watchers.values();
    const slice = () => {
      for (let left = WATCHERS_PER_SLICE; left > 0; left--) {
        const { done, value } = next.next();
        if (!done) {
          value();
          continue;
        }
        if (!this.#activeCalls.get(watchers)) return void this.#activeCalls.delete(watchers);
        this.#activeCalls.set(watchers, false);
        next = watchers.values();
        break;
      }
      setImmediate(slice);
    };
    slice();
  }

  /** Calls the watchers of a few topics, so that all topics are called within `FALLBACK_INTERVAL_MS`. */
  #callNextTopics(): void {
    let left = Math.ceil((this.#watched.size * FALLBACK_STEP_MS) / FALLBACK_INTERVAL_MS);
    while (left-- > 0) {
      const next = this.#topicIterator?.next();
      if (next && !next.done) this.#callWatchers(next.value);
      else this.#topicIterator = this.#watched.values();
    }
  }

  /** Checks the LISTEN connection. A silently lost connection reports neither its loss nor missed notifications. */
  async #sendHeartbeat(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    try {
      await this.#execute(client, `listen ${pg.escapeIdentifier(CHANNEL)}`);
      await this.#takeLock(client);
    } catch (error) {
      this.#onConnectionLost(client, error as Error);
      await client.end().catch(() => {});
    }
  }

  async #connect(): Promise<void> {
    // The connection keeps its session, because the session listens. A lost connection misses the deadline of the next
    // heartbeat.
    const policy = { deadlineMs: HEARTBEAT_MS, keepsSession: true, settings: `select ${IDLE_SESSION}` };
    const client = await connectClient(this.url, { policy, application_name: this.connectionName });
    client.on('error', error => this.#onConnectionLost(client, error));
    client.on('end', () => this.#onConnectionLost(client));
    client.on('notification', ({ channel, payload }) => this.#channels.get(channel)?.onPayload(payload ?? ''));
    this.#lastStatement = Promise.resolve();
    try {
      await this.#takeLock(client);
      for (const name of this.#channels.keys()) await this.#execute(client, `listen ${pg.escapeIdentifier(name)}`);
    } catch (error) {
      this.#holdsLock = false;
      await client.end();
      throw error;
    }
    if (this.#isClosed) await client.end();
    else this.#client = client;
  }

  #onConnectionLost(client: pg.Client, error?: Error): void {
    if (this.#isClosed || client !== this.#client) return;
    this.#client = undefined;
    this.#holdsLock = false;
    this.log.warn({ err: error }, 'notification connection lost; reconnecting');
    this.#scheduleReconnect();
  }

  #scheduleReconnect(): void {
    this.#retry = setTimeout(async () => {
      try {
        await this.#connect();
        for (const channel of this.#channels.values()) channel.onReconnect();
      } catch {
        if (!this.#isClosed) this.#scheduleReconnect();
      }
    }, RECONNECT_MS);
  }
}

function addListener(listeners: Map<string, Set<() => void>>, topic: string, listener: () => void): () => void {
  const ofTopic = listeners.get(topic) ?? new Set();
  listeners.set(topic, ofTopic.add(listener));
  return () => {
    ofTopic.delete(listener);
    if (ofTopic.size === 0 && listeners.get(topic) === ofTopic) listeners.delete(topic);
  };
}
