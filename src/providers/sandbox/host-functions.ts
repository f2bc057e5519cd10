import { createHash } from 'node:crypto';
import type { ScriptLog } from './script-log.js';

/** A function outside of the sandbox that scripts call. Argument and result are JSON, because the interface truncates texts at NUL characters. */
export type HostFunction = (argument: string) => string;

const MEMBERS = [
  ...(['href', 'protocol', 'username', 'password', 'host'] as const),
  ...(['hostname', 'port', 'pathname', 'search', 'hash'] as const),
] as const;
const HASHES = new Map([
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
]);

/** The functions that the globals of `WEB_PLATFORM` use. They have no access to anything outside of their argument. */
export function hostFunctions(log: ScriptLog): Readonly<Record<string, HostFunction>> {
  return {
    parseUrl(argument) {
      const [url, base] = JSON.parse(argument) as [string, string | null];
      const parsed = URL.parse(url, base ?? undefined);
      return JSON.stringify(parsed && partsOf(parsed));
    },
    changeUrl(argument) {
      const [href, name, value] = JSON.parse(argument) as [string, string, string];
      const url = new URL(href);
      const member = MEMBERS.find(each => each === name);
      if (member) url[member] = value;
      return JSON.stringify(partsOf(url));
    },
    digest(argument) {
      const [name, data] = JSON.parse(argument) as [string, string];
      return createHash(HASHES.get(name) ?? 'sha256')
        .update(data, 'hex')
        .digest('hex');
    },
    log(argument) {
      log.add(String(JSON.parse(argument)));
      return '';
    },
  };
}

function partsOf(url: URL): Record<string, string> {
  return { origin: url.origin, ...Object.fromEntries(MEMBERS.map(name => [name, url[name]])) };
}
