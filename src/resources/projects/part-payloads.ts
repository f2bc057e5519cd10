import DataLoader from 'dataloader';
import type { Sql } from '../../base/database.js';
import type { PageBytes } from '../../base/page-bytes.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { PartTable } from './scenario-parts.js';

/**
 * The large members of a part: entities declare them `lazy`, so that lists read parts without them, and then those of the
 * parts that fit into the page. A part that is read alone comes with them.
 */
export class PartPayloads<P extends object> {
  readonly #bytes: string;
  readonly #read: string;
  readonly #first: keyof P;

  /** `columns`: of the members, which are the same for each part of the table. */
  constructor(
    private readonly sql: Sql,
    private readonly pageBytes: PageBytes,
    private readonly table: PartTable,
    columns: Record<keyof P & string, string>,
  ) {
    const sizes = Object.values<string>(columns).map(column => `octet_length(${column}::text)`);
    const members = Object.entries<string>(columns).map(([member, column]) => `${column} as "${member}"`);
    this.#bytes = `select id, ${sizes.join(' + ')} as bytes from ${table} where id = any($1::int[])`;
    this.#read = `select id, ${members.join(', ')} from ${table} where id = any($1::int[])`;
    this.#first = Object.keys(columns)[0] as keyof P;
  }

  /** Whether a part of a list is shown with its payload. */
  async isWhole(context: RequestContext, part: PartRow<P>): Promise<boolean> {
    if (this.#isRead(part)) return true;
    const sizes = this.#loader<{ bytes: number }>(context, 'bytes', this.#bytes);
    const bytes = (await sizes.load(part.id))?.bytes ?? 0;
    return this.pageBytes.fits(context, this.table, { id: part.id, bytes });
  }

  /** The payload: one query for all parts of a page that fit. Null for a part that is shortened. */
  async of(context: RequestContext, part: PartRow<P>): Promise<P | null> {
    if (this.#isRead(part)) return part;
    return (await this.isWhole(context, part)) ? this.#loader<P>(context, 'payload', this.#read).load(part.id) : null;
  }

  #isRead(part: PartRow<P>): part is P & { id: number } {
    return part[this.#first] !== undefined;
  }

  #loader<T>(context: RequestContext, name: string, query: string): DataLoader<number, T | null> {
    return context.loader(
      `${this.table}.${name}`,
      () =>
        new DataLoader<number, T | null>(async ids => {
          const rows = await this.sql.query<T & { id: number }>(query, [ids]);
          const byId = new Map(rows.map(row => [row.id, row]));
          return ids.map(id => byId.get(id) ?? null);
        }),
    );
  }
}

type PartRow<P> = { id: number } & Partial<P>;
