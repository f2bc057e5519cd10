import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { EditorCheckDocument } from './editor.generated';
import type { Issue } from './editor-context';
import type { Graph } from './model/graph';

const PAUSE_MS = 350;
const NONE: readonly Issue[] = [];

/** The issues of a graph. The service checks it when changes pause; until then the issues are those of the last check. */
export function useCheck(graph: Graph): readonly Issue[] {
  const client = useApolloClient();
  const [issues, setIssues] = useState(NONE);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      try {
        const variables = { data: graph };
        const { data } = await client.query({ query: EditorCheckDocument, variables, fetchPolicy: 'no-cache' });
        if (isCurrent && data) setIssues(data.workflowCheck.issues);
      } catch {
        // The banner reports a lost connection; the next change is checked again.
      }
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, graph]);
  return issues;
}
