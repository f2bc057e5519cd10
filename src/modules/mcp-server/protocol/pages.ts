import type { JsonObject } from '../../../engine/json-value.js';
import type { Page, PageArgs } from '../../../platform/lists/page.js';
import { invalidParams } from './json-rpc.js';

const CURSOR = /^page-(\d{1,6})$/;

/** Returns a page of a list as `member`, with `nextCursor` when more items follow. */
export async function toPage<T>(
  member: string,
  size: number,
  params: JsonObject,
  read: (page: PageArgs) => Promise<Page<T>>,
): Promise<JsonObject> {
  const page = readCursor(params);
  const { items, total } = await read({ page, size });
  return { [member]: items, ...(page * size < total ? { nextCursor: `page-${page + 1}` } : {}) };
}

function readCursor({ cursor }: JsonObject): number {
  if (cursor === undefined) return 1;
  const [, page] = (typeof cursor === 'string' && CURSOR.exec(cursor)) || [];
  if (page !== undefined && Number(page) > 0) return Number(page);
  throw invalidParams('params.cursor must be the nextCursor of an earlier page: list again without a cursor.');
}
