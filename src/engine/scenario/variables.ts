import type { VariablePlaceholder } from './placeholders.js';
import type { Copy, Scenario, Variable } from './scenario.js';

/** The value that a round of a loop over a variable is about. */
export interface LoopItem {
  readonly variable: Variable;
  readonly value: string;
}

/** The variables of a run, with the inserted values in their places. */
export class Variables {
  readonly #byId: ReadonlyMap<number, Variable>;
  readonly #byNameId = new Map<number, Variable>();
  readonly #inserted = new Map<string, string>();

  constructor({ variables, insertedVariables }: Pick<Scenario, 'variables' | 'insertedVariables'>) {
    this.#byId = byEitherId(variables);
    for (const variable of variables) {
      for (const value of variable.values) for (const id of idsOf(value)) this.#byNameId.set(id, variable);
    }
    for (const { variable, variableName, value } of insertedVariables) {
      this.#inserted.set(this.#pair(variable, variableName), value);
    }
  }

  /** The variable of this id, or the one that has a value of the name's id. */
  get(id: number | undefined, name?: number): Variable | undefined {
    if (id !== undefined) return this.#byId.get(id);
    return name === undefined ? undefined : this.#byNameId.get(name);
  }

  /** Whether a placeholder can mean something: its variable is there, or a value was inserted for its pair. */
  knows({ variable, name }: VariablePlaceholder): boolean {
    return this.#byId.has(variable) || (name !== undefined && this.#inserted.has(this.#pair(variable, name)));
  }

  /** Undefined: there is no such value. */
  find({ pick, variable: id, name }: VariablePlaceholder, item: LoopItem | undefined): string | undefined {
    const variable = this.#byId.get(id);
    if (pick >= 0) return variable && this.activeValues(variable)[pick];
    if (pick !== -1) return undefined;
    if (variable && variable === item?.variable) return item.value;
    if (name === undefined) return undefined;
    return this.#inserted.get(this.#pair(id, name)) ?? variable?.values.find(value => isNamed(value, name))?.value;
  }

  activeValues(variable: Variable): string[] {
    return variable.values
      .filter(({ isActive }) => isActive)
      .map(({ id, value }) => this.#inserted.get(`${variable.id},${id}`) ?? value);
  }

  /** The same text whichever of their ids the two are named by. */
  #pair(variable: number, name: number): string {
    const known = this.#byId.get(variable);
    const value = known?.values.find(each => isNamed(each, name));
    return `${known?.id ?? variable},${value?.id ?? name}`;
  }
}

/** By their own ids and by those of what they are copies of; an own id comes first. */
export function byEitherId<Row extends Copy>(rows: Iterable<Row>): Map<number, Row> {
  const found = new Map<number, Row>();
  const all = [...rows];
  for (const row of all) if (row.originalId !== undefined) found.set(row.originalId, row);
  for (const row of all) found.set(row.id, row);
  return found;
}

function idsOf({ id, originalId }: Copy): number[] {
  return originalId === undefined ? [id] : [id, originalId];
}

function isNamed({ id, originalId }: Copy, by: number): boolean {
  return id === by || originalId === by;
}
