import { createContext } from '../base/context.js';
import { UnauthenticatedError } from '../base/errors.js';
import type { AccountService } from '../resources/accounts/account.service.js';
import type { RequestContext } from '../resources/accounts/request-context.js';
import type { Viewer } from '../resources/accounts/viewer.js';

/** Turns credentials into a viewer: an API key in `X-Api-Key`. */
export class Identity {
  constructor(private readonly accounts: AccountService) {}

  /** Nobody when no credentials came; throws when they are wrong. */
  async contextFor(headers: Record<string, unknown>): Promise<RequestContext> {
    return createContext(await this.viewerOf(headers), originOf(headers));
  }

  async viewerOf(headers: Record<string, unknown>): Promise<Viewer | null> {
    const key = headers['x-api-key'];
    if (key === undefined || key === '') return null;
    const viewer = typeof key === 'string' ? await this.accounts.identifyKey(key) : null;
    if (!viewer) throw new UnauthenticatedError();
    return viewer;
  }
}

/** As the caller wrote it: what is made of it goes back to the same caller alone. */
function originOf({ host, 'x-forwarded-proto': protocol }: Record<string, unknown>): string {
  if (typeof host !== 'string' || !/^[\w.:[\]-]{1,255}$/.test(host)) return '';
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`;
}
