/** The caller of a request with its rights. It is the first argument of every service method. */
export interface Viewer {
  /** 0 for callers without a user: the execution service and the operator's commands. */
  userId: number;
  /** Administrators of the service have the rights of an owner in every project. */
  isAdmin: boolean;
  /** The id of the API key in the request. Absent for other credentials. */
  keyId?: number;
  /** Whether the API key has a spending limit. */
  isKeyLimited?: boolean;
  /** Whether the operator has set an individual spending limit for the user. Absent: unknown. */
  isSpendingLimited?: boolean;
  /** The id of the session. Absent for other credentials. */
  sessionId?: string;
  /** The credentials: API key, access token, secret of the execution service, or none (commands of the operator). */
  via: 'key' | 'jwt' | 'service' | 'operator';
  /** The IP address of the client. Absent for commands. */
  address?: string;
}

/** The operator, who runs commands on the machine of the service. */
export const OPERATOR: Viewer = { userId: 0, isAdmin: true, via: 'operator' };

/** The viewer of the audit entry of a login, whose request has no viewer yet. */
export function toLoginViewer(userId: number, address?: string): Viewer {
  return { userId, isAdmin: false, via: 'jwt', ...(address === undefined ? {} : { address }) };
}
