import { randomBytes } from 'node:crypto';
import { isObject, type JsonObject } from '../../../engine/json-value.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Viewer } from '../../accounts/viewer.js';
import { RPC_CODES, RpcError, type RpcId } from './json-rpc.js';

/** The newest protocol version first. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** A session: the data that a client sent with `initialize`. The id of the session contains them, so that every process can read them. */
export interface McpSession {
  nonce: string;
  userId: number;
  projectId: number;
  protocolVersion: string;
  /** Whether the client answers questions to its user. */
  elicits: boolean;
}

const SEAL_CONTEXT = 'mcp session';
/** A client whose session has expired initializes a new one. */
const MAX_AGE_MS = 30 * 86_400_000;
const MAX_ID_CHARACTERS = 1_000;

/** Creates and reads ids of sessions. They are sealed; nothing is stored. */
export class McpSessions {
  constructor(private readonly vault: Vault) {}

  /** Starts a session with the params of `initialize`. Returns its id, which is valid for 30 days. */
  create(viewer: Viewer, projectId: number, params: JsonObject): { id: string; session: McpSession } {
    const requested = params.protocolVersion;
    const capabilities = isObject(params.capabilities) ? params.capabilities : {};
    const session: McpSession = {
      nonce: randomBytes(16).toString('base64url'),
      userId: viewer.userId,
      projectId,
      protocolVersion: PROTOCOL_VERSIONS.find(version => version === requested) ?? PROTOCOL_VERSIONS[0],
      elicits: isObject(capabilities.elicitation),
    };
    const sealed = this.vault.sealBytes(JSON.stringify({ ...session, at: Date.now() }), SEAL_CONTEXT);
    return { id: sealed.toString('base64url'), session };
  }

  /**
   * Reads a session. `projectId` is null for a request to `/mcp`, whose address names no project.
   * @throws RpcError when the id is invalid, has expired or belongs to another user or project
   */
  open(viewer: Viewer, projectId: number | null, id: string): McpSession {
    const session = this.#read(id);
    if (session && session.userId === viewer.userId && (projectId ?? session.projectId) === session.projectId)
      return session;
    throw new RpcError(RPC_CODES.sessionNotFound, 'The session does not exist: initialize a new one.');
  }

  #read(id: string): McpSession | undefined {
    if (id.length > MAX_ID_CHARACTERS) return undefined;
    try {
      const text = this.vault.openBytes(Buffer.from(id, 'base64url'), SEAL_CONTEXT);
      const { at, ...session } = JSON.parse(text) as McpSession & { at: number };
      return Date.now() - at <= MAX_AGE_MS ? session : undefined;
    } catch {
      return undefined;
    }
  }
}

/**
 * The id of the call with this request id, which its run gets. Every process computes the same id, so that a repeated request
 * starts no second run and a cancellation finds the run.
 */
export function callIdOf({ nonce }: McpSession, requestId: RpcId): string {
  return derivedUuid(`mcp ${nonce} ${JSON.stringify(requestId)}`);
}
