/**
 * Evaluated in every new context before the script. It saves the built-ins that it needs, because the script may replace them. It
 * returns functions for the thread. Texts are exchanged as JSON, because the interface truncates strings at NUL characters.
 */
export const PRELUDE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { defineProperty } = Object;
  const slice = Function.prototype.call.bind(String.prototype.slice);
  const text = String;
  const Bytes = Uint8Array;
  const Buffer = ArrayBuffer;
  const copyOf = Function.prototype.call.bind(Uint8Array.prototype.slice);
  const bufferOf = Function.prototype.call.bind(
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'buffer').get,
  );
  // JSON has no members of these, or those of an object.
  const withoutJson = [
    [Map.prototype, 'a Map has no JSON form; return Object.fromEntries(map)'],
    [Set.prototype, 'a Set has no JSON form; return [...set]'],
    [Object.getPrototypeOf(Bytes.prototype), 'bytes have no JSON form; store them with saveFile, or return [...bytes]'],
    [Buffer.prototype, 'bytes have no JSON form; store them with saveFile, or return [...new Uint8Array(buffer)]'],
  ];
  const Failure = TypeError;
  const isError = value => value instanceof Error;
  const fixed = value => ({ value, enumerable: true, configurable: true, writable: true });
  return {
    parse,
    nodesOf(ids, contentOf, parseJson) {
      const nodes = {};
      for (const id of parse(ids)) {
        defineProperty(nodes, id, {
          enumerable: true,
          configurable: true,
          get() {
            const node = { content: parse(contentOf(id)) };
            defineProperty(node, 'json', {
              configurable: true,
              get() {
                const json = parseJson(id);
                const value = json === undefined ? undefined : parse(json);
                defineProperty(node, 'json', fixed(value));
                return value;
              },
            });
            defineProperty(nodes, id, fixed(node));
            return node;
          },
        });
      }
      return nodes;
    },
    filesOf(references, bytesOf, textOf) {
      const files = parse(references);
      for (let index = 0; index < files.length; index++) {
        const { name } = files[index];
        defineProperty(files[index], 'bytes', {
          configurable: true,
          get() {
            const bytes = new Bytes(bytesOf(index));
            defineProperty(this, 'bytes', fixed(bytes));
            return bytes;
          },
        });
        const text = () => {
          const json = textOf(index);
          if (json === undefined) throw new TypeError(name + ' is not UTF-8 text');
          return parse(json);
        };
        defineProperty(files[index], 'text', { configurable: true, value: text });
      }
      return files;
    },
    saverOf(save) {
      return (name, content) => {
        const isText = typeof content === 'string';
        const isBytes = content instanceof Bytes || content instanceof Buffer;
        if (typeof name !== 'string' || name === '' || !(isText || isBytes))
          throw new TypeError('saveFile takes a name and a text, a Uint8Array or an ArrayBuffer');
        const data = isText ? stringify(content) : bufferOf(copyOf(new Bytes(content)));
        return parse(save(stringify(name), data));
      };
    },
    encodeResult(value, limit) {
      for (let index = 0; index < withoutJson.length; index++) {
        const prototype = withoutJson[index][0];
        const message = withoutJson[index][1];
        const refuse = () => {
          throw new Failure(message);
        };
        // The script may have its own form.
        if (!('toJSON' in prototype)) defineProperty(prototype, 'toJSON', { value: refuse });
      }
      const content = value === undefined ? '' : typeof value === 'string' ? value : stringify(value);
      return content !== undefined && content.length > limit ? null : stringify(content);
    },
    describe(error) {
      const summary = { name: '', message: '', stack: '' };
      try {
        if (isError(error)) {
          summary.name = slice(text(error.name), 0, 100);
          summary.message = slice(text(error.message), 0, 1000);
          summary.stack = slice(text(error.stack), 0, 2000);
        } else {
          summary.message = slice(typeof error === 'object' ? text(stringify(error)) : text(error), 0, 1000);
        }
      } catch {}
      return stringify(summary);
    },
  };
})()`;
