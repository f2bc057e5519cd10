/** Globals of scripts that browsers and Node have and JavaScript itself does not. They are deterministic. */
export const WEB_GLOBALS = [
  ...(['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'atob', 'btoa'] as const),
  ...(['structuredClone', 'crypto', 'console'] as const),
] as const;

/** Whether a script mentions one of the globals. A script that mentions none runs without them, which is faster. */
export function usesWebGlobals(code: string): boolean {
  return WEB_GLOBALS.some(name => code.includes(name));
}

/**
 * Evaluated in the QuickJS context of a script, after prelude.ts. It returns a function that defines the globals. Its argument has
 * functions of the worker thread, which take and return texts: `parseUrl`, `changeUrl`, `digest` (hexadecimal) and `log`.
 */
export const WEB_PLATFORM = String.raw`(host => {
  'use strict';
  const { parse, stringify } = JSON;
  const hidden = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  const named = (name, message) => Object.assign(new Error(message), { name });

  class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(input = '') {
      const bytes = [];
      for (const character of String(input)) {
        let point = character.codePointAt(0);
        if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
        if (point < 0x80) bytes.push(point);
        else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
        else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
        else
          bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
      }
      return new Uint8Array(bytes);
    }
  }

  const bytesOf = data => {
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw new TypeError('the data must be an ArrayBuffer or a view of one');
  };

  class TextDecoder {
    #fatal;
    #ignoreBOM;
    constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      if (!['utf-8', 'utf8'].includes(String(label).trim().toLowerCase())) throw new RangeError('the only encoding is utf-8');
      this.#fatal = fatal;
      this.#ignoreBOM = ignoreBOM;
    }
    get encoding() { return 'utf-8'; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#ignoreBOM; }
    // The decoder of the Encoding Standard, https://encoding.spec.whatwg.org/#utf-8-decoder, with its variables.
    decode(data = new Uint8Array()) {
      const bytes = bytesOf(data);
      const pieces = [];
      let piece = '';
      let point = 0, needed = 0, seen = 0, lower = 0x80, upper = 0xbf;
      const bad = () => {
        if (this.#fatal) throw new TypeError('the data is not valid UTF-8');
        piece += '\ufffd';
      };
      for (let index = 0; index < bytes.length; index++) {
        const byte = bytes[index];
        if (needed === 0) {
          if (byte < 0x80) piece += String.fromCharCode(byte);
          else if (byte >= 0xc2 && byte <= 0xdf) { needed = 1; point = byte & 31; }
          else if (byte >= 0xe0 && byte <= 0xef) {
            if (byte === 0xe0) lower = 0xa0;
            if (byte === 0xed) upper = 0x9f;
            needed = 2; point = byte & 15;
          } else if (byte >= 0xf0 && byte <= 0xf4) {
            if (byte === 0xf0) lower = 0x90;
            if (byte === 0xf4) upper = 0x8f;
            needed = 3; point = byte & 7;
          } else bad();
        } else if (byte < lower || byte > upper) {
          point = needed = seen = 0; lower = 0x80; upper = 0xbf;
          index--;
          bad();
        } else {
          lower = 0x80; upper = 0xbf;
          point = (point << 6) | (byte & 63);
          if (++seen === needed) { piece += String.fromCodePoint(point); point = needed = seen = 0; }
        }
        // Joined at the end: one string that grows by characters would be copied too often.
        if (piece.length > 8192) { pieces.push(piece); piece = ''; }
      }
      if (needed > 0) bad();
      const text = pieces.join('') + piece;
      return !this.#ignoreBOM && text.startsWith('\ufeff') ? text.slice(1) : text;
    }
  }

  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const invalidCharacter = () => named('InvalidCharacterError', 'the text has characters that are not allowed');

  function btoa(data) {
    const text = String(data);
    let result = '';
    for (let index = 0; index < text.length; index += 3) {
      const [a, b, c] = [text.charCodeAt(index), text.charCodeAt(index + 1), text.charCodeAt(index + 2)];
      if (a > 255 || b > 255 || c > 255) throw invalidCharacter();
      const bits = (a << 16) | ((b || 0) << 8) | (c || 0);
      result += ALPHABET[bits >> 18] + ALPHABET[(bits >> 12) & 63];
      result += (index + 1 < text.length ? ALPHABET[(bits >> 6) & 63] : '=') + (index + 2 < text.length ? ALPHABET[bits & 63] : '=');
    }
    return result;
  }

  function atob(data) {
    let text = String(data).replace(/[\t\n\f\r ]/g, '');
    if (text.length % 4 === 0) text = text.replace(/==?$/, '');
    if (text.length % 4 === 1) throw invalidCharacter();
    let result = '', bits = 0, count = 0;
    for (const character of text) {
      const value = ALPHABET.indexOf(character);
      if (value === -1) throw invalidCharacter();
      bits = (bits << 6) | value;
      if (++count === 4) {
        result += String.fromCharCode(bits >> 16, (bits >> 8) & 255, bits & 255);
        bits = count = 0;
      }
    }
    if (count === 2) result += String.fromCharCode(bits >> 4);
    if (count === 3) result += String.fromCharCode(bits >> 10, (bits >> 2) & 255);
    return result;
  }

  function structuredClone(value) {
    const copies = new Map();
    const clone = from => {
      if (typeof from === 'function' || typeof from === 'symbol')
        throw named('DataCloneError', 'a ' + typeof from + ' cannot be cloned');
      if (typeof from !== 'object' || from === null) return from;
      if (copies.has(from)) return copies.get(from);
      const keep = copy => (copies.set(from, copy), copy);
      if (from instanceof Date) return keep(new Date(from.getTime()));
      if (from instanceof RegExp) return keep(new RegExp(from.source, from.flags));
      if (from instanceof ArrayBuffer) return keep(from.slice(0));
      if (from instanceof DataView) return keep(new DataView(clone(from.buffer), from.byteOffset, from.byteLength));
      if (ArrayBuffer.isView(from)) return keep(new from.constructor(clone(from.buffer), from.byteOffset, from.length));
      if (from instanceof Map) {
        const copy = keep(new Map());
        for (const [key, member] of [...from]) copy.set(clone(key), clone(member));
        return copy;
      }
      if (from instanceof Set) {
        const copy = keep(new Set());
        for (const member of [...from]) copy.add(clone(member));
        return copy;
      }
      if (from instanceof Error) {
        const copy = keep(new Error(from.message));
        copy.name = from.name;
        return copy;
      }
      if (from instanceof Promise || from instanceof WeakMap || from instanceof WeakSet)
        throw named('DataCloneError', 'this object cannot be cloned');
      const copy = keep(Array.isArray(from) ? new Array(from.length) : {});
      for (const key of Object.keys(from)) copy[key] = clone(from[key]);
      return copy;
    };
    return clone(value);
  }

  const decodePart = text => {
    const plain = text.replaceAll('+', ' ');
    if (!plain.includes('%')) return plain;
    const encoder = new TextEncoder();
    const bytes = plain
      .split(/(%[0-9a-fA-F]{2})/)
      .flatMap((piece, index) => (index % 2 === 1 ? [parseInt(piece.slice(1), 16)] : [...encoder.encode(piece)]));
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(bytes));
  };
  const ESCAPES = { '%20': '+', '!': '%21', "'": '%27', '(': '%28', ')': '%29', '~': '%7E' };
  const wellFormed = text => [...text].map(c => (/^[\ud800-\udfff]$/.test(c) ? '\ufffd' : c)).join('');
  const encodePart = text => encodeURIComponent(wellFormed(text)).replace(/%20|[!'()~]/g, found => ESCAPES[found]);
  const pairsOf = init => {
    if (init === undefined || init === null) return [];
    if (typeof init !== 'object') {
      const text = String(init).replace(/^\?/, '');
      return text.split('&').filter(Boolean).map(part => {
        const at = part.indexOf('=');
        return at === -1 ? [decodePart(part), ''] : [decodePart(part.slice(0, at)), decodePart(part.slice(at + 1))];
      });
    }
    const entries = typeof init[Symbol.iterator] === 'function' ? [...init] : Object.entries(init);
    return entries.map(entry => {
      const pair = [...entry];
      if (pair.length !== 2) throw new TypeError('each entry must have a name and a value');
      return pair.map(String);
    });
  };

  class URLSearchParams {
    #pairs;
    #onChange = () => {};
    constructor(init) { this.#pairs = pairsOf(init); }
    static linked(search, onChange) {
      const params = new URLSearchParams(search);
      params.#onChange = onChange;
      return params;
    }
    static reset(params, search) { params.#pairs = pairsOf(search); }
    get size() { return this.#pairs.length; }
    append(name, value) { this.#pairs.push([String(name), String(value)]); this.#onChange(); }
    delete(name, value) {
      this.#pairs = this.#pairs.filter(([key, own]) => key !== String(name) || (value !== undefined && own !== String(value)));
      this.#onChange();
    }
    get(name) { return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null; }
    getAll(name) { return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value); }
    has(name, value) { return this.#pairs.some(([key, own]) => key === String(name) && (value === undefined || own === String(value))); }
    set(name, value) {
      const first = this.#pairs.findIndex(([key]) => key === String(name));
      if (first === -1) this.#pairs.push([String(name), String(value)]);
      else {
        this.#pairs[first][1] = String(value);
        this.#pairs = this.#pairs.filter(([key], index) => index <= first || key !== String(name));
      }
      this.#onChange();
    }
    sort() { this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)); this.#onChange(); }
    forEach(visit, self) { for (const [name, value] of this.#pairs) visit.call(self, value, name, this); }
    *entries() { for (const [name, value] of this.#pairs) yield [name, value]; }
    *keys() { for (const [name] of this.#pairs) yield name; }
    *values() { for (const [, value] of this.#pairs) yield value; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return this.#pairs.map(pair => pair.map(encodePart).join('=')).join('&'); }
  }
  // For URL, which shares private state with its searchParams; scripts must not see them.
  const { linked, reset } = URLSearchParams;
  delete URLSearchParams.linked;
  delete URLSearchParams.reset;

  const parseUrl = (url, base) => parse(host.parseUrl(stringify([String(url), base === undefined ? null : String(base)])));
  class URL {
    #parts;
    #params;
    constructor(url, base) {
      this.#parts = parseUrl(url, base);
      if (this.#parts === null) throw new TypeError('Invalid URL');
    }
    static canParse(url, base) { return parseUrl(url, base) !== null; }
    static parse(url, base) { return URL.canParse(url, base) ? new URL(url, base) : null; }
    get origin() { return this.#parts.origin; }
    get searchParams() {
      this.#params ??= linked(this.search, () => this.#change('search', this.#params.toString()));
      return this.#params;
    }
    #change(name, value) { this.#parts = parse(host.changeUrl(stringify([this.#parts.href, name, String(value)]))); }
    toString() { return this.href; }
    toJSON() { return this.href; }
    static {
      for (const name of ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'])
        Object.defineProperty(URL.prototype, name, {
          get() { return this.#parts[name]; },
          set(value) {
            if (name === 'href' && !URL.canParse(value)) throw new TypeError('Invalid URL');
            this.#change(name, value);
            if (this.#params) reset(this.#params, this.#parts.search);
          },
          enumerable: true,
          configurable: true,
        });
    }
  }

  const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
  const hexOf = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  const subtle = Object.freeze({
    async digest(algorithm, data) {
      const name = String(typeof algorithm === 'object' && algorithm !== null ? algorithm.name : algorithm).toUpperCase();
      if (!HASHES.includes(name)) throw named('NotSupportedError', 'the algorithm must be one of ' + HASHES.join(', '));
      const hex = host.digest(stringify([name, hexOf(bytesOf(data))]));
      return new Uint8Array(hex.match(/../g).map(byte => parseInt(byte, 16))).buffer;
    },
  });

  const textOf = value => {
    if (typeof value === 'string') return value;
    if (typeof value === 'function') return '[function]';
    if (value instanceof Error) return value.name + ': ' + value.message;
    try {
      return (typeof value === 'object' ? stringify(value) : undefined) ?? String(value);
    } catch {
      return '[object]';
    }
  };
  const writer = prefix => (...values) => void host.log(stringify(prefix + values.map(textOf).join(' ')));
  const console = {
    ...{ log: writer(''), info: writer(''), debug: writer('') },
    ...{ warn: writer('warning: '), error: writer('error: ') },
  };

  for (const [name, value] of Object.entries({ URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, structuredClone, console }))
    hidden(name, value);
  hidden('crypto', Object.freeze({ subtle }));
})`;
