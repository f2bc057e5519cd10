import { useApolloClient } from '@apollo/client/react';
import { useCallback, useState } from 'react';
import { assertAccepted } from '@/api/errors';
import { notifyProblem } from '@/shared/notify';
import { EditorSaveDocument } from './editor.generated';
import type { Graph } from './model/graph';

/** The saved state of a workflow that the editor has. */
export interface SavedWorkflow {
  updatedAt: string;
  currentRevision: { number: number };
}

export interface SaveControl {
  isSaving: boolean;
  savedAt: string;
  /** The number of the saved revision that the editor has. */
  revisionNumber: number;
  /** The service has a newer revision than the editor. */
  isConflict: boolean;
  /** Returns the number of the saved revision, or null if the graph was not saved. `isForced` replaces a newer revision. */
  save: (graph: Graph, isForced?: boolean) => Promise<number | null>;
  rename: (title: string) => Promise<boolean>;
  /** Ends the conflict after the newer revision was loaded. */
  resolve: (saved: SavedWorkflow) => void;
  /** Ends the conflict without loading or replacing the newer revision. */
  dismiss: () => void;
}

/** Stores the graph. A revision that was saved elsewhere meanwhile is replaced only after the user confirms it. */
export function useSave(id: number, loaded: SavedWorkflow, onSaved: (graph: Graph) => void): SaveControl {
  const client = useApolloClient();
  const [isSaving, setIsSaving] = useState(false);
  const [saved, setSaved] = useState(loaded);
  const [isConflict, setIsConflict] = useState(false);
  const save = useCallback(
    async (graph: Graph, isForced = false) => {
      setIsSaving(true);
      try {
        const base = isForced ? {} : { expectedRevisionNumber: saved.currentRevision.number };
        const variables = { id, input: { data: graph, ...base } };
        const { data } = await client.mutate({ mutation: EditorSaveDocument, variables });
        if (data?.workflowUpdate?.errors.some(({ code }) => code === 'CONFLICT')) {
          setIsConflict(true);
          return null;
        }
        assertAccepted(data);
        const stored = data?.workflowUpdate?.workflow ?? saved;
        setSaved(stored);
        onSaved(graph);
        setIsConflict(false);
        return stored.currentRevision.number;
      } catch (error) {
        notifyProblem('Not saved', error);
        return null;
      } finally {
        setIsSaving(false);
      }
    },
    [client, id, saved, onSaved],
  );
  const rename = useCallback(
    async (title: string) => {
      try {
        const { data } = await client.mutate({ mutation: EditorSaveDocument, variables: { id, input: { title } } });
        assertAccepted(data);
        return true;
      } catch (error) {
        notifyProblem('Not renamed', error);
        return false;
      }
    },
    [client, id],
  );
  const resolve = useCallback((newer: SavedWorkflow) => {
    setSaved(newer);
    setIsConflict(false);
  }, []);
  const dismiss = () => setIsConflict(false);
  const { updatedAt: savedAt, currentRevision } = saved;
  return { isSaving, savedAt, revisionNumber: currentRevision.number, isConflict, save, rename, resolve, dismiss };
}
