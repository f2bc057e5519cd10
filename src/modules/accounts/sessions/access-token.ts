import { errors, jwtVerify, SignJWT } from 'jose';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';

/** What an access token says: whose it is, and which session it belongs to. */
export interface AccessClaims {
  userId: number;
  sessionId: string;
}

const LIFETIME_SECONDS = 15 * 60;
const ISSUER = 'scenarium';
const ALGORITHM = 'HS256';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Makes and reads the access tokens of sessions that began here: JWT, HS256, 15 minutes. */
export class AccessTokens {
  readonly #key: Uint8Array;

  constructor(secret: string) {
    this.#key = new TextEncoder().encode(secret);
  }

  async issue({ userId, sessionId }: AccessClaims, now = new Date()): Promise<string> {
    const issuedAt = Math.floor(now.getTime() / 1000);
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(String(userId))
      .setIssuer(ISSUER)
      .setAudience(ISSUER)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(this.#key);
  }

  /** Null for whatever is not a token of ours that is valid now. */
  async read(token: string): Promise<AccessClaims | null> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: ISSUER,
        requiredClaims: ['exp', 'sub', 'sid'],
      });
      const [userId, sessionId] = [Number(payload.sub), String(payload.sid)];
      return Number.isInteger(userId) && userId <= MAX_INTEGER && UUID.test(sessionId) ? { userId, sessionId } : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
