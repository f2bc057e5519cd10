import { setTimeout } from 'node:timers/promises';
import { Batcher } from '../../base/batcher.js';
import { Behind } from '../../base/behind.js';
import type { Database } from '../../base/database.js';
import { isDataFault, isRetryableDatabaseError } from '../../base/database-errors.js';
import { failpoint } from '../../base/failpoint.js';
import type { Log } from '../../base/log.js';
import type { Usage } from '../../engine/ports.js';
import { RAISE_TOTALS } from '../billing/raise-totals.js';

/** One chat completion on the ledger. What is undefined is not sent to the database, for which it is null. */
export interface ChatEntry {
  /** Of the call. */
  id: string;
  userId: number;
  keyId: number | null;
  projectId: number | undefined;
  status: 'Success' | 'Error';
  amountUsd: string;
  reason: string | undefined;
  /** The model that was asked for. */
  description: string;
  usage: Usage[];
  /** What was set aside for it from the limit of its project. */
  reservation: string | undefined;
  /** The same of its key. */
  keyReservation: string | undefined;
}

/** By which chat completions are told from nodes. */
export const CHAT_OPERATION = 'chat-completion';

// Rows, settled reservations and totals of all that ended at about the same time, in one statement. What named a project
// that is gone by now is its user's alone.
const writing = (onConflict: string) => `
  with given as (
    select * from json_to_recordset($1::json) as g(id uuid, "userId" int, "keyId" int, "projectId" int, status text,
      "amountUsd" numeric, reason text, description text, usage json, reservation uuid,
      "keyReservation" uuid)),
  ledger as (
    insert into billing_transaction
      (project_id, run_id, node_id, user_id, api_key_id, operation, status, amount_usd, reason, description, usage)
    select p.id, g.id, '', u.id, g."keyId", '${CHAT_OPERATION}', g.status, g."amountUsd", coalesce(g.reason, ''), g.description, g.usage
      from given g left join project p on p.id = g."projectId" left join app_user u on u.id = g."userId"
    ${onConflict}
    returning project_id, amount_usd, api_key_id),
  freed as (
    delete from budget_reservation b using given g where b.id = g.reservation returning b.project_id, b.amount_usd),
  freed_keys as (
    delete from key_budget_reservation r using given g where r.id = g."keyReservation" returning r.api_key_id, r.amount_usd),
  ${RAISE_TOTALS},
  by_key as (
    select id, sum(spent) as spent, sum(freed) as freed
      from (select api_key_id as id, amount_usd as spent, 0 as freed from ledger where api_key_id is not null
            union all select api_key_id, 0, amount_usd from freed_keys) as moved
     group by id having sum(spent) <> 0 or sum(freed) <> 0),
  locked_keys as (select id from api_key where id in (select id from by_key) order by id for no key update)
  update api_key k set spent_usd = k.spent_usd + b.spent, reserved_usd = k.reserved_usd - b.freed
    from locked_keys l join by_key b on b.id = l.id where k.id = l.id`;

const WRITE = writing('');
// Of a statement that was cut off nobody knows whether it was done. To look for what may be there costs a tenth more.
const WRITE_AGAIN = writing('on conflict (run_id, node_id, iteration, operation) do nothing');

const RETRY_MS = 500;
/**
 * Calls that end within so long are written together: a statement for each would cost more than the rest of them. What
 * holds a reservation is written at once, or it would stand in the way of the next call.
 */
const GATHER_MS = 20;
/** Entries of one statement. */
const MOST_AT_ONCE = 500;
/** Entries that wait to be written: past it nothing more is begun. */
const MAX_WAITING = 20_000;
/** For what is left when the service stops, and how often it is looked at. */
const LAST_CHANCE_MS = 5_000;
const LOOK_MS = 10;

/** Of a call that has ended what it comes to: at once, unless its tokens have to be counted. */
export type EntryOfCall = () => ChatEntry | Promise<ChatEntry>;

/** Writes what chat completions cost, behind the answers: nobody waits for it. */
export class ChatLedger {
  /** Calls whose answers have left. */
  readonly #ended = new Behind<EntryOfCall>(entry => this.#take(entry));
  readonly #unwritten = new Behind<ChatEntry>(entry => void this.#persist(entry), {
    ms: GATHER_MS,
    most: MOST_AT_ONCE,
  });
  readonly #batcher = new Batcher<ChatEntry, undefined>(entries => this.#write(entries), {
    lanes: 1,
    maxBatch: MOST_AT_ONCE,
    isolate: isDataFault,
  });
  /** Calls that have ended and are not written. */
  #waiting = 0;
  readonly #stop = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly log: Log,
    /** Hears of each completion what it used. */
    private readonly tell: (usage: Usage) => void,
  ) {}

  get isBehind(): boolean {
    return this.#waiting >= MAX_WAITING;
  }

  /**
   * Takes what `entry` comes to. What cannot be written is told to the log, with all that it says. `isReserved`: something
   * is set aside for it, which the next call may need.
   */
  record(entry: EntryOfCall, isReserved: boolean): void {
    this.#waiting++;
    this.#ended.add(entry);
    if (isReserved) this.#ended.flush();
  }

  /** Resolves when all that was recorded is written, or the time for it is up. */
  async settle(): Promise<void> {
    const timer = new AbortController();
    const patience = setTimeout(LAST_CHANCE_MS, undefined, { signal: timer.signal }).then(
      () => this.#stop.abort(),
      () => {},
    );
    while (this.#waiting > 0) await setTimeout(LOOK_MS);
    timer.abort();
    await patience;
  }

  #take(entry: EntryOfCall): void {
    const lose = (error: unknown) => {
      this.#waiting--;
      this.log.error({ err: error }, 'a chat completion is not on the ledger');
    };
    try {
      const made = entry();
      if (made instanceof Promise) made.then(one => this.#add(one)).catch(lose);
      else this.#add(made);
    } catch (error) {
      lose(error);
    }
  }

  #add(entry: ChatEntry): void {
    entry.usage.forEach(this.tell);
    this.#unwritten.add(entry);
    if (entry.reservation !== undefined || entry.keyReservation !== undefined) this.#unwritten.flush();
  }

  async #persist(entry: ChatEntry): Promise<void> {
    try {
      await this.#batcher.add(entry);
    } catch (error) {
      this.log.error({ err: error, entry }, 'a chat completion could not be written on the ledger');
    } finally {
      this.#waiting--;
    }
  }

  /** Again until it is done, when the database was away. */
  async #write(entries: ChatEntry[]): Promise<undefined[]> {
    const given = [JSON.stringify(entries)];
    for (let isAgain = false; ; isAgain = true) {
      try {
        failpoint('chat-ledger.before');
        if (isAgain) await this.database.prepared('write-chats-again', WRITE_AGAIN, given);
        else await this.database.prepared('write-chats', WRITE, given);
        failpoint('chat-ledger.after');
        return [];
      } catch (error) {
        if (!isRetryableDatabaseError(error) || this.#stop.signal.aborted) throw error;
        await setTimeout(RETRY_MS);
      }
    }
  }
}
