/** The largest id and count that a graph or a scenario may name: that of PostgreSQL's type `integer`. */
export const MAX_INTEGER = 2_147_483_647;
