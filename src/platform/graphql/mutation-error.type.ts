import { Field, InterfaceType, ObjectType, registerEnumType } from 'type-graphql';
import { BudgetExceededError, type DomainError, ErrorCode } from '../errors/errors.js';
import { Decimal } from '../json/scalars.js';

registerEnumType(ErrorCode, {
  name: 'ErrorCode',
  description: 'Kind of an error: `code` of an error in a payload, `extensions.code` of a top-level error.',
  valuesConfig: {
    UNAUTHENTICATED: { description: 'No valid credentials. Top-level only.' },
    FORBIDDEN: { description: 'The role of the caller does not permit the operation. Top-level only.' },
    NOT_FOUND: { description: 'The resource does not exist or is not visible to the caller. Top-level only.' },
    BAD_USER_INPUT: { description: 'The input is invalid, or a condition of the operation is not met.' },
    CONFLICT: { description: 'The current state does not permit the operation.' },
    RATE_LIMITED: { description: 'Too many requests; `extensions.retryAfter` is in seconds. Top-level only.' },
    BUDGET_EXCEEDED: { description: 'A spending limit is reached or does not cover the call.' },
    QUERY_TOO_COMPLEX: { description: 'The operation exceeds a limit on its complexity. Top-level only.' },
    PAYLOAD_TOO_LARGE: { description: 'The request or a file is too large. Top-level only.' },
    UNAVAILABLE: { description: 'The service or a dependency is temporarily unavailable. Top-level only.' },
  },
});

@InterfaceType({
  description: 'Why a mutation was refused. The mutation changed nothing, unless a type says otherwise.',
})
export abstract class MutationError {
  @Field(() => ErrorCode, { description: 'Kind of the error.' })
  code!: ErrorCode;

  @Field(() => String, {
    description: 'Describes the problem and the permitted values, as text for people. Contains no secret values.',
  })
  message!: string;

  @Field(() => [String], {
    description:
      'Names of the members from the input to the faulty one, for example `["webhookUrl"]`. Empty for the whole input. At most 64.',
  })
  path!: string[];
}

@ObjectType('InputError', {
  implements: MutationError,
  description: 'A member of the input, or the input, is invalid.',
})
export class InputRefusal extends MutationError {}

@ObjectType('ConflictError', {
  implements: MutationError,
  description: 'The current state does not permit the operation.',
})
export class ConflictRefusal extends MutationError {}

@ObjectType('BudgetError', {
  implements: MutationError,
  description: 'A spending limit is reached or does not cover the call.',
})
export class BudgetRefusal extends MutationError {
  @Field(() => Decimal, { nullable: true, description: 'The limit in US dollars. Null when it is not known here.' })
  limitUsd!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The amount spent in US dollars. Null when it is not known here.',
  })
  spentUsd!: string | null;
}

/** A domain error with error types of its own. */
export interface TypedRefusal {
  toMutationErrors(): MutationError[];
}

/** Creates an error of a payload. */
export function refusal<T extends MutationError>(type: new () => T, members: T): T {
  return Object.assign(new type(), members);
}

/** The errors of a payload for an expected refusal, one per message. Undefined: the error is top-level. */
export function mutationErrorsOf(error: DomainError): MutationError[] | undefined {
  if ('toMutationErrors' in error) return (error as DomainError & TypedRefusal).toMutationErrors();
  const { message, extensions } = error;
  const { code, fields } = extensions;
  if (code === 'CONFLICT') return [refusal(ConflictRefusal, { code, message, path: [] })];
  if (code === 'BUDGET_EXCEEDED') {
    const use = error instanceof BudgetExceededError ? error.use : null;
    const { limitUsd = null, spentUsd = null } = use ?? {};
    return [refusal(BudgetRefusal, { code, message, path: [], limitUsd, spentUsd })];
  }
  if (code !== 'BAD_USER_INPUT') return undefined;
  const faults = Object.entries(fields ?? {}).flatMap(([name, messages]) =>
    messages.map(text => refusal(InputRefusal, { code, message: text, path: pathOf(name) })),
  );
  return faults.length > 0 ? faults : [refusal(InputRefusal, { code, message, path: [] })];
}

/** The path of a member such as `data.nodes`. */
function pathOf(name: string): string[] {
  return name === 'nonFieldErrors' ? [] : name.split('.');
}
