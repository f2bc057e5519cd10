import type { ApolloClient } from '@apollo/client';
import { useApolloClient, useSubscription } from '@apollo/client/react';
import { useCallback, useState } from 'react';
import { problemOf, type StartIssue } from '@/api/errors';
import { useProjectId } from '@/shared/project/use-project';
import {
  EditorGraphRunStartDocument,
  type EditorGraphRunStartMutationVariables,
  EditorRunChangedDocument,
  EditorRunStartDocument,
  type EditorRunStartMutationVariables,
} from '../editor.generated';
import type { Graph } from '../model/graph';
import { applyChange, createRunView, type RunView } from '../model/run-state';

/** Why a start was refused. The issues, if there are any, say more than the message. */
export interface StartProblem {
  message: string;
  issues: readonly StartIssue[];
}

export interface RunControl {
  run: RunView | null;
  isStarting: boolean;
  /** Why the last start was refused. */
  problem: StartProblem | null;
  /** Runs the revision with this number, or a graph without saving it. Null: the revision that new runs use. */
  start: (input: Record<string, unknown>, source: number | Graph | null, environment?: string) => Promise<void>;
  /** Leaves the run; it continues in the service. */
  clear: () => void;
}

/** Starts a run and follows it until its end. */
export function useRun(workflowId: number): RunControl {
  const client = useApolloClient();
  const projectId = useProjectId();
  const [run, setRun] = useState<RunView | null>(null);
  const [isStarting, setIsStarting] = useState(false);
  const [problem, setProblem] = useState<StartProblem | null>(null);
  useSubscription(EditorRunChangedDocument, {
    variables: { id: run?.id ?? '' },
    // Until the stream ends, not until the run does: a short run ends before its changes arrive.
    skip: run === null || run.isComplete,
    onComplete: () => setRun(current => current && { ...current, isComplete: true }),
    ignoreResults: true,
    onData: ({ data: { data } }) => {
      if (data)
        setRun(current =>
          current?.id === data.workflowRunChanged.run.id ? applyChange(current, data.workflowRunChanged) : current,
        );
    },
  });
  const start = useCallback(
    async (input: Record<string, unknown>, source: number | Graph | null, environment?: string) => {
      setIsStarting(true);
      setProblem(null);
      try {
        const payload =
          source === null || typeof source === 'number'
            ? await startWorkflow(client, { workflowId, revisionNumber: source, input, environment })
            : await startGraph(client, { projectId, data: source, input, environment });
        const refusals = payload?.errors ?? [];
        if (refusals.length > 0)
          setProblem({
            message: refusals.map(({ message }) => message).join(' '),
            issues: refusals.flatMap(refusal => ('issues' in refusal ? refusal.issues : [])),
          });
        else if (payload?.run) setRun(createRunView(payload.run.id, payload.run.state));
      } catch (error) {
        const { message, requestId } = problemOf(error);
        setProblem({ message: requestId === null ? message : `${message} (request ${requestId})`, issues: [] });
      } finally {
        setIsStarting(false);
      }
    },
    [client, workflowId, projectId],
  );
  const clear = useCallback(() => {
    setRun(null);
    setProblem(null);
  }, []);
  return { run, isStarting, problem, start, clear };
}

async function startWorkflow(client: ApolloClient, variables: EditorRunStartMutationVariables) {
  const { data } = await client.mutate({ mutation: EditorRunStartDocument, variables });
  return data?.workflowRunStart;
}

async function startGraph(client: ApolloClient, variables: Omit<EditorGraphRunStartMutationVariables, 'id'>) {
  const id = crypto.randomUUID();
  const { data } = await client.mutate({ mutation: EditorGraphRunStartDocument, variables: { ...variables, id } });
  return data?.workflowRunStartGraph;
}
