import DataLoader from 'dataloader';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { ResolvedInputs } from '../../../engine/workflow/history/resolved-inputs.js';
import type { PageBytes } from '../../../platform/lists/page-bytes.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import type { WorkflowRunNode } from '../history/workflow-run-node.type.js';
import { engineEvents, type JournalEvent, type RunJournal } from './run-journal.js';

/** Computes the resolved inputs of nodes from the journal. They are available as long as the result of the run. */
export class NodeInputs {
  constructor(
    private readonly runs: WorkflowRunService,
    private readonly revisions: RevisionStore,
    private readonly journal: RunJournal,
    private readonly pageBytes: PageBytes,
  ) {}

  /** Returns the resolved input of a node; null if the node has none or the response has reached its size limit. */
  async of(context: RequestContext, node: WorkflowRunNode): Promise<unknown> {
    const { runId, nodeId, iteration } = node;
    const inputs = await this.#loader(context).load(runId);
    const input = inputs?.inputOf(nodeId, iteration ?? '');
    if (input === undefined) return null;
    const item = { id: `${runId} ${nodeId} ${iteration ?? ''}`, bytes: Buffer.byteLength(JSON.stringify(input)) };
    return (await this.pageBytes.fits(context, 'workflow-run.inputs', node, item)) ? input : null;
  }

  /** Reads the journals of all runs of a list with one query. */
  #loader(context: RequestContext): DataLoader<string, ResolvedInputs | null> {
    return context.loader(
      'workflow-run.inputs',
      () =>
        new DataLoader<string, ResolvedInputs | null>(async ids => {
          const events = await this.journal.eventsOf(ids);
          // An error of one run, which may be deleted meanwhile, must not fail the others.
          return Promise.all(
            ids.map(id => this.#inputsOf(context, id, events.get(id) ?? []).catch((error: Error) => error)),
          );
        }),
    );
  }

  async #inputsOf(
    context: RequestContext,
    id: string,
    events: readonly JournalEvent[],
  ): Promise<ResolvedInputs | null> {
    const recorded = engineEvents(events);
    if (recorded.length === 0) return null;
    const { revisionId } = await this.runs.load(context, id);
    const { graph } = await this.revisions.get(revisionId);
    return graph instanceof GraphError ? null : new ResolvedInputs({ runId: id, graph }, recorded);
  }
}
