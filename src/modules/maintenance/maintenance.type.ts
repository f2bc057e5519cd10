import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Whether the service is closed for maintenance.' })
export class Maintenance {
  @Field(() => Boolean, { description: 'True: API requests are answered 503, while runs go on.' })
  isOn!: boolean;

  @Field(() => String, { description: 'What callers are told; empty: a sentence of the service’s own.' })
  message!: string;

  @Field(() => Date, { nullable: true, description: 'Since when it is on; null while it is off.' })
  since!: Date | null;
}
