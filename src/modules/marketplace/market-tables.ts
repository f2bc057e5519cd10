import type { Table } from '../../platform/database/typed-queries.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';
import type { MarketplaceUseEntity } from './marketplace-use.entity.js';

export interface MarketTables extends WorkflowTables {
  marketplace_use: Table<typeof MarketplaceUseEntity>;
}
