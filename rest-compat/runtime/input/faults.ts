import { RestFault } from '../errors.js';

/** An unknown member or query parameter, and the names that are known in its place. */
export interface UnknownName {
  readonly path: string;
  readonly name: string;
  readonly known: readonly string[];
}

/** Collects all faults of a request, so that one response reports them together, and its unknown names, which are warnings. */
export class Faults {
  readonly #fields = new Map<string, string[]>();
  /** Ignored members and parameters. The handler reports them as warnings, which reject a request only in strict mode. */
  readonly unknown: UnknownName[] = [];

  /** Records the names that are not among the known ones. `at` is the path of their object. */
  checkNames(names: Iterable<string>, known: readonly string[], at = ''): void {
    for (const name of names)
      if (!known.includes(name)) this.unknown.push({ path: at === '' ? name : `${at}.${name}`, name, known });
  }

  add(at: string, message: string): undefined {
    this.#fields.set(at, [...(this.#fields.get(at) ?? []), message]);
  }

  throwIfAny(): void {
    if (this.#fields.size > 0) throw new RestFault('BAD_USER_INPUT', undefined, Object.fromEntries(this.#fields));
  }
}
