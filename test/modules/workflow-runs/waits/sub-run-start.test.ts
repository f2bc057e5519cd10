import { describe, expect, it } from '@jest/globals';
import { type RunOrigin, SubRunService } from '../../../../src/modules/workflow-runs/execution/sub-run.service.js';
import { derivedUuid } from '../../../../src/platform/crypto/uuid.js';
import type { Database } from '../../../../src/platform/database/database.js';

const ORIGIN: RunOrigin = {
  id: 'parent',
  projectId: 1,
  userId: 1,
  ancestry: [],
  scenarioRunId: null,
  environment: null,
};
const REQUEST = { workflowId: 2, input: {}, key: 'node-1' };

/** Starts a sub-run of a workflow that is archived. `runs` are the rows of the run with its id. */
function startOfArchived(runs: object[]): Promise<string> {
  const query = async (text: string) => (text.includes('from "workflow_run"') ? runs : []);
  const unused = undefined as never;
  const database = { query } as unknown as Database;
  const service = new SubRunService(database, unused, unused, unused, unused, unused, unused, unused);
  return service.start(ORIGIN, REQUEST);
}

describe('the repeated start of a sub-run', () => {
  const id = derivedUuid('parent\nnode-1');

  it('returns the existing run although the workflow has been archived since', async () => {
    await expect(startOfArchived([{ id }])).resolves.toBe(id);
  });

  it('is refused like a first start when there is no run', async () => {
    await expect(startOfArchived([])).rejects.toMatchObject({ code: 'unknown_workflow' });
  });
});
