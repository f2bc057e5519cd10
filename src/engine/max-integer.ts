/** The largest id and count in a graph or scenario: the maximum of PostgreSQL's type `integer`. */
export const MAX_INTEGER = 2_147_483_647;
