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
  readonly #byValueId = new Map<number, Variable>();
  readonly #inserted = new Map<string, string>();

  constructor({ variables, insertedVariables }: Pick<Scenario, 'variables' | 'insertedVariables'>) {
    this.#byId = byEitherId(variables);
    for (const variable of variables) {
      for (const value of variable.values) for (const id of idsOf(value)) this.#byValueId.set(id, variable);
    }
    for (const { variable, variableName, value } of insertedVariables) {
      this.#inserted.set(this.#pairKey(variable, variableName), value);
    }
  }

  /** Returns the variable with this id. Without an id, returns the variable that contains the value with the id `valueId`. */
  get(id: number | undefined, valueId?: number): Variable | undefined {
    if (id !== undefined) return this.#byId.get(id);
    return valueId === undefined ? undefined : this.#byValueId.get(valueId);
  }

  /** Returns true if the placeholder's variable exists, or a value was inserted for its pair. */
  has({ variableId, valueId }: VariablePlaceholder): boolean {
    if (this.#byId.has(variableId)) return true;
    return valueId !== undefined && this.#inserted.has(this.#pairKey(variableId, valueId));
  }

  /** Returns the value of a placeholder; undefined if it does not exist. */
  find({ pick, variableId, valueId }: VariablePlaceholder, item: LoopItem | undefined): string | undefined {
    const variable = this.#byId.get(variableId);
    if (pick >= 0) return variable && this.activeValues(variable)[pick];
    if (pick !== -1) return undefined;
    if (variable && variable === item?.variable) return item.value;
    if (valueId === undefined) return undefined;
    const inserted = this.#inserted.get(this.#pairKey(variableId, valueId));
    return inserted ?? variable?.values.find(value => hasId(value, valueId))?.value;
  }

  /** Returns the active values of a variable, in order. */
  activeValues(variable: Variable): string[] {
    return variable.values
      .filter(({ isActive }) => isActive)
      .map(({ id, value }) => this.#inserted.get(`${variable.id},${id}`) ?? value);
  }

  /** Key of a variable and value pair, equal for own and original ids. */
  #pairKey(variableId: number, valueId: number): string {
    const variable = this.#byId.get(variableId);
    const value = variable?.values.find(each => hasId(each, valueId));
    return `${variable?.id ?? variableId},${value?.id ?? valueId}`;
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

/** Returns true for the own and the original id. */
function hasId({ id, originalId }: Copy, wanted: number): boolean {
  return id === wanted || originalId === wanted;
}
