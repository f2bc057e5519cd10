import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { notifyChange } from '@/shared/notify';
import { useProjectIdOrNull } from '@/shared/project/use-project';
import { type ApprovalDetailsFragment, RunApprovalsDocument } from './approval.generated';

const CHANGES: Partial<Record<ApprovalDetailsFragment['status'], string>> = {
  APPROVED: 'was approved meanwhile',
  REJECTED: 'was rejected meanwhile',
  EXPIRED: 'expired meanwhile',
};

/**
 * Shows a message when a dialog disappears because its request was decided elsewhere. The returned function says that the
 * user closes the dialog.
 */
export function useDecidedMeanwhile({ runId, requestId }: ApprovalDetailsFragment, action: string): () => void {
  const client = useApolloClient();
  const projectId = useProjectIdOrNull();
  const isClosedByUser = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the dialog matters.
  useEffect(
    () => () => {
      if (isClosedByUser.current || projectId === null) return;
      const variables = { projectId, runId };
      void client
        .query({ query: RunApprovalsDocument, variables, fetchPolicy: 'network-only' })
        .then(({ data }) => {
          const status = data?.agentApprovals.items.find(one => one.requestId === requestId)?.status;
          const change = status && CHANGES[status];
          if (change) notifyChange(`“${action}” ${change}.`);
        })
        .catch(() => undefined);
    },
    [],
  );
  return () => {
    isClosedByUser.current = true;
  };
}
