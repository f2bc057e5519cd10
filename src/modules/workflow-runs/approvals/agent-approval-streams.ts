import type { Bus } from '../../../platform/messaging/bus.js';
import { streamChanges } from '../../../platform/messaging/changes.js';
import type { Viewer } from '../../accounts/viewer.js';
import { type AgentApprovalService, PENDING_ONLY } from './agent-approval.service.js';
import type { AgentApproval } from './agent-approval.type.js';
import { approvalsTopic } from './run-approvals.js';

const PAGE_SIZE = 100;

/** Streams the approval requests of a project: first all pending requests, then each new request once. */
export class AgentApprovalStreams {
  constructor(
    private readonly approvals: AgentApprovalService,
    private readonly bus: Bus,
  ) {}

  /**
   * Streams the requests of a project. Throws NotFoundError before the first request when the project is not
   * visible to the viewer.
   */
  async open(viewer: Viewer, projectId: number): Promise<AsyncIterable<AgentApproval>> {
    // An empty page only checks the rights of the viewer.
    await this.approvals.list(viewer, projectId, PENDING_ONLY, { page: 1, size: 0 });
    return streamChanges<AgentApproval>(
      this.bus.topicSource(approvalsTopic(projectId)),
      async ({ send, nextChange }) => {
        let seen = new Set<string>();
        do {
          const pending = await this.#all(viewer, projectId);
          for (const request of pending) if (!seen.has(request.requestId) && !(await send(request))) return;
          // Decided requests never return, so only pending ids need to be remembered.
          seen = new Set(pending.map(request => request.requestId));
        } while (await nextChange());
      },
    );
  }

  async #all(viewer: Viewer, projectId: number): Promise<AgentApproval[]> {
    const all: AgentApproval[] = [];
    for (let page = 1; ; page++) {
      const { items, total } = await this.approvals.list(viewer, projectId, PENDING_ONLY, { page, size: PAGE_SIZE });
      all.push(...items);
      if (items.length < PAGE_SIZE || all.length >= total) return all;
    }
  }
}
