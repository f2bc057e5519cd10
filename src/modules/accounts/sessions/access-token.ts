import { errors, jwtVerify, SignJWT } from 'jose';
import { isUuid } from '../../../platform/crypto/uuid.js';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';

/** The claims of an access token: its user and its session. */
export interface AccessClaims {
  userId: number;
  sessionId: string;
}

const LIFETIME_SECONDS = 15 * 60;
const ISSUER = 'scenarium';
const ALGORITHM = 'HS256';

/** Issues and verifies the access tokens of sessions: JWT with HS256, valid for 15 minutes. */
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

  /** Returns the claims of a token. Null if the token is expired, invalid or from another issuer. */
  async read(token: string): Promise<AccessClaims | null> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: ISSUER,
        requiredClaims: ['exp', 'sub', 'sid'],
      });
      const [userId, sessionId] = [Number(payload.sub), String(payload.sid)];
      return Number.isInteger(userId) && userId <= MAX_INTEGER && isUuid(sessionId) ? { userId, sessionId } : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
