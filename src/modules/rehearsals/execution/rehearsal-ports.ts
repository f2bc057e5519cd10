import { withModelFiles } from '../../../engine/files/model-files.js';
import type { FileStore } from '../../../engine/files/port.js';
import { type LanguageModel, PortError, type Ports } from '../../../engine/ports.js';
import { isSafeMethod, type RehearsalEffect } from '../../../engine/workflow/history/rehearsal-calls.js';

/** Code of the error of a call that a rehearsal does not make. */
export const HELD_BACK = 'held_back';

interface PortParts {
  shared: Pick<Ports, 'clock' | 'http' | 'mcp' | 'databases' | 'html' | 'sandbox' | 'search' | 'conversations'>;
  llm: LanguageModel;
  files: Pick<FileStore, 'read'>;
  allowed: ReadonlySet<RehearsalEffect>;
}

/**
 * Returns the ports of a rehearsal. Nodes with other effects are not executed at all; a port that is used nevertheless,
 * for example by a script that saves a file, fails the node.
 */
export function rehearsalPorts({ shared, llm, files, allowed }: PortParts): Ports {
  const store: FileStore = {
    read: (id, max) => files.read(id, max),
    write: refuse,
    findPaid: refuse,
    writePaid: refuse,
  };
  return {
    ...shared,
    llm: withModelFiles(llm, store),
    http: {
      request: (request, call) =>
        isSafeMethod(request.method) || allowed.has('http') ? shared.http.request(request, call) : refuse(),
    },
    mcp: allowed.has('mcp') ? shared.mcp : { ...shared.mcp, callTool: refuse },
    databases: allowed.has('database') ? shared.databases : { query: refuse },
    files: store,
    email: { send: refuse },
    approvals: { newId: refuseNow, findDecision: refuse },
    events: { newId: refuseNow, findEvent: refuse, send: refuse },
    runs: { start: refuse, findEnd: refuse, cancel: refuse },
    scenarios: { start: refuse, findEnd: refuse, cancel: refuse },
    keyValues: { find: refuse, list: refuse, change: refuse },
  };
}

/** Fails synchronous members of ports such as `newId`. */
function refuseNow(): never {
  throw new PortError(HELD_BACK, 'a rehearsal does not make this call', { isFinal: true });
}

async function refuse(): Promise<never> {
  return refuseNow();
}
