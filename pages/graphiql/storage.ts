import type { Storage as GraphiQLStorage } from '@graphiql/toolkit';

const PREFIX = 'scenarium:';

/**
 * GraphiQL names its entries `graphiql:…` whoever serves it. On localhost many services share an origin over time, and
 * another one's stored tabs would hide ours: these entries are ours alone.
 */
export const pageStorage: GraphiQLStorage = {
  getItem: name => localStorage.getItem(PREFIX + name),
  setItem: (name, value) => localStorage.setItem(PREFIX + name, value),
  removeItem: name => localStorage.removeItem(PREFIX + name),
  get length() {
    return ownNames().length;
  },
  clear: () => {
    for (const name of ownNames()) localStorage.removeItem(name);
  },
};

function ownNames(): string[] {
  return Object.keys(localStorage).filter(name => name.startsWith(`${PREFIX}graphiql`));
}
