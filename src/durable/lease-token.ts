import { type Expression, expression } from '../platform/database/typed-queries.js';

/** Random bits of a token. The 13 bits above them count the claims. All 53 bits fit into a JavaScript number. */
const RANDOM_BITS = 40;
const MAX_CLAIMS = 2 ** 13 - 1;

/** Returns SQL for the number of claims that a token contains. */
function claimsSql(token: string): string {
  return `(${token} >> ${RANDOM_BITS})`;
}

/**
 * Returns SQL for the fencing token that follows `token`. Its counter distinguishes the claims of one row. Its
 * random part distinguishes the lease holders. A fail-over to an asynchronous replica can reset a row and reissue
 * counter values, but not tokens.
 */
export function nextTokenSql(token: string): string {
  const counter = `((${claimsSql(token)} + 1) & ${MAX_CLAIMS})`;
  return `(${counter} << ${RANDOM_BITS}) + floor(random() * ${2 ** RANDOM_BITS})::bigint`;
}

/** Returns the expression of `nextTokenSql` for a typed query. */
export function nextToken(token: Expression<number>) {
  return expression<number>`((((${token} >> ${RANDOM_BITS}) + 1) & ${MAX_CLAIMS}) << ${RANDOM_BITS})
    + floor(random() * ${2 ** RANDOM_BITS})::bigint`;
}
