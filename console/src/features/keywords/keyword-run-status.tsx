import { useSubscription } from '@apollo/client/react';
import { StatusBadge } from '@/shared/status-badge';
import { useEnd } from '@/shared/use-end';
import { type KeywordRunStateFragment, WatchKeywordRunDocument } from './keywords.generated';

export function isRunning(status: KeywordRunStateFragment['status']): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

/** The title of a keyword run: its topic, its address or both. */
export function titleOf({ topic, url }: { topic: string; url: string }): string {
  if (topic !== '' && url !== '') return `${topic} · ${url}`;
  return topic || url;
}

/** The state of a run, as it changes. The cache merges the changes into the run. */
export function KeywordRunStatus({ run, onEnd }: { run: KeywordRunStateFragment; onEnd?: () => void }) {
  useSubscription(WatchKeywordRunDocument, {
    variables: { id: run.id },
    skip: !isRunning(run.status),
    ignoreResults: true,
  });
  useEnd(isRunning(run.status), onEnd);
  return <StatusBadge state={run.status} label={LABELS[run.status]} />;
}

const LABELS = { QUEUED: 'Queued', RUNNING: 'Running', SUCCEEDED: 'Finished', FAILED: 'Failed' };
