/** The largest id, position and count: that of PostgreSQL's type `integer`. */
export const MAX_INTEGER = 2_147_483_647;
