import type { VariablePlaceholder } from './placeholders.js';
import type { Copy, Scenario, Variable } from './scenario.js';

/** The current item of a loop over a variable. */
export interface LoopItem {
  readonly variable: Variable;
  readonly value: string;
}

/** The variables of a run, with inserted values applied. */
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
      this.#inserted.set(this.#pairKey(variable, variableName), value);
    }
  }

  /** Returns the variable with this id. Without an id, returns the variable that contains the value `name`. */
  get(id: number | undefined, name?: number): Variable | undefined {
    if (id !== undefined) return this.#byId.get(id);
    return name === undefined ? undefined : this.#byNameId.get(name);
  }

  /** Returns true if the placeholder's variable exists, or a value was inserted for its pair. */
  has({ variable, name }: VariablePlaceholder): boolean {
    return this.#byId.has(variable) || (name !== undefined && this.#inserted.has(this.#pairKey(variable, name)));
  }

  /** Returns the value of a placeholder; undefined if it does not exist. */
  find({ pick, variable: id, name }: VariablePlaceholder, item: LoopItem | undefined): string | undefined {
    const variable = this.#byId.get(id);
    if (pick >= 0) return variable && this.activeValues(variable)[pick];
    if (pick !== -1) return undefined;
    if (variable && variable === item?.variable) return item.value;
    if (name === undefined) return undefined;
    return this.#inserted.get(this.#pairKey(id, name)) ?? variable?.values.find(value => isNamed(value, name))?.value;
  }

  /** Returns the active values of a variable, in order. */
  activeValues(variable: Variable): string[] {
    return variable.values
      .filter(({ isActive }) => isActive)
      .map(({ id, value }) => this.#inserted.get(`${variable.id},${id}`) ?? value);
  }

  /** Key of a variable and value pair, equal for own and original ids. */
  #pairKey(variable: number, name: number): string {
    const row = this.#byId.get(variable);
    const value = row?.values.find(each => isNamed(each, name));
    return `${row?.id ?? variable},${value?.id ?? name}`;
  }
}

/** Indexes rows by own id and by original id. An own id takes precedence. */
export function byEitherId<Row extends Copy>(rows: Iterable<Row>): Map<number, Row> {
  const byId = new Map<number, Row>();
  const all = [...rows];
  for (const row of all) if (row.originalId !== undefined) byId.set(row.originalId, row);
  for (const row of all) byId.set(row.id, row);
  return byId;
}

function idsOf({ id, originalId }: Copy): number[] {
  return originalId === undefined ? [id] : [id, originalId];
}

function isNamed({ id, originalId }: Copy, by: number): boolean {
  return id === by || originalId === by;
}
