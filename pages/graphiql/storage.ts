import type { Storage as GraphiQLStorage } from '@graphiql/toolkit';

const PREFIX = 'scenarium:';

/**
 * The storage of GraphiQL with a prefix of this service. GraphiQL always names its entries `graphiql:…`, and several
 * services may use the same origin, for example localhost. Without the prefix they would show each other's tabs.
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
