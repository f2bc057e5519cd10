import { useApolloClient } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { useProjectId } from '@/shared/project/use-project';
import { MAX_FILES, uploadDocuments } from './upload';

/** One request with up to MAX_FILES files. */
export interface Upload {
  id: number;
  /** The names of the files. */
  label: string;
  /** Bytes of all files together. */
  size: number;
  /** The sent part of the bytes, from 0 to 1. */
  progress: number;
  state: 'sending' | 'stored' | 'failed';
  problem: string | null;
}

let lastId = 0;

function batchesOf(files: readonly File[]): File[][] {
  const batches: File[][] = [];
  for (let at = 0; at < files.length; at += MAX_FILES) batches.push(files.slice(at, at + MAX_FILES));
  return batches;
}

/**
 * The uploads of this screen. Files are sent in batches of MAX_FILES, one request after the other. `dismiss` cancels an
 * upload, or removes a failed one from the list.
 */
export function useUploads() {
  const projectId = useProjectId();
  const client = useApolloClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const aborts = useRef(new Map<number, AbortController>());
  const change = (id: number, changes: Partial<Upload>) =>
    setUploads(all => all.map(one => (one.id === id ? { ...one, ...changes } : one)));
  const dismiss = (id: number) => {
    aborts.current.get(id)?.abort();
    setUploads(all => all.filter(one => one.id !== id));
  };
  const sendBatch = async (id: number, files: File[], abort: AbortController) => {
    try {
      await uploadDocuments({
        projectId,
        files,
        signal: abort.signal,
        onProgress: progress => change(id, { progress }),
      });
      change(id, { progress: 1, state: 'stored' });
      // The files are stored, also if the list cannot be loaded now.
      await client.refetchQueries({ include: ['Documents'] }).catch(() => undefined);
      setUploads(all => all.filter(one => one.id !== id));
    } catch (error) {
      if (!abort.signal.aborted) change(id, { state: 'failed', problem: (error as Error).message });
    } finally {
      aborts.current.delete(id);
    }
  };
  const add = async (files: readonly File[]) => {
    const batches = batchesOf(files).map(batch => {
      lastId += 1;
      const abort = new AbortController();
      aborts.current.set(lastId, abort);
      return { id: lastId, batch, abort };
    });
    setUploads(all => [
      ...all,
      ...batches.map(({ id, batch }) => ({
        id,
        label: batch.map(({ name }) => name).join(', '),
        size: batch.reduce((sum, { size }) => sum + size, 0),
        progress: 0,
        state: 'sending' as const,
        problem: null,
      })),
    ]);
    for (const { id, batch, abort } of batches) {
      // A batch can be cancelled while it waits for the one before it.
      if (abort.signal.aborted) aborts.current.delete(id);
      else await sendBatch(id, batch, abort);
    }
  };
  return { uploads, add, dismiss };
}
