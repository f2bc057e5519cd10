import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { Faults } from '../../../platform/errors/fields.js';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';

const MAX_INSERTED_VARIABLES = 1_000;
const MAX_VALUE = 100_000;

@ObjectType({ description: 'A value that replaces a named value of a variable in one scenario run.' })
export class InsertedVariable {
  @Field(() => Int, { name: 'localId', description: 'Id, unique within the run.' })
  id!: number;

  @Field(() => Int, { name: 'variableId', description: 'Id of the variable: of the original or of the run’s copy.' })
  variable!: number;

  @Field(() => Int, { name: 'variableNameId', description: 'Id of the named value of the variable.' })
  variableName!: number;

  @Field(() => String, {
    description: 'The value that placeholders and loops use instead, at most 100,000 characters.',
  })
  value!: string;
}

@InputType({ description: 'A value that replaces a named value of a variable in one scenario run.' })
export class InsertedVariableInput {
  @Field(() => Int, { nullable: true, description: 'Id, unique within the run, 1 or more. Default: a new id.' })
  id?: number | null;

  @Field(() => Int, { description: 'Id of the variable: of the original or of the run’s copy.' })
  variableId!: number;

  @Field(() => Int, { description: 'Id of the named value of the variable.' })
  variableNameId!: number;

  @Field(() => String, {
    description: 'The value that placeholders and loops use instead, at most 100,000 characters.',
  })
  value!: string;
}

@InputType({ description: 'A change of one inserted variable. Omitted fields stay unchanged.' })
export class InsertedVariableChange {
  @Field(() => Int, { description: 'Id of the inserted variable.' })
  id!: number;

  @Field(() => String, { description: 'The new value, at most 100,000 characters.' })
  value!: string;

  @Field(() => Int, { nullable: true, description: 'Id of another variable to replace a value of.' })
  variableId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Id of another named value to replace.' })
  variableNameId?: number | null;
}

/** Validates a list of inserted variables. Elements without an id get new ids above the greatest one. */
export function parseInsertedVariables(input: readonly InsertedVariableInput[], faults: Faults): InsertedVariable[] {
  if (input.length > MAX_INSERTED_VARIABLES) {
    faults.add('insertedVariables', `Ensure this list has no more than ${MAX_INSERTED_VARIABLES} values.`);
    return [];
  }
  let lastId = Math.max(0, ...input.map(({ id }) => id ?? 0));
  const usedIds = new Set<number>();
  return input.map((element, index) => {
    const { variableId: variable, variableNameId: variableName, value } = element;
    const id = element.id ?? ++lastId;
    const path = `insertedVariables.${index}`;
    faults.integer(`${path}.id`, id, { min: 1, max: MAX_INTEGER });
    if (usedIds.has(id)) faults.add(`${path}.id`, 'Another value in this list has the same id.');
    usedIds.add(id);
    checkInsertedVariable(faults, `${path}.`, element);
    return { id, variable, variableName, value };
  });
}

/** Validates an inserted variable. `prefix` precedes the member names in faults: empty, or ending in a dot. */
export function checkInsertedVariable(
  faults: Faults,
  prefix: string,
  { variableId: variable, variableNameId: variableName, value }: Omit<InsertedVariableChange, 'id'>,
): void {
  faults.integer(`${prefix}variableId`, variable, { min: 1, max: MAX_INTEGER });
  faults.integer(`${prefix}variableNameId`, variableName, { min: 1, max: MAX_INTEGER });
  faults.text(`${prefix}value`, value, { max: MAX_VALUE });
}
