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
const RECONNECT_MS = 500;
/** A connection that does not answer within this is taken for lost; it is asked as often. */
const HEARTBEAT_MS = 5_000;
/** Who watches a topic looks again this often even when nothing rang. */
const BACKSTOP_MS = 60_000;
const ROUND_MS = 1_000;
/** Watchers that are called at once. Of more, the first have done their work before the last begin. */
const SLICE = 250;

/**
 * Events between processes, over one LISTEN connection for all channels. A notification is `topic` or `topic:detail`,
 * never a payload: receivers read again what changed. After a lost connection every listener is told to read again,
 * because what was sent in between is gone.
 */
export class Bus {
  readonly #channels = new Map<string, Channel>();
  readonly #topics = new Map<string, Set<() => void>>();
  readonly #watched = new Map<string, Set<() => void>>();
  /** Watchers that are being called, and whether they are to be called once more. */
  readonly #rounds = new Map<Set<() => void>, boolean>();
  #client: pg.Client | undefined;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;
  #timers: NodeJS.Timeout[] = [];
  #round: Iterator<Set<() => void>> | undefined;

  constructor(
    private readonly url: string,
    private readonly log: Log,
  ) {}

  async start(): Promise<void> {
    this.#channels.set(CHANNEL, {
      onPayload: payload => {
        for (const topic of payload.split('\n')) this.#wake(topic);
      },
      onReconnect: () => {
        for (const topic of [...this.#topics.keys(), ...this.#watched.keys()]) this.#wake(topic);
      },
    });
    await this.#connect();
    this.#timers = [
      setInterval(() => void this.#beat(), HEARTBEAT_MS).unref(),
      setInterval(() => this.#lookAround(), ROUND_MS).unref(),
    ];
  }

  /** The statement that notifies every process of `topics`, once the surrounding transaction commits. */
  static readonly notifySql = notifySql(CHANNEL);

  /** Notifies every process of `topics` once the transaction of `sql` commits. */
  static async notify(sql: Sql, topics: Iterable<string>): Promise<void> {
    await notifyAll(sql, Bus.notifySql, Bus.payloads(topics));
  }

  /** Payloads for `notifySql`: topics joined up to what one notification may carry (8000 bytes). */
  static payloads(topics: Iterable<string>): string[] {
    const payloads: string[] = [];
    let current = '';
    for (const topic of new Set(topics)) {
      if (current && current.length + topic.length > 7000) {
        payloads.push(current);
        current = '';
      }
      current = current ? `${current}\n${topic}` : topic;
    }
    if (current) payloads.push(current);
    return payloads;
  }

  /** Calls `listener` whenever `topic` was notified; the answer ends the subscription. */
  subscribe(topic: string, listener: () => void): () => void {
    return added(this.#topics, topic, listener);
  }

  /**
   * The same for a listener that looks at something: it is called once in a while also when nothing was notified, all
   * listeners of a topic together, so that they can share a look.
   */
  watch(topic: string, listener: () => void): () => void {
    return added(this.#watched, topic, listener);
  }

  /** The same for whoever takes something to watch. */
  watching(topic: string): (listener: () => void) => () => void {
    return listener => this.watch(topic, listener);
  }

  /** How many watch a topic. */
  get watchers(): number {
    let count = 0;
    for (const listeners of this.#watched.values()) count += listeners.size;
    return count;
  }

  /** Listens on another channel of the same connection (the queue's own). */
  async listen(name: string, onPayload: Listener, onReconnect: () => void): Promise<{ close(): Promise<void> }> {
    this.#channels.set(name, { onPayload, onReconnect });
    await this.#client?.query(`listen ${pg.escapeIdentifier(name)}`);
    return {
      close: async () => {
        this.#channels.delete(name);
        if (!this.#closed) await this.#client?.query(`unlisten ${pg.escapeIdentifier(name)}`).catch(() => {});
      },
    };
  }

  async stop(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    for (const timer of this.#timers) clearInterval(timer);
    await this.#client?.end().catch(() => {});
  }

  #wake(topic: string): void {
    for (const listener of this.#topics.get(topic) ?? []) listener();
    const watchers = this.#watched.get(topic);
    if (watchers) this.#call(watchers);
  }

  #call(watchers: Set<() => void>): void {
    // Called again while it goes round: another round follows, for those who were called before.
    const isGoing = this.#rounds.has(watchers);
    this.#rounds.set(watchers, isGoing);
    if (isGoing) return;
    let next = watchers.values();
    const slice = () => {
      for (let left = SLICE; left > 0; left--) {
        const { done, value } = next.next();
        if (!done) {
          value();
          continue;
        }
        if (!this.#rounds.get(watchers)) return void this.#rounds.delete(watchers);
        this.#rounds.set(watchers, false);
        next = watchers.values();
        break;
      }
      setImmediate(slice);
    };
    slice();
  }

  /** A few topics after the other, so that all of them have had their turn after `BACKSTOP_MS`. */
  #lookAround(): void {
    let left = Math.ceil((this.#watched.size * ROUND_MS) / BACKSTOP_MS);
    while (left-- > 0) {
      const next = this.#round?.next();
      if (next && !next.done) this.#call(next.value);
      else this.#round = this.#watched.values();
    }
  }

  /** A connection that went silent tells nobody: neither that it is lost nor what it misses. */
  async #beat(): Promise<void> {
    const client = this.#client;
    try {
      await client?.query(`listen ${pg.escapeIdentifier(CHANNEL)}`);
    } catch (error) {
      if (!client) return;
      this.#lost(client, error as Error);
      await client.end().catch(() => {});
    }
  }

  async #connect(): Promise<void> {
    // Its session is what listens; a silent one misses the deadline of the next heartbeat.
    const policy = { deadlineMs: HEARTBEAT_MS, keepsSession: true, settings: `select ${IDLE_SESSION}` };
    const client = await connectClient(this.url, { policy });
    client.on('error', error => this.#lost(client, error));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ channel, payload }) => this.#channels.get(channel)?.onPayload(payload ?? ''));
    try {
      for (const name of this.#channels.keys()) await client.query(`listen ${pg.escapeIdentifier(name)}`);
    } catch (error) {
      await client.end();
      throw error;
    }
    if (this.#closed) await client.end();
    else this.#client = client;
  }

  #lost(client: pg.Client, error?: Error): void {
    if (this.#closed || client !== this.#client) return;
    this.#client = undefined;
    this.log.warn({ err: error }, 'the notification connection was lost; connecting again');
    this.#again();
  }

  #again(): void {
    this.#retry = setTimeout(async () => {
      try {
        await this.#connect();
        for (const channel of this.#channels.values()) channel.onReconnect();
      } catch {
        if (!this.#closed) this.#again();
      }
    }, RECONNECT_MS);
  }
}

function added(listeners: Map<string, Set<() => void>>, topic: string, listener: () => void): () => void {
  const ofTopic = listeners.get(topic) ?? new Set();
  listeners.set(topic, ofTopic.add(listener));
  return () => {
    ofTopic.delete(listener);
    if (ofTopic.size === 0 && listeners.get(topic) === ofTopic) listeners.delete(topic);
  };
}
