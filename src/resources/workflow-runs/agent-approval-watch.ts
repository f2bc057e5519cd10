import { Repeater } from '@repeaterjs/repeater';
import { Bell } from '../../base/bell.js';
import type { Bus } from '../../base/bus.js';
import type { Viewer } from '../accounts/viewer.js';
import type { AgentApprovalService } from './agent-approval.service.js';
import type { AgentApproval } from './agent-approval.type.js';
import { approvalsTopic } from './run-approvals.js';

/** Looked at this often even when nothing rang. */
const BACKSTOP_MS = 5_000;
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
    return new Repeater<AgentApproval>(async (push, stop) => {
      const bell = new Bell();
      let stopped = false;
      const unsubscribe = this.bus.subscribe(approvalsTopic(projectId), () => bell.ring());
      void stop.then(() => {
        stopped = true;
        bell.ring();
      });
      try {
        let seen = new Set<string>();
        while (!stopped) {
          bell.listen();
          const pending = await this.#all(viewer, projectId);
          for (const request of pending) {
            if (stopped) return;
            if (!seen.has(request.requestId)) await push(request);
          }
          // Only what is still pending can turn up again.
          seen = new Set(pending.map(request => request.requestId));
          await bell.rest(BACKSTOP_MS);
        }
      } catch (error) {
        stop(error);
      } finally {
        unsubscribe();
      }
    });
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
