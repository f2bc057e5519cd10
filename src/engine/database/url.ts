import { hostOf, portOf } from '../connections/server-address.js';

/** How the connection to a database is encrypted, as `sslmode` of PostgreSQL. */
const TLS_MODES = ['verify-full', 'require', 'disable'] as const;
type TlsMode = (typeof TLS_MODES)[number];

/** The parts of a PostgreSQL address. */
export interface DatabaseAddress {
  /** Name or IP address, without brackets. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  tls: TlsMode;
}

const DEFAULT_PORT = 5432;

/**
 * Parses `postgres://user:password@host:port/database?sslmode=…`. Returns undefined for any other text. Other parameters
 * are refused, because drivers read hosts and options of the server from them.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hash !== '') return undefined;
  const tls = tlsModeOf(url.searchParams);
  const [host, port] = [hostOf(url), portOf(url, DEFAULT_PORT)];
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map(tryDecode);
  if (!tls || !host || !port || !user || !database || password === undefined) return undefined;
  return { host, port, user, password, database, tls };
}

function tlsModeOf(parameters: URLSearchParams): TlsMode | undefined {
  const names = [...parameters.keys()];
  if (names.length === 0) return 'verify-full';
  if (names.length > 1 || names[0] !== 'sslmode') return undefined;
  return TLS_MODES.find(mode => mode === parameters.get('sslmode'));
}

/** Returns undefined for text that is not percent-encoded correctly, or contains NUL. */
function tryDecode(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return value.includes('\0') ? undefined : value;
  } catch {
    return undefined;
  }
}
