/** Who asks: the first argument of every service method. */
export interface Viewer {
  /** 0 where no user stands behind it: the execution service, and the operator's commands. */
  userId: number;
  /** Administrators of the service may do all that an owner may. */
  isAdmin: boolean;
  /** Of the API key that was sent; absent for other credentials. */
  keyId?: number;
  /** Whether that key has a spending limit. */
  isKeyLimited?: boolean;
  /** Whether the operator has set a limit of its own on what the user spends; absent: not known. */
  isSpendingLimited?: boolean;
  /** Of the session; absent for other credentials. */
  sessionId?: string;
  via: 'key' | 'jwt' | 'service' | 'operator';
  /** The IP address the request came from; absent for commands. */
  address?: string;
}

/** Whoever runs commands on the service's own machine. */
export const OPERATOR: Viewer = { userId: 0, isAdmin: true, via: 'operator' };
