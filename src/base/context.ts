import type DataLoader from 'dataloader';
import { UnauthenticatedError } from './errors.js';

/**
 * What one request carries through the resolvers: who asks, and the loaders that turn the fields of a list into one
 * query. Made by the HTTP floor for each request and each subscription.
 */
export interface RequestContext<V = unknown> {
  /** Throws UNAUTHENTICATED when nobody is logged in. */
  readonly viewer: V;
  /** The loader of this request named `name`, created at first use. */
  loader<K, T>(name: string, create: () => DataLoader<K, T>): DataLoader<K, T>;
}

/** A request's context; `viewer` null stands for nobody. */
export function createContext<V>(viewer: V | null): RequestContext<V> {
  const loaders = new Map<string, DataLoader<never, unknown>>();
  return {
    get viewer(): V {
      if (viewer === null) throw new UnauthenticatedError();
      return viewer;
    },
    loader<K, T>(name: string, create: () => DataLoader<K, T>): DataLoader<K, T> {
      const existing = loaders.get(name) as DataLoader<K, T> | undefined;
      if (existing) return existing;
      const made = create();
      loaders.set(name, made as unknown as DataLoader<never, unknown>);
      return made;
    },
  };
}
