import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { QueryView } from '@/shared/layout/query-view';
import { RunApprovalsDocument } from './approval.generated';
import { ApprovalCard } from './approval-card';

export interface NodeApprovalsProps {
  projectId: number;
  runId: string;
  nodeId: string;
  iteration: string | null;
  /** The request that the node waits for. */
  waitsFor: string | null;
  canDecide: boolean;
}

/** The requests of one execution of a node: the one that it waits for, and who decided the earlier ones. */
export function NodeApprovals({ projectId, runId, nodeId, iteration, waitsFor, canDecide }: NodeApprovalsProps) {
  const query = useQuery(RunApprovalsDocument, { variables: { projectId, runId }, fetchPolicy: 'network-only' });
  return (
    <QueryView query={query}>
      {({ agentApprovals: { items } }) => {
        const own = items.filter(one => one.nodeId === nodeId && one.iteration === iteration);
        const isDecided = waitsFor !== null && !own.some(one => one.requestId === waitsFor && one.status === 'PENDING');
        if (own.length === 0) return null;
        return (
          <section aria-label="Approvals">
            <Title order={3} mb={4}>
              Approvals
            </Title>
            <Stack gap="xs">
              {isDecided && (
                <Alert color="yellow" variant="light">
                  The request is decided. The run continues in a moment.
                </Alert>
              )}
              {own.map(approval => (
                <ApprovalCard
                  key={approval.requestId}
                  approval={approval}
                  canDecide={canDecide}
                  onDecided={() => void query.refetch()}
                />
              ))}
            </Stack>
          </section>
        );
      }}
    </QueryView>
  );
}

/** More requests of one run, for example of a loop, are in the inbox. */
const MAX_OPEN = 3;

export type OpenApprovalsProps = Pick<NodeApprovalsProps, 'projectId' | 'runId' | 'canDecide'>;

/** The open requests of a run with their decisions. */
export function OpenApprovals({ projectId, runId, canDecide }: OpenApprovalsProps) {
  const query = useQuery(RunApprovalsDocument, { variables: { projectId, runId }, fetchPolicy: 'network-only' });
  const open = query.data?.agentApprovals.items.filter(({ status }) => status === 'PENDING') ?? [];
  if (open.length === 0) return null;
  const params = { projectId: String(projectId) };
  return (
    <section aria-label="Open approvals">
      <Stack gap="xs" mb="md">
        {open.slice(0, MAX_OPEN).map(approval => (
          <ApprovalCard
            key={approval.requestId}
            approval={approval}
            canDecide={canDecide}
            onDecided={() => void query.refetch()}
            onExpired={() => void query.refetch()}
          />
        ))}
        {open.length > MAX_OPEN && (
          <Anchor fz="sm" renderRoot={link => <Link {...link} to="/projects/$projectId/approvals" params={params} />}>
            All {open.length} open approvals
          </Anchor>
        )}
      </Stack>
    </section>
  );
}
