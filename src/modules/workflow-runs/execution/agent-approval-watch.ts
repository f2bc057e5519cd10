import type { Bus } from '../../../platform/messaging/bus.js';
import { streamChanges } from '../../../platform/messaging/changes.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { AgentApprovalService } from '../api/agent-approval.service.js';
import type { AgentApproval } from '../api/agent-approval.type.js';
import { approvalsTopic } from './run-approvals.js';

const PAGE = 100;

/** What agents ask for in a project, live: what is pending at first, then each new request once. */
export class AgentApprovalWatch {
  constructor(
    private readonly approvals: AgentApprovalService,
    private readonly bus: Bus,
  ) {}

  /** Throws NOT_FOUND before the first request when the project is not the viewer's. */
  async requests(viewer: Viewer, projectId: number): Promise<AsyncIterable<AgentApproval>> {
    await this.approvals.pending(viewer, projectId, null, { page: 1, size: 0 });
    return streamChanges<AgentApproval>(
      this.bus.topicSource(approvalsTopic(projectId)),
      async ({ send, nextChange }) => {
        let seen = new Set<string>();
        do {
          const pending = await this.#all(viewer, projectId);
          for (const request of pending) if (!seen.has(request.requestId) && !(await send(request))) return;
          // Only what is still pending can turn up again.
          seen = new Set(pending.map(request => request.requestId));
        } while (await nextChange());
      },
    );
  }

  async #all(viewer: Viewer, projectId: number): Promise<AgentApproval[]> {
    const all: AgentApproval[] = [];
    for (let page = 1; ; page++) {
      const { items, total } = await this.approvals.pending(viewer, projectId, null, { page, size: PAGE });
      all.push(...items);
      if (items.length < PAGE || all.length >= total) return all;
    }
  }
}
