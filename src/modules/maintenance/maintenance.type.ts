import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'The state of the maintenance mode.' })
export class Maintenance {
  @Field(() => Boolean, {
    description: 'Whether the maintenance mode is on. If so, API requests receive 503, while runs continue.',
  })
  isOn!: boolean;

  @Field(() => String, { description: 'The error message for refused requests. Empty: a standard message.' })
  message!: string;

  @Field(() => Date, { nullable: true, description: 'When the maintenance mode was turned on. Null while it is off.' })
  since!: Date | null;
}
