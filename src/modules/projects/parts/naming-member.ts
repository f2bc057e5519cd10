import { InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { DOES_NOT_EXIST } from './part-scope.js';

/** What an input names and the viewer has not is a bad value of the member. */
export async function namingMember<T>(member: string, located: Promise<T>): Promise<T> {
  try {
    return await located;
  } catch (error) {
    if (error instanceof NotFoundError) throw new InvalidInputError({ [member]: [DOES_NOT_EXIST] });
    throw error;
  }
}
