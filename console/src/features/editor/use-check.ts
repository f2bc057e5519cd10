import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { EditorCheckDocument } from './editor.generated';
import type { Issue } from './editor-context';
import type { Graph } from './model/graph';

const PAUSE_MS = 350;
const NONE: readonly Issue[] = [];

/** The issues of a graph, from the check of the service after each pause. Null: not checked yet. */
export function useCheck(graph: Graph): { issues: readonly Issue[]; isChecked: boolean } {
  const client = useApolloClient();
  const [result, setResult] = useState<{ graph: Graph; issues: readonly Issue[] } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      try {
        const variables = { data: graph };
        const { data } = await client.query({ query: EditorCheckDocument, variables, fetchPolicy: 'no-cache' });
        if (isCurrent && data) setResult({ graph, issues: data.workflowCheck.issues });
      } catch {
        // The banner reports a lost connection; the next change is checked again.
      }
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, graph]);
  return { issues: result?.issues ?? NONE, isChecked: result?.graph === graph };
}
