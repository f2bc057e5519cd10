import { type Ref, wrap } from '@mikro-orm/core';
import { NotFoundError } from '../errors/errors.js';

/** What a row of a list refers to: one query for the whole list. What was deleted in between is not found. */
export async function loaded<T extends object>(reference: Ref<T>): Promise<T> {
  const entity = await reference.load({ dataloader: true });
  // A reference whose row is gone stays what it was: an id without members.
  if (!entity || !wrap(entity).isInitialized()) throw new NotFoundError();
  return entity as T;
}
