import DataLoader from 'dataloader';
import type { Sql } from '../database/database.js';
import type { RequestContext } from '../requests/context.js';
import { payloadTexts, type RowPayload, readPayloads } from './list-payloads.sql.js';
import type { PageBytes } from './page-bytes.js';

/** Payloads up to this size in bytes are read together with their size, so most items need one statement. */
export const SMALL_BYTES = 4_096;

interface PayloadSource<P extends object> {
  table: string;
  /** The column of the table and the member of an item that identify it. Default: integers named `id`. */
  key?: { column: string; type: 'int' | 'uuid'; member: string };
  /** Column names by payload member. The same for all items of the table. */
  columns: Record<keyof P & string, string>;
}

type SizedPayload<P> = P & { key: number | string; bytes: number };

/**
 * Loads the payloads, the large members, of list items. The list is read without them (an entity declares them `lazy`), or,
 * if the operation selects them, with their sizes and the small ones (`selectSmallPayload`). Then payloads are read until the
 * page reaches its size limit. An item that already has its payload is not read again.
 */
export class ListPayloads<P extends object> {
  readonly #name: string;
  readonly #member: string;
  readonly #sizes: string;
  readonly #read: string;
  readonly #first: keyof P;

  constructor(
    private readonly sql: Sql,
    private readonly pageBytes: PageBytes,
    { table, key = { column: 'id', type: 'int', member: 'id' }, columns }: PayloadSource<P>,
  ) {
    this.#name = `${table}.${Object.keys(columns).join('.')}`;
    this.#member = key.member;
    const { sizes, read } = payloadTexts({ table, key, columns }, SMALL_BYTES);
    this.#sizes = sizes;
    this.#read = read;
    this.#first = Object.keys(columns)[0] as keyof P;
  }

  /** Whether an item of a list is returned with its payload. */
  async isWhole(context: RequestContext, item: object): Promise<boolean> {
    if (this.#isRead(item)) return true;
    const bytes = await this.bytesOf(context, item);
    return this.pageBytes.fits(context, this.#name, item, { id: this.#keyOf(item), bytes });
  }

  /** Returns the payload, with at most two queries for all items of a page. Null for a shortened item. */
  async of(context: RequestContext, item: object): Promise<P | null> {
    if (this.#isRead(item)) return item;
    return (await this.isWhole(context, item)) ? this.read(context, item) : null;
  }

  /** Returns the size of the payload of an item in bytes; 0 if the item already has it, because it then is no item of a list. */
  async bytesOf(context: RequestContext, item: object): Promise<number> {
    if (this.#isRead(item)) return 0;
    return (await this.#sizeOf(context, item))?.bytes ?? 0;
  }

  /** Reads the payload of an item that fits into the page. */
  async read(context: RequestContext, item: object): Promise<P | null> {
    if (this.#isRead(item)) return item;
    const sized = await this.#sizeOf(context, item);
    if (!sized || sized.bytes <= SMALL_BYTES) return sized;
    return this.#loader<P & { key: number | string }>(context, 'payload', this.#read).load(this.#keyOf(item));
  }

  async #sizeOf(context: RequestContext, item: object): Promise<SizedPayload<P> | null> {
    if (hasRowPayload<P>(item)) return { ...item, key: this.#keyOf(item), bytes: item.payloadBytes };
    return this.#loader<SizedPayload<P>>(context, 'bytes', this.#sizes).load(this.#keyOf(item));
  }

  #keyOf(item: object): number | string {
    return (item as Record<string, number | string>)[this.#member]!;
  }

  #isRead(item: object): item is P {
    return !hasRowPayload(item) && (item as Partial<P>)[this.#first] !== undefined;
  }

  #loader<T extends { key: number | string }>(
    context: RequestContext,
    name: string,
    query: string,
  ): DataLoader<number | string, T | null> {
    return context.loader(
      `${this.#name} ${name}`,
      () =>
        new DataLoader<number | string, T | null>(async keys => {
          const rows = await readPayloads<T>(this.sql, { name: `${this.#name} ${name}`, text: query, keys });
          const byKey = new Map(rows.map(row => [row.key, row]));
          return keys.map(key => byKey.get(key) ?? null);
        }),
    );
  }
}

/** Whether the list has read the item with `selectSmallPayload`. */
function hasRowPayload<P>(item: object): item is RowPayload<P> {
  return (item as Partial<RowPayload<P>>).payloadBytes !== undefined;
}
