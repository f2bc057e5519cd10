import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { Faults } from '../../../platform/errors/fields.js';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';

const MAX_INSERTED = 1_000;
const MAX_VALUE = 100_000;

@ObjectType({ description: 'A value that replaces a named value of a variable in one scenario run.' })
export class InsertedVariable {
  @Field(() => Int, { description: 'Id, unique within the run.' })
  id!: number;

  @Field(() => Int, { description: 'Id of the variable: of the original or of the run’s copy.' })
  variable!: number;

  @Field(() => Int, { description: 'Id of the named value of the variable.' })
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
  variable!: number;

  @Field(() => Int, { description: 'Id of the named value of the variable.' })
  variableName!: number;

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
  variable?: number | null;

  @Field(() => Int, { nullable: true, description: 'Id of another named value to replace.' })
  variableName?: number | null;
}

/** Validates a list of inserted variables. Elements without an id get new ids above the greatest one. */
export function insertedVariables(sent: readonly InsertedVariableInput[], faults: Faults): InsertedVariable[] {
  if (sent.length > MAX_INSERTED) {
    faults.add('insertedVariables', `Ensure this list has no more than ${MAX_INSERTED} values.`);
    return [];
  }
  let lastId = Math.max(0, ...sent.map(({ id }) => id ?? 0));
  const taken = new Set<number>();
  return sent.map((element, index) => {
    const { variable, variableName, value } = element;
    const id = element.id ?? ++lastId;
    const at = `insertedVariables.${index}`;
    faults.integer(`${at}.id`, id, { min: 1, max: MAX_INTEGER });
    if (taken.has(id)) faults.add(`${at}.id`, 'Another value in this list has the same id.');
    taken.add(id);
    checkInserted(faults, `${at}.`, element);
    return { id, variable, variableName, value };
  });
}

/** Validates the members of an inserted variable. `at` is the path prefix of its faults: empty, or ending in a dot. */
export function checkInserted(
  faults: Faults,
  at: string,
  { variable, variableName, value }: Omit<InsertedVariableChange, 'id'>,
): void {
  faults.integer(`${at}variable`, variable, { min: 1, max: MAX_INTEGER });
  faults.integer(`${at}variableName`, variableName, { min: 1, max: MAX_INTEGER });
  faults.text(`${at}value`, value, { max: MAX_VALUE });
}
