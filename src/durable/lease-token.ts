import { type Expression, expression } from '../platform/database/typed-queries.js';

/** Bits of a token that are drawn at random; the bits above them count the claims. Together 53: a number holds them. */
const RANDOM_BITS = 40;
const MAX_CLAIMS = 2 ** 13 - 1;

/** SQL: how often a row was claimed, of its token. */
function claimsSql(token: string): string {
  return `(${token} >> ${RANDOM_BITS})`;
}

/**
 * SQL: the fencing token of the next holder of a lease, after `token`. The counter in it distinguishes the claims of one row.
 * The random part distinguishes the holders: when a fail-over to an asynchronous replica takes a row back to an earlier state,
 * its counter values are handed out again, its tokens are not.
 */
export function nextTokenSql(token: string): string {
  const counter = `((${claimsSql(token)} + 1) & ${MAX_CLAIMS})`;
  return `(${counter} << ${RANDOM_BITS}) + floor(random() * ${2 ** RANDOM_BITS})::bigint`;
}

/** The same as part of a typed query. */
export function nextToken(token: Expression<number>) {
  return expression<number>`((((${token} >> ${RANDOM_BITS}) + 1) & ${MAX_CLAIMS}) << ${RANDOM_BITS})
    + floor(random() * ${2 ** RANDOM_BITS})::bigint`;
}
