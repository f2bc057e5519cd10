import { type GraphQLFieldResolver, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { RequestContext } from '../modules/accounts/request-context.js';
import { type MutationError, mutationErrorsOf } from '../platform/graphql/mutation-error.type.js';
import { PAYLOAD, type PayloadExtension } from '../platform/graphql/payload-mutation.js';
import type { Warning } from '../platform/graphql/warning.type.js';
import type { Warning as RequestWarning } from '../platform/requests/warnings.js';
import { recordOutcome } from '../platform/tracing/work-context.js';
import { domainErrorOf } from './errors.js';

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

/** Converts the values and refusals of mutations to their payloads. */
export function addPayloadResolvers(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const extension = field.extensions[PAYLOAD] as PayloadExtension | undefined;
    if (!extension || !field.resolve) continue;
    field.resolve = payloadResolver(extension, field.resolve as Resolver) as typeof field.resolve;
    repeatFields(getNamedType(field.type), extension);
  }
}

function payloadResolver({ member, refusalsOf }: PayloadExtension, resolve: Resolver): Resolver {
  const toPayload = (value: unknown, errors: MutationError[], warnings: Warning[]) => {
    const [error] = errors;
    if (error) recordOutcome({ inner: error.code });
    return { [member]: value, errors, warnings };
  };
  const resolvePayload = async (...args: Parameters<Resolver>) => {
    const { items } = args[2].warnings;
    // Mutations of an operation are executed one after the other, so the later warnings are those of this one.
    const warningsBefore = items.length;
    const warnings = () => items.slice(warningsBefore).map(toWarning);
    try {
      const value = await resolve(...args);
      return toPayload(value, refusalsOf?.(value as never) ?? [], warnings());
    } catch (error) {
      const known = domainErrorOf(error);
      const errors = known && mutationErrorsOf(known);
      if (!errors) throw error;
      return toPayload(null, errors, warnings());
    }
  };
  // REST has one error format for all routes and selects only the value.
  return (...args) => {
    if (!args[2].throwsRefusals) return resolvePayload(...args);
    const value = resolve(...args);
    return value instanceof Promise ? value.then(found => ({ [member]: found })) : { [member]: value };
  };
}

function toWarning({ code = 'unknown_member', message, path }: RequestWarning): Warning {
  return { code, message, path: path === '' ? [] : path.split('.') };
}

/** Resolves the further members of a payload with the resolvers of the value that has them. */
function repeatFields(payload: unknown, { member, repeated }: PayloadExtension): void {
  if (!isObjectType(payload)) return;
  const fields = payload.getFields();
  const valueType = fields[member] && getNamedType(fields[member].type);
  for (const name of repeated) {
    const field = fields[name];
    const source = isObjectType(valueType) ? valueType.getFields()[name] : undefined;
    if (!field || !source?.resolve) throw new Error(`${payload.name}.${name} repeats no field of ${member}`);
    const { resolve } = source;
    field.resolve = (root, ...rest) => {
      const value = (root as Record<string, unknown>)[member];
      return value === null ? null : resolve(value, ...rest);
    };
  }
}
