import { hostOf, portOf } from '../connections/server-address.js';

/** The parts of the address of a mail server. */
export interface MailServer {
  /** Name or IP address, without brackets. */
  host: string;
  port: number;
  /** Empty: no authentication. */
  user: string;
  password: string;
  /** `implicit`: TLS from the start; `starttls`: required after the greeting; `none`: no encryption. */
  tls: 'implicit' | 'starttls' | 'none';
}

const DEFAULT_PORTS: Readonly<Record<MailServer['tls'], number>> = { implicit: 465, starttls: 587, none: 587 };
/** By scheme and query string of the URL. */
const TLS_OF_FORM: Readonly<Record<string, MailServer['tls']>> = {
  'smtps:': 'implicit',
  'smtp:': 'starttls',
  'smtp:?tls=none': 'none',
};

/**
 * Parses `smtps://user:password@host:port` and `smtp://…`, which requires STARTTLS unless it ends in `?tls=none`. Returns
 * undefined for any other text.
 */
export function parseMailUrl(text: string): MailServer | undefined {
  const url = URL.parse(text);
  const tls = url ? TLS_OF_FORM[`${url.protocol}${url.search}`] : undefined;
  if (!url || !tls || url.hash !== '' || url.pathname.length > 1) return undefined;
  const [host, port] = [hostOf(url), portOf(url, DEFAULT_PORTS[tls])];
  const [user, password] = [url.username, url.password].map(tryDecode);
  if (!host || !port || user === undefined || password === undefined) return undefined;
  return { host, port, user, password, tls };
}

/** Returns undefined for text that is not percent-encoded correctly, or contains control characters. */
function tryDecode(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return /\p{Cc}/u.test(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
