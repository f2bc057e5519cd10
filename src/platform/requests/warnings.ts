import { InvalidInputError } from '../errors/errors.js';

/** A part of a request that was accepted but has no effect, or will fail later. */
export interface Warning {
  /** Path of the member in the request, such as `data.nodes.0.data.settings.temprature`. */
  readonly path: string;
  readonly message: string;
  /** Machine-readable kind. Default: `unknown_member`. */
  readonly code?: string;
}

/** Further warnings are only counted. */
const MAX_WARNINGS = 50;
/** Maximum number of characters of the header, because proxies limit the size of headers. */
const MAX_HEADER_CHARACTERS = 4_000;

const unchanged = (path: string): string => path;

/** Collects the warnings about one request. In strict mode a warning rejects the request. */
export class Warnings {
  isStrict = false;
  readonly items: Warning[] = [];
  omitted = 0;
  /** Converts the GraphQL path of a member to the path in the request. */
  toRequestPath = unchanged;

  /** Adds warnings. Throws InvalidInputError in strict mode, so it must be called before anything is changed. */
  report(warnings: readonly Warning[]): void {
    if (this.isStrict && warnings.length > 0)
      throw new InvalidInputError(
        Object.fromEntries(warnings.slice(0, MAX_WARNINGS).map(({ path, message }) => [path, [message]])),
      );
    this.add(warnings);
  }

  /** Adds warnings about references, which never reject a request. */
  add(warnings: readonly Warning[]): void {
    const remaining = Math.max(0, MAX_WARNINGS - this.items.length);
    const added = warnings.slice(0, remaining);
    this.items.push(...added.map(warning => ({ ...warning, path: this.toRequestPath(warning.path) })));
    this.omitted += Math.max(0, warnings.length - remaining);
  }

  /** The warnings as a JSON array of `{path, message}` in ASCII, at most 4,000 characters; undefined without warnings. */
  toHeader(): string | undefined {
    if (this.items.length === 0) return undefined;
    const texts: string[] = [];
    let length = 2;
    for (const warning of this.items) {
      const text = asciiJson(warning);
      if (length + text.length + 1 > MAX_HEADER_CHARACTERS) break;
      texts.push(text);
      length += text.length + 1;
    }
    const rest = this.items.length - texts.length + this.omitted;
    if (rest > 0) texts.push(asciiJson({ path: '', message: `${rest} more` }));
    return `[${texts.join(',')}]`;
  }
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
