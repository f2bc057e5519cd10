import { RestFault } from '../errors.js';

/** Collects what is wrong with a request, so that all of it is told at once. */
export class Faults {
  readonly #fields = new Map<string, string[]>();

  add(at: string, message: string): undefined {
    this.#fields.set(at, [...(this.#fields.get(at) ?? []), message]);
  }

  throwIfAny(): void {
    if (this.#fields.size > 0) throw new RestFault('BAD_USER_INPUT', undefined, Object.fromEntries(this.#fields));
  }
}
