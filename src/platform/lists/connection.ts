import { isUuid } from '../crypto/uuid.js';
import { type Expression, expression, rowCount, type SelectQueryBuilder } from '../database/typed-queries.js';
import { InvalidInputError } from '../errors/errors.js';
import { isInteger } from '../sql/max-integer.js';
import type { Totals } from '../sql/totals.js';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 100;
const NO_CURSOR =
  'This is not a cursor of this list in this order. Use a value of edges.cursor, pageInfo.startCursor or pageInfo.endCursor of the same field.';

/** A part of a list by cursor (GraphQL Cursor Connections Specification). */
export interface ConnectionArgs {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

export interface Edge<Node> {
  cursor: string;
  node: Node;
}

export interface Connection<Node> {
  edges: Edge<Node>[];
  nodes: Node[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  /** Counts the list when it is read. */
  readonly totalCount: Promise<number>;
}

type KeyType = 'timestamptz' | 'uuid' | 'int' | 'numeric';

/** The order of a list. The columns together are unique, none is null, and an index supports them. */
export interface Keyset {
  /** Name of the list and its order, which is part of its cursors. */
  name: string;
  columns: readonly { ref: string; type: KeyType }[];
  order: 'asc' | 'desc';
}

const isKeyOf: Record<KeyType, (text: string) => boolean> = {
  timestamptz: isTimestamp,
  uuid: isUuid,
  int: isInteger,
  numeric: text => /^-?\d{1,30}(\.\d{1,30})?$/.test(text),
};

// biome-ignore lint/suspicious/noExplicitAny: each list has its own tables.
type Rows<Row> = SelectQueryBuilder<any, any, Row>;

interface ListQuery<Row, Item> {
  /** Selects all items without order. */
  rows: Rows<Row>;
  keyset: Keyset;
  totals: Totals;
  itemOf: (row: Row) => Item;
}

/**
 * Reads a part of a list. It costs the same at any depth, because a cursor contains the key of its item. The part
 * before or after a cursor stays the same when items are added elsewhere or when the item itself is deleted.
 * @throws InvalidInputError for a number out of range, and for a cursor of another list
 */
export async function readConnection<Row extends object, Item>(
  { rows, keyset, totals, itemOf }: ListQuery<Row, Item>,
  args: ConnectionArgs,
): Promise<Connection<Item>> {
  const { count, isBackward, after, before } = parseArgs(args, keyset);
  const [behind, inFront] = keyset.order === 'asc' ? (['>', '<'] as const) : (['<', '>'] as const);
  const bounds = [
    ...(after ? [comparison(keyset, behind, after)] : []),
    ...(before ? [comparison(keyset, inFront, before)] : []),
  ];
  const direction = (keyset.order === 'asc') === isBackward ? 'desc' : 'asc';
  const ordered = keyset.columns.reduce<Rows<Row>>(
    (query, { ref }) => query.orderBy(expression.ref(ref), direction),
    rows,
  );
  const found = (await ordered
    .select(keyTexts(keyset).as('connectionKey'))
    .where(({ and }) => and(bounds))
    .limit(count + 1)
    .execute()) as (Row & { connectionKey: string[] })[];
  const shown = found.slice(0, count);
  if (isBackward) shown.reverse();
  const hasMore = found.length > count;
  const edges = shown.map(({ connectionKey, ...row }) => ({
    cursor: toCursor(keyset, connectionKey),
    node: itemOf(row as unknown as Row),
  }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: isBackward ? before !== null : hasMore,
      hasPreviousPage: isBackward ? hasMore : after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    get totalCount() {
      return totals.read(rows.clearSelect().select(rowCount().as('total')).$castTo<{ total: number }>());
    },
  };
}

function parseArgs({ first, after, last, before }: ConnectionArgs, keyset: Keyset) {
  const keys = { after: fromCursor(keyset, after), before: fromCursor(keyset, before) };
  const faults = [
    ...Object.entries({ first, last })
      .filter(([, count]) => count != null && (count < 1 || count > MAX_COUNT))
      .map(([name]) => [name, [`Ensure this value is between 1 and ${MAX_COUNT}.`]]),
    ...(first != null && last != null ? [['last', ['Send either first or last, not both.']]] : []),
    ...Object.entries(keys)
      .filter(([, key]) => key === undefined)
      .map(([name]) => [name, [NO_CURSOR]]),
  ];
  if (faults.length > 0) throw new InvalidInputError(Object.fromEntries(faults));
  return {
    count: first ?? last ?? DEFAULT_COUNT,
    isBackward: last != null,
    after: keys.after ?? null,
    before: keys.before ?? null,
  };
}

function comparison({ columns }: Keyset, operator: '<' | '>', key: readonly string[]): Expression<boolean> {
  const refs = expression.join(columns.map(({ ref }) => expression.ref(ref)));
  const values = expression.join(columns.map(({ type }, index) => typedKey(key[index]!, type)));
  return operator === '<' ? expression<boolean>`(${refs}) < (${values})` : expression<boolean>`(${refs}) > (${values})`;
}

function typedKey(text: string, type: KeyType): Expression<unknown> {
  const typed = {
    timestamptz: expression<Date>`${text}::timestamptz`,
    uuid: expression<string>`${text}::uuid`,
    int: expression<number>`${text}::int`,
    numeric: expression<string>`${text}::numeric`,
  };
  return typed[type];
}

/** Keys are texts, because a JavaScript date has no microseconds. */
function keyTexts({ columns }: Keyset) {
  const texts = columns.map(({ ref, type }) =>
    type === 'timestamptz'
      ? expression`to_char(${expression.ref(ref)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : expression`${expression.ref(ref)}::text`,
  );
  return expression<string[]>`json_build_array(${expression.join(texts)})`;
}

function toCursor({ name }: Keyset, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([name, ...key])).toString('base64url');
}

/** Returns null without a cursor, and undefined for a text that is not a cursor of this list. */
function fromCursor(
  { name, columns }: Keyset,
  cursor: string | null | undefined,
): readonly string[] | null | undefined {
  if (cursor == null) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parsed) || parsed.length !== columns.length + 1 || parsed[0] !== name) return undefined;
  const key = parsed.slice(1);
  const isKey = columns.every(({ type }, index) => typeof key[index] === 'string' && isKeyOf[type](key[index]));
  return isKey ? key : undefined;
}

/** Whether PostgreSQL accepts the text as a time. A date such as 31 February is not a time. */
function isTimestamp(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(text)) return false;
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19));
}
