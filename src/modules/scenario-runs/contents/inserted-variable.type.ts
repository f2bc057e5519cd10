import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { Faults } from '../../../platform/errors/fields.js';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';

const MAX_INSERTED = 1_000;
const MAX_VALUE = 100_000;

@ObjectType({ description: 'A value that stands, in one run, for a named value of a variable.' })
export class InsertedVariable {
  @Field(() => Int, { description: 'Unique within the run.' })
  id!: number;

  @Field(() => Int, { description: 'The variable, by the id of the original or of the run’s copy.' })
  variable!: number;

  @Field(() => Int, { description: 'The named value of the variable.' })
  variableName!: number;

  @Field(() => String, { description: 'What placeholders of the pair find. At most 100,000 characters.' })
  value!: string;
}

@InputType({ description: 'A value that is to stand, in one run, for a named value of a variable.' })
export class InsertedVariableInput {
  @Field(() => Int, { nullable: true, description: 'Unique within the run, 1 or more. Absent: one is given.' })
  id?: number | null;

  @Field(() => Int, { description: 'The variable, by the id of the original or of the run’s copy.' })
  variable!: number;

  @Field(() => Int, { description: 'The named value of the variable.' })
  variableName!: number;

  @Field(() => String, { description: 'What placeholders of the pair find. At most 100,000 characters.' })
  value!: string;
}

@InputType({ description: 'A change of one inserted variable; what is left out stays.' })
export class InsertedVariableChange {
  @Field(() => Int, { description: 'The inserted variable, by its own id.' })
  id!: number;

  @Field(() => String, { description: 'The new value, at most 100,000 characters.' })
  value!: string;

  @Field(() => Int, { nullable: true, description: 'Another variable.' })
  variable?: number | null;

  @Field(() => Int, { nullable: true, description: 'Another named value.' })
  variableName?: number | null;
}

/** What a sent list is stored as: ids that were left out are given after the greatest one. */
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
    if (taken.has(id)) faults.add(`${at}.id`, 'Two values cannot have one id.');
    taken.add(id);
    checkInserted(faults, `${at}.`, element);
    return { id, variable, variableName, value };
  });
}

/** `at`: where the members stand, with its dot. */
export function checkInserted(
  faults: Faults,
  at: string,
  { variable, variableName, value }: Omit<InsertedVariableChange, 'id'>,
): void {
  faults.integer(`${at}variable`, variable, { min: 1, max: MAX_INTEGER });
  faults.integer(`${at}variableName`, variableName, { min: 1, max: MAX_INTEGER });
  faults.text(`${at}value`, value, { max: MAX_VALUE });
}
