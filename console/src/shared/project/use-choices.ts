import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { MemberChoicesDocument, type MemberChoicesQuery, WorkflowChoicesDocument } from './choices.generated';
import { useProjectId } from './use-project';

/** Items of one page: the largest page of the API. */
const PAGE_SIZE = 100;

interface Options {
  skip?: boolean;
}

/** Loads all workflows of the project in the address, page by page, and returns those that have loaded. */
export function useWorkflowChoices({ skip = false }: Options = {}): readonly { id: number; title: string }[] {
  const { data, fetchMore } = useQuery(WorkflowChoicesDocument, {
    variables: { projectId: useProjectId(), page: 1 },
    skip,
  });
  useOtherPages(data?.workflows, page =>
    fetchMore({
      variables: { page },
      updateQuery: (before, { fetchMoreResult: next }) => ({ workflows: joined(before.workflows, next.workflows) }),
    }),
  );
  return data?.workflows.items ?? [];
}

/** Loads all members of the project in the address, page by page, and returns those that have loaded. */
export function useMemberChoices({ skip = false }: Options = {}): MemberChoicesQuery['projectMembers']['items'] {
  const { data, fetchMore } = useQuery(MemberChoicesDocument, {
    variables: { projectId: useProjectId(), page: 1 },
    skip,
  });
  useOtherPages(data?.projectMembers, page =>
    fetchMore({
      variables: { page },
      updateQuery: (before, { fetchMoreResult: next }) => ({
        projectMembers: joined(before.projectMembers, next.projectMembers),
      }),
    }),
  );
  return data?.projectMembers.items ?? [];
}

interface LoadedList {
  total: number;
  items: readonly { id: number }[];
}

/** Loads the next page while items are missing. */
function useOtherPages(list: LoadedList | undefined, load: (page: number) => Promise<unknown>): void {
  const loaded = list?.items.length ?? 0;
  const isIncomplete = loaded < (list?.total ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is another function at each rendering.
  useEffect(() => {
    // The loaded items stay usable without the others.
    if (isIncomplete) load(Math.floor(loaded / PAGE_SIZE) + 1).catch(() => undefined);
  }, [isIncomplete, loaded]);
}

/** The list with the items of another page that it does not have yet. */
function joined<List extends LoadedList>(before: List, next: List): List {
  const known = new Set(before.items.map(({ id }) => id));
  return { ...next, items: [...before.items, ...next.items.filter(({ id }) => !known.has(id))] };
}
