import { Ctx, Query, Resolver } from 'type-graphql';
import { FUNCTION_GROUPS } from '../../engine/expressions/functions/function-kind.js';
import { functionGroups } from '../../engine/expressions/functions/index.js';
import { ROOTS } from '../../engine/expressions/references.js';
import type { ParameterType, ValueType } from '../../engine/expressions/value-types.js';
import type { RequestContext } from '../accounts/request-context.js';
import {
  ExpressionFunction,
  type ExpressionFunctionGroup,
  ExpressionReference,
  type ExpressionType,
} from './expression-function.type.js';

/** All functions in the order of the documentation. */
const allFunctions = FUNCTION_GROUPS.flatMap(group =>
  functionGroups[group].map((each): ExpressionFunction => {
    const { name, signature, description, takesMissing } = each;
    return {
      ...{ name, signature, description, takesMissing },
      group: group as ExpressionFunctionGroup,
      parameters: each.parameters.map(parameter => ({ ...parameter, type: toType(parameter.type) })),
      returns: toType(each.returns),
      examples: each.examples.map(([expression, result]) => ({ expression, result })),
    };
  }),
);

/** The enum has the names of the engine. */
function toType(type: ParameterType | ValueType): ExpressionType {
  return type as ExpressionType;
}

@Resolver()
export class ExpressionsResolver {
  @Query(() => [ExpressionFunction], {
    name: 'expressionFunctions',
    description:
      'Lists the functions of the expressions in `{{ … }}`, in the order of the documentation. At most 200: all functions of the release.',
  })
  functions(@Ctx() { viewer: _viewer }: RequestContext): readonly ExpressionFunction[] {
    return allFunctions;
  }

  @Query(() => [ExpressionReference], {
    name: 'expressionReferences',
    description:
      'Lists the values that the expressions in `{{ … }}` can refer to, in the order of the documentation. At most 100: all references of the release.',
  })
  references(@Ctx() { viewer: _viewer }: RequestContext): readonly ExpressionReference[] {
    return [...ROOTS];
  }
}
