import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { useProjectId } from '@/shared/project/use-project';
import { TriggerWorkflowsDocument } from './triggers.generated';

/** Workflows of one page: the largest page of the API. */
const PAGE_SIZE = 100;

/** Loads all workflows of the project in the address, page by page, and returns those that have loaded. */
export function useWorkflows({ skip = false } = {}): readonly { id: number; title: string }[] {
  const { data, fetchMore } = useQuery(TriggerWorkflowsDocument, {
    variables: { projectId: useProjectId(), page: 1 },
    skip,
  });
  const workflows = data?.workflows.items ?? [];
  const loaded = workflows.length;
  const isIncomplete = loaded < (data?.workflows.total ?? 0);
  useEffect(() => {
    if (!isIncomplete) return;
    fetchMore({
      variables: { page: Math.floor(loaded / PAGE_SIZE) + 1 },
      updateQuery: ({ workflows: before }, { fetchMoreResult: { workflows: next } }) => {
        const known = new Set(before.items.map(({ id }) => id));
        return { workflows: { ...next, items: [...before.items, ...next.items.filter(({ id }) => !known.has(id))] } };
      },
    }).catch(() => undefined);
  }, [isIncomplete, loaded, fetchMore]);
  return workflows;
}
