import { expect, it } from '@jest/globals';
import { RevisionStore } from '../../../src/modules/workflows/revision-store.js';
import type { Sql } from '../../../src/platform/database/database.js';

/** Almost the size of the cache, so that it evicts all other revisions. */
const LARGE_TEXT = 'x'.repeat(32 * 1024 * 1024 - 1_500);

/** Answers the read of revisions with a row for each id. */
function revisionRows(text: string, onRead: () => Promise<unknown> = async () => undefined): Sql {
  const byKey = async (_name: string, _text: string, [ids]: unknown[]) => {
    await onRead();
    const row = { projectId: 1, workflowId: 1, number: 1, data: JSON.stringify({ text }), sealedSecrets: null };
    return (ids as number[]).map(id => ({ id, marketTermsId: null, ...row }));
  };
  return { byKey } as unknown as Sql;
}

it('returns a cached revision that another read evicts while the statement runs', async () => {
  const store = new RevisionStore(undefined as never, undefined as never);
  await store.read([1], revisionRows('small'));
  const evictFirst = () => store.read([3], revisionRows(LARGE_TEXT));
  const revisions = await store.read([1, 2], revisionRows('small', evictFirst));
  expect(revisions.map(revision => revision?.id)).toEqual([1, 2]);
});
