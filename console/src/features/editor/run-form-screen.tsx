import './editor.css';
import { useQuery } from '@apollo/client/react';
import { Button, Paper } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { IconPencil } from '@/icons';
import { isObject } from '@/shared/json/json-value';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { useProjectId } from '@/shared/project/use-project';
import { EditorKindsDocument, RunFormWorkflowDocument } from './editor.generated';
import { findNode, labelOf } from './model/graph';
import { inputFieldsOf } from './model/input-fields';
import type { Kinds } from './model/kinds';
import { RunForm } from './run/run-form';
import { RunResult } from './run/run-result';
import { StartProblemText } from './run/start-problem';
import { useRun } from './run/use-run';

/** Asks for the input of a workflow, starts a run and shows its result. */
export function RunFormScreen() {
  const { workflowId } = useParams({ strict: false }) as { workflowId: string };
  const id = Number(workflowId);
  const query = useQuery(RunFormWorkflowDocument, { variables: { id } });
  return (
    <QueryView query={query}>
      {({ workflow }) => (workflow ? <RunScreen key={workflow.id} {...workflow} /> : <PageHeader title="Workflow" />)}
    </QueryView>
  );
}

interface RunScreenProps {
  id: number;
  title: string;
  shortDescription: string;
  data: unknown;
  /** Null: the project uses no drafts, or no revision is published. */
  publishedRevision: { number: number; data: unknown } | null;
}

/** Starts runs of the published revision in a project with drafts, else of the current one. */
function RunScreen({ id, title, shortDescription, data, publishedRevision }: RunScreenProps) {
  const projectId = String(useProjectId());
  const stored = publishedRevision ? publishedRevision.data : data;
  const graph = isObject(stored) ? stored : {};
  const kinds = useQuery(EditorKindsDocument, { fetchPolicy: 'cache-first' }).data?.nodeKinds ?? [];
  const { run, isStarting, problem, start, clear } = useRun(id);
  const labelOfNode = useCallback(
    (nodeId: string) => {
      const node = findNode(graph, nodeId);
      const byType: Kinds = new Map(kinds.map(kind => [kind.type, kind]));
      return node ? labelOf(node, byType) : nodeId;
    },
    [graph, kinds],
  );
  const params = { projectId, workflowId: String(id) };
  return (
    <>
      <PageHeader
        title={`Run “${title}”`}
        description={shortDescription || undefined}
        trail={[
          {
            label: 'Workflows',
            link: (
              <Link to="/projects/$projectId/workflows" params={{ projectId }}>
                Workflows
              </Link>
            ),
          },
          {
            label: title,
            link: (
              <Link to="/projects/$projectId/workflows/$workflowId" params={params}>
                {title}
              </Link>
            ),
          },
        ]}
        actions={
          <Button
            variant="default"
            leftSection={<IconPencil size={16} />}
            renderRoot={props => <Link {...props} to="/projects/$projectId/workflows/$workflowId" params={params} />}
          >
            Edit workflow
          </Button>
        }
      />
      <Paper p="lg" maw={640}>
        {run === null ? (
          <RunForm
            workflowId={id}
            fields={inputFieldsOf(graph)}
            isBusy={isStarting}
            problem={problem && <StartProblemText problem={problem} labelOf={labelOfNode} />}
            onRun={(input, environment) => void start(input, publishedRevision?.number ?? null, environment)}
          />
        ) : (
          <RunResult run={run} labelOf={labelOfNode} onAgain={clear} />
        )}
      </Paper>
    </>
  );
}
