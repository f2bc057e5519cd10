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
    contentOf(value) {
      if (value === undefined) return '""';
      return stringify(typeof value === 'string' ? value : stringify(value));
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
