import { InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { DOES_NOT_EXIST } from './part-scope.js';

/** Turns the NotFoundError of a lookup into an InvalidInputError for `member`. Use it for objects that an input refers to. */
export async function notFoundToInputError<T>(member: string, located: Promise<T>): Promise<T> {
  try {
    return await located;
  } catch (error) {
    if (error instanceof NotFoundError) throw new InvalidInputError({ [member]: [DOES_NOT_EXIST] });
    throw error;
  }
}
