import { type ClassType, Extensions, Field, Mutation, ObjectType } from 'type-graphql';
import { MutationError } from './mutation-error.type.js';
import { Warning } from './warning.type.js';

/** Returns an object type, a scalar, or a list of one of them. */
type TypeThunk = () => object;

export interface PayloadMutationOptions<T> {
  /** The member that receives the value of the method, with its type. Further members repeat fields of the value. */
  returns: Readonly<Record<string, TypeThunk>>;
  name: string;
  description: string;
  /** Description of the first member. Required for a list, which must name its bound. */
  result?: string;
  /** The errors of a value that contains a refusal, for example a run that was recorded as refused. */
  refusalsOf?: (value: T) => MutationError[];
}

/** Extension of a mutation field: how its value becomes a payload. */
export interface PayloadExtension {
  /** The member that receives the value. */
  member: string;
  /** Further members, which repeat fields of the value. */
  repeated: readonly string[];
  refusalsOf?: ((value: never) => MutationError[]) | undefined;
}

/** Name of the extension. */
export const PAYLOAD = 'payload';

/**
 * Declares a mutation whose type is a generated `<Name>Payload`: the value of the method, `errors` and `warnings`. The method returns
 * the value and throws domain errors; `graphql/payload-resolvers.ts` converts both. The mutation is nullable, so that an error of a
 * later mutation of the operation does not remove this payload.
 */
export function PayloadMutation<T>(options: PayloadMutationOptions<T>): MethodDecorator {
  const { returns, name, description, refusalsOf } = options;
  const [member, ...repeated] = Object.keys(returns) as [string, ...string[]];
  const payload = createPayloadType(options);
  const extension: PayloadExtension = { member, repeated, refusalsOf };
  return (target, key, descriptor) => {
    Mutation(() => payload, { name, description, nullable: true })(target, key, descriptor as never);
    Extensions({ [PAYLOAD]: extension })(target, key, descriptor as never);
  };
}

@ObjectType()
abstract class PayloadBase {
  @Field(() => [MutationError], {
    description: 'Why the mutation was refused: at most one error per fault. Empty after a success.',
  })
  errors!: MutationError[];

  @Field(() => [Warning], {
    description: 'Faults of the input that did not prevent the mutation, for example unknown members. At most 50.',
  })
  warnings!: Warning[];
}

function createPayloadType({ returns, name: mutation, result }: PayloadMutationOptions<never>): ClassType<PayloadBase> {
  const name = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Payload`;
  class Payload extends PayloadBase {}
  ObjectType(name, { description: `Result of \`${mutation}\`.` })(Payload);
  for (const [index, [member, type]] of Object.entries(returns).entries()) {
    const description = (index === 0 && result) || 'The result. Null when the mutation was refused: `errors` says why.';
    Field(type, { nullable: true, description })(Payload.prototype, member);
  }
  return Payload;
}
