import { useQuery, useSubscription } from '@apollo/client/react';
import { Anchor, Group, Pagination, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Link, useSearch } from '@tanstack/react-router';
import { IconChecklist } from '@/icons';
import { ApprovalCard } from '@/shared/approval/approval-card';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { LinesSkeleton, QueryView } from '@/shared/layout/query-view';
import { usePastEnd } from '@/shared/lists/data-table';
import { useSetSearch } from '@/shared/lists/list-search';
import { useProjectId } from '@/shared/project/use-project';
import {
  ApprovalActivityDocument,
  ApprovalInboxDocument,
  type ApprovalInboxQueryVariables,
  type InboxApprovalFragment,
} from './approvals.generated';
import type { ApprovalSearch } from './routes';

const PAGE_SIZE = 20;
type ListVariables = Pick<ApprovalInboxQueryVariables, 'statuses' | 'order'>;
const PENDING: ListVariables = { statuses: ['PENDING'], order: 'REQUESTED_AT_ASC' };
/** A request whose run ended first is expired. */
const DECIDED: ListVariables = { statuses: ['APPROVED', 'REJECTED', 'EXPIRED'], order: 'REQUESTED_AT_DESC' };
/** Events within this time cause one request. */
const DEBOUNCE_MS = 300;

/** The approval requests of agents and approval nodes in the project. The list is updated live. */
export function ApprovalsScreen() {
  const projectId = useProjectId();
  const { page = 1, decided } = useSearch({ strict: false }) as ApprovalSearch;
  const setSearch = useSetSearch<ApprovalSearch>();
  const query = useQuery(ApprovalInboxDocument, {
    variables: { projectId, ...(decided ? DECIDED : PENDING), page, size: PAGE_SIZE },
  });
  const refresh = useDebouncedCallback(() => void query.refetch().catch(() => undefined), DEBOUNCE_MS);
  const list = query.data?.agentApprovals;
  useSubscription(ApprovalActivityDocument, {
    variables: { projectId },
    ignoreResults: true,
    onData: ({ data: { data } }) => {
      const { kind, subjectId } = data?.projectActivity ?? {};
      // A request that ends with its run has no activity of its own, only that of the run.
      const isShownRun = list?.items.some(({ runId }) => runId === subjectId) === true;
      if (kind === 'AGENT_APPROVAL' || isShownRun) refresh();
    },
  });
  const total = list?.total ?? 0;
  const goTo = (next: number) => setSearch({ page: next });
  const isPastEnd = usePastEnd({ page, size: PAGE_SIZE, total, onPage: goTo }, list?.items.length);
  return (
    <>
      <PageHeader
        title="Approvals"
        badges={
          total > 0 && (
            <Text c="dimmed" fz="sm" role="status">
              {total.toLocaleString()} {decided ? 'decided or expired' : 'waiting'}
            </Text>
          )
        }
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Requests"
            data={[
              { value: 'pending', label: 'Waiting' },
              { value: 'decided', label: 'Decided' },
            ]}
            value={decided ? 'decided' : 'pending'}
            onChange={next => setSearch({ decided: next === 'decided' ? true : undefined })}
          />
        }
      />
      <QueryView query={query}>
        {({ project, agentApprovals: { items } }) =>
          isPastEnd ? (
            <LinesSkeleton />
          ) : items.length === 0 ? (
            <EmptyState icon={IconChecklist} title={decided ? 'Nothing is decided yet' : 'Nothing waits for you'}>
              Agents with approvals ask here before they start or call a tool, and approval nodes ask their questions.
              Their runs wait for your decision.
            </EmptyState>
          ) : (
            <Stack gap="sm" maw="52rem">
              {items.map(approval => (
                <ApprovalCard
                  key={approval.requestId}
                  approval={approval}
                  origin={<Origin approval={approval} />}
                  canDecide={project?.canEdit ?? false}
                  onDecided={refresh}
                  onExpired={refresh}
                />
              ))}
            </Stack>
          )
        }
      </QueryView>
      {total > PAGE_SIZE && (
        <Group justify="flex-end" mt="md" maw="52rem">
          <Pagination
            size="sm"
            total={Math.ceil(total / PAGE_SIZE)}
            value={page}
            onChange={goTo}
            getControlProps={control => ({ 'aria-label': `${control} page` })}
          />
        </Group>
      )}
    </>
  );
}

function Origin({ approval: { run, runId, nodeId } }: { approval: InboxApprovalFragment }) {
  const params = { projectId: String(useProjectId()), runId };
  return (
    <Anchor
      renderRoot={link => (
        <Link {...link} to="/projects/$projectId/runs/$runId" params={params} search={{ node: nodeId }} />
      )}
    >
      {run.workflow?.title ?? 'Run'}
    </Anchor>
  );
}
