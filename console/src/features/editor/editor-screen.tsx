import './editor.css';
import { useQuery } from '@apollo/client/react';
import { Skeleton } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { ReactFlowProvider } from '@xyflow/react';
import { useMemo } from 'react';
import { QueryView } from '@/shared/layout/query-view';
import { Editor } from './editor';
import { EditorKindsDocument, EditorWorkflowDocument } from './editor.generated';

/** Loads a workflow and the kinds of nodes, then opens the editor. */
export function EditorScreen() {
  const { workflowId } = useParams({ strict: false }) as { workflowId: string };
  const id = Number(workflowId);
  const kinds = useQuery(EditorKindsDocument, { fetchPolicy: 'cache-first' });
  const workflow = useQuery(EditorWorkflowDocument, {
    variables: { id },
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  });
  useDocumentTitle(`${workflow.data?.workflow?.title ?? 'Workflow'} · Scenarium`);
  const byType = useMemo(() => new Map(kinds.data?.nodeKinds.map(kind => [kind.type, kind])), [kinds.data]);
  const query = {
    data: kinds.data && workflow.data ? workflow.data : undefined,
    error: kinds.error ?? workflow.error,
    refetch: () => Promise.all([kinds.refetch(), workflow.refetch()]),
  };
  return (
    <div className="editor-screen">
      <QueryView query={query} skeleton={<EditorSkeleton />}>
        {data =>
          data.workflow && (
            <ReactFlowProvider key={data.workflow.id}>
              <Editor workflow={data.workflow} kinds={byType} />
            </ReactFlowProvider>
          )
        }
      </QueryView>
    </div>
  );
}

function EditorSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Loading" style={{ padding: 16 }}>
      <Skeleton height={34} mb="md" />
      <Skeleton height="70vh" />
    </div>
  );
}
