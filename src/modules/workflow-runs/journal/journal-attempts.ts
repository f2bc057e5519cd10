import DataLoader from 'dataloader';
import { attemptHistory, type NodeAttempt } from '../../../engine/workflow/run/attempt-history.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { WorkflowRunAttempt } from '../history/workflow-run-attempt.type.js';
import type { WorkflowRunNode } from '../history/workflow-run-node.type.js';
import { engineEvents, type RunJournal } from './run-journal.js';

/** Reads the attempts of nodes from the journal, which keeps them as long as the result of the run. */
export class JournalAttempts {
  constructor(private readonly journal: RunJournal) {}

  /** Returns the attempts of a node, oldest first. Reads the journals of all runs of a list with one query. */
  async of(context: RequestContext, node: WorkflowRunNode): Promise<readonly WorkflowRunAttempt[]> {
    if (node.recordedAttempts) return node.recordedAttempts;
    const loader = context.loader(
      'workflow-run.attempts',
      () =>
        new DataLoader<string, Map<string, readonly NodeAttempt[]>>(async ids => {
          const events = await this.journal.eventsOf(ids);
          return ids.map(id => attemptHistory(engineEvents(events.get(id) ?? [])));
        }),
    );
    return toAttempts((await loader.load(node.runId)).get(node.nodeId) ?? []);
  }
}

/** Converts attempts to their public form. */
export function toAttempts(attempts: readonly NodeAttempt[]): readonly WorkflowRunAttempt[] {
  return attempts.map(({ number, startedAt, endedAt, error }) => ({
    number,
    startedAt: new Date(startedAt),
    endedAt: endedAt === null ? null : new Date(endedAt),
    error,
  }));
}
