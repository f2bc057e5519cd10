/** An address of an email with the name in front of it, which may be empty. */
export interface MailAddress {
  name: string;
  address: string;
}

/** Maximum length of an address in characters (RFC 5321). */
const MAX_ADDRESS = 254;
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:@"]+@[^\s\p{Cc}<>()[\]\\,;:@".]+(?:\.[^\s\p{Cc}<>()[\]\\,;:@".]+)*$/u;
/** The parts of an entry: a quoted name, an address in angle brackets, and other text. */
const PART = /"((?:[^"\\]|\\.)*)"|<([^<>"]*)>|([^"<>]+)/gsy;
const ENTRY = /(?:"(?:[^"\\]|\\.)*"|[^",])+|"/gs;

/** Divides a text at its commas outside of quotes. Empty entries are left out. */
export function splitAddresses(text: string): string[] {
  return (text.match(ENTRY) ?? []).map(entry => entry.trim()).filter(entry => entry !== '');
}

/** Parses `ann@example.com`, `Ann <ann@example.com>` or `"Doe, Ann" <ann@example.com>`. Undefined for any other text. */
export function parseAddress(text: string): MailAddress | undefined {
  const entry = text.trim();
  if (/\p{Cc}/u.test(entry)) return undefined;
  if (isAddress(entry)) return { name: '', address: entry };
  const names: string[] = [];
  let address: string | undefined;
  let at = 0;
  for (const [part, quoted = '', bracketed, other = ''] of entry.matchAll(PART)) {
    // The address is the last part, and a comma or semicolon outside of quotes would begin another one.
    if (address !== undefined || /[,;]/.test(other)) return undefined;
    if (bracketed !== undefined) address = bracketed.trim();
    else names.push(quoted.replace(/\\(.)/gs, '$1') + other);
    at += part.length;
  }
  if (at < entry.length || address === undefined || !isAddress(address)) return undefined;
  const name = names.map(part => part.trim()).filter(part => part !== '');
  return { name: name.join(' '), address };
}

function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS && ADDRESS.test(text);
}
