import type { Table } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { ConnectionEntity } from './connection.entity.js';
import type { ConnectionUseEntity } from './connection-use.entity.js';

/** Tables that the module's queries use. */
export interface ConnectionTables extends ProjectTables {
  connection: Table<typeof ConnectionEntity>;
  connection_use: Table<typeof ConnectionUseEntity>;
}

/** The context for which the secret of a connection is sealed. */
export const secretContextOf = (id: number) => `connection:sealed:${id}`;

/** The context for which the tokens of a connection are sealed. */
export function tokensContextOf(id: number): string {
  return `connection:tokens:${id}`;
}
