import { RestFault } from '../errors.js';

/** Collects all faults of a request, so that one response reports them together. */
export class Faults {
  readonly #fields = new Map<string, string[]>();

  add(at: string, message: string): undefined {
    this.#fields.set(at, [...(this.#fields.get(at) ?? []), message]);
  }

  throwIfAny(): void {
    if (this.#fields.size > 0) throw new RestFault('BAD_USER_INPUT', undefined, Object.fromEntries(this.#fields));
  }
}
