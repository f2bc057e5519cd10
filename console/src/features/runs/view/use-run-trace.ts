import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { problemOf } from '@/api/errors';
import { RunStateDocument, WatchRunDocument } from './run.generated';
import { EMPTY_SNAPSHOT, type RunSnapshot, RunTrace } from './run-trace';

/** Changes within this time are drawn together. */
const DRAW_MS = 60;
/** The first and the longest delay of a new stream after a failure. */
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** States without further changes. A draft run changes only after its release. */
const FINAL_STATES = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'DRAFT'];
/** Errors that a new stream would get again. The query of the screen shows them. */
const LASTING_ERRORS = ['NOT_FOUND', 'FORBIDDEN', 'UNAUTHENTICATED', 'BAD_USER_INPUT'];

/**
 * Follows a run from its first event to its end. A lost connection continues after the last received change. `onState`
 * is called when the state or the cost of the run may have changed, with `isEnd` once after the last event.
 */
export function useRunTrace(runId: string, onState: (isEnd: boolean) => void): RunSnapshot {
  const client = useApolloClient();
  const [snapshot, setSnapshot] = useState<RunSnapshot>(EMPTY_SNAPSHOT);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback must not open a new stream.
  useEffect(() => {
    const trace = new RunTrace();
    let isStopped = false;
    let retries = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let drawing: ReturnType<typeof setTimeout> | undefined;
    let stream: { unsubscribe: () => void } | undefined;
    setSnapshot(EMPTY_SNAPSHOT);

    const draw = () => {
      drawing = undefined;
      setSnapshot(trace.snapshot());
      onState(false);
    };
    const end = () => {
      clearTimeout(drawing);
      setSnapshot(trace.snapshot());
      onState(true);
    };
    const openLater = () => {
      if (!isStopped) timer = setTimeout(open, Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** retries++));
    };
    /** A stream also completes when the service stops, so the state of the run decides whether it has ended. */
    const onComplete = async () => {
      if (trace.finalState !== null) return end();
      const answer = await client
        .query({ query: RunStateDocument, variables: { id: runId }, fetchPolicy: 'network-only' })
        .catch(() => null);
      if (isStopped) return;
      const state = answer?.data?.workflowRun?.state;
      if (state !== undefined && FINAL_STATES.includes(state)) end();
      else openLater();
    };
    const open = () => {
      stream = client
        .subscribe({
          query: WatchRunDocument,
          variables: { id: runId, afterSequence: trace.sequence },
          fetchPolicy: 'no-cache',
          context: { resume: () => ({ afterSequence: trace.sequence }) },
        })
        .subscribe({
          next: ({ data, error }) => {
            if (error) return onError(error);
            if (!data || !trace.apply(data.workflowRunChanged)) return;
            retries = 0;
            drawing ??= setTimeout(draw, DRAW_MS);
          },
          error: onError,
          complete: () => void onComplete(),
        });
    };
    const onError = (error: unknown) => {
      stream?.unsubscribe();
      if (!LASTING_ERRORS.includes(problemOf(error).code ?? '')) openLater();
    };
    open();
    return () => {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(drawing);
      stream?.unsubscribe();
    };
  }, [client, runId]);
  return snapshot;
}
