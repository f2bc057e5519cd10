import type { Bus } from '../../../platform/messaging/bus.js';
import { streamChanges } from '../../../platform/messaging/changes.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { AgentApprovalService } from './agent-approval.service.js';
import type { AgentApproval } from './agent-approval.type.js';
import { approvalsTopic } from './run-approvals.js';

/** Streams the approval requests of a project: first all pending requests, then each new request once. */
export class AgentApprovalStreams {
  constructor(
    private readonly approvals: AgentApprovalService,
    private readonly access: ProjectAccess,
    private readonly bus: Bus,
  ) {}

  /**
   * Streams the requests of a project. Throws NotFoundError before the first request when the project is not
   * visible to the viewer.
   */
  async open(viewer: Viewer, projectId: number): Promise<AsyncIterable<AgentApproval>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    return streamChanges<AgentApproval>(
      this.bus.topicSource(approvalsTopic(projectId)),
      async ({ send, nextChange }) => {
        let seen = new Set<string>();
        do {
          const pending = await this.approvals.pending(viewer, projectId);
          for (const request of pending) if (!seen.has(request.requestId) && !(await send(request))) return;
          // Decided requests never return, so only pending ids need to be remembered.
          seen = new Set(pending.map(request => request.requestId));
        } while (await nextChange());
      },
    );
  }
}
