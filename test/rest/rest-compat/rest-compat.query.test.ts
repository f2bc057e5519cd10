import { describe, expect, test } from '@jest/globals';
import { type Api, ask } from './rest-compat.harness.js';

const api: Api = {
  schema: `
    scalar JSON
    scalar UUID
    enum Order { TIME_ASC TIME_DESC }
    enum Mode { AUTO FAST_LANE }
    type Query { echo(filter: Filter, page: Int = 1, size: Int = 10, order: Order, mode: Mode, seconds: Float, run: UUID): JSON! }
    input Filter { text: String isOwn: Boolean categories: [Int!] ownerId: Int hasOwner: Boolean isNew: Boolean }
  `,
  operations: `
    "Echo" query Echo(
      $search: String $own: Boolean $categories: [Int!] $page: Int = 1 @range(min: 1) $size: Int = 10 @range(min: 0, max: 100)
      $ordering: Order = TIME_DESC @choices(of: [{ sent: "time", value: "TIME_ASC" }, { sent: "-time", value: "TIME_DESC" }])
      $mode: Mode $seconds: Float @range(min: 0.1, max: 30) $run: UUID
      $owner: Int @orBoolean(variable: "has_owner", fault: "Must be true, false or an id.") $has_owner: Boolean
      $old: Boolean @negated
    ) @rest(method: GET, path: "/api/v1/echo/") {
      body: echo(filter: { text: $search, isOwn: $own, categories: $categories, ownerId: $owner, hasOwner: $has_owner, isNew: $old }, page: $page, size: $size, order: $ordering, mode: $mode, seconds: $seconds, run: $run)
    }
  `,
  resolve: { echo: (_, args: object) => args },
};

const plain = { filter: {}, page: 1, size: 10, order: 'TIME_DESC' };

describe('a query', () => {
  test.each<[string, object]>([
    ['', plain],
    ['search=a%20b', { ...plain, filter: { text: 'a b' } }],
    ['search=', { ...plain, filter: { text: '' } }],
    ['search=first&search=last', { ...plain, filter: { text: 'last' } }],
    ['categories=1&categories=2', { ...plain, filter: { categories: [1, 2] } }],
    ['categories=3', { ...plain, filter: { categories: [3] } }],
    ['own=True', { ...plain, filter: { isOwn: true } }],
    ['own=0', { ...plain, filter: { isOwn: false } }],
    ['owner=42', { ...plain, filter: { ownerId: 42 } }],
    ['owner=0', { ...plain, filter: { ownerId: 0 } }],
    ['owner=true', { ...plain, filter: { hasOwner: true } }],
    ['owner=False', { ...plain, filter: { hasOwner: false } }],
    ['has_owner=true', plain],
    ['old=true', { ...plain, filter: { isNew: false } }],
    ['old=false', { ...plain, filter: { isNew: true } }],
    ['page=3&size=0', { ...plain, page: 3, size: 0 }],
    // Each parameter `size` has the alias `page_size`.
    ['page_size=25', { ...plain, size: 25 }],
    ['page_size=25&size=5', { ...plain, size: 5 }],
    ['ordering=time', { ...plain, order: 'TIME_ASC' }],
    ['mode=fast_lane', { ...plain, mode: 'FAST_LANE' }],
    ['seconds=1e1', { ...plain, seconds: 10 }],
    ['unknown=1&__proto__=2', plain],
  ])('%s reaches the resolver as its values', async (query, args) => {
    expect((await ask(api, { path: `/api/v1/echo/?${query}` })).body).toEqual(args);
  });

  test.each<[string, object]>([
    ['page=0', { page: ['Ensure this value is greater than or equal to 1.'] }],
    ['page=', { page: ['A valid integer is required.'] }],
    ['size=101', { size: ['Ensure this value is between 0 and 100.'] }],
    ['page_size=-1', { page_size: ['Ensure this value is between 0 and 100.'] }],
    ['page=2147483648', { page: ['A valid integer is required.'] }],
    ['page=1.5&size=abc', { page: ['A valid integer is required.'], size: ['A valid integer is required.'] }],
    ['categories=1&categories=x', { 'categories.1': ['A valid integer is required.'] }],
    ['own=yes', { own: ['Must be a valid boolean.'] }],
    ['ordering=name', { ordering: ['Not a valid choice, expected one of: time, -time.'] }],
    ['ordering=TIME_ASC', { ordering: ['Not a valid choice, expected one of: time, -time.'] }],
    ['seconds=NaN', { seconds: ['A valid number is required.'] }],
    ['seconds=31', { seconds: ['Ensure this value is between 0.1 and 30.'] }],
    ['run=42', { run: ['Must be a valid UUID.'] }],
    ...['owner=', 'owner=-1', 'owner=1.5', 'owner=2147483648', 'owner=yes'].map(
      query => [query, { owner: ['Must be true, false or an id.'] }] as [string, object],
    ),
    ['search=a%00b', { search: ['Null characters are not allowed.'] }],
  ])('%s is refused', async (query, fields) => {
    const { status, body } = await ask(api, { path: `/api/v1/echo/?${query}` });
    expect({ status, body }).toEqual({ status: 400, body: fields });
  });
});
