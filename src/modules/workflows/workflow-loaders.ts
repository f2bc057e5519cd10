import DataLoader from 'dataloader';
import type { Database } from '../../platform/database/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { Workflow } from './workflow.js';
import { READ_WORKFLOWS } from './workflow-reads.js';

/**
 * The workflow of a list item that the viewer is authorized to see; null when it is deleted. A data loader reads those of a
 * whole page in one query.
 */
export function workflowOf(context: RequestContext, database: Database, id: number): Promise<Workflow | null> {
  const loader = context.loader(
    'workflow',
    () =>
      new DataLoader<number, Workflow | null>(async ids => {
        const rows = await READ_WORKFLOWS(database, { ids });
        const byId = new Map(rows.map(row => [row.id, row]));
        return ids.map(each => byId.get(each) ?? null);
      }),
  );
  return loader.load(id);
}
