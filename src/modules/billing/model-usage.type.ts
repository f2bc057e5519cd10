import { Field, Int, ObjectType } from 'type-graphql';
import type { NodeUsage } from '../../engine/workflow/run/node-usage.js';
import { Decimal } from '../../platform/json/scalars.js';
import type { FinishReason } from './finish-reason.type.js';

@ObjectType({ description: 'The usage of language models: tokens and cost.' })
export class ModelUsage {
  @Field(() => Int, { description: 'The number of input tokens.' })
  promptTokens!: number;

  @Field(() => Int, { description: 'The number of output tokens.' })
  completionTokens!: number;

  @Field(() => Int, { description: 'The sum of input and output tokens.' })
  totalTokens!: number;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The cost in US dollars. Null if the price of a model is unknown.',
  })
  costUsd!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      'What answers from the cache saved, in US dollars (`cache_seconds` of a node). Null if no answer came from the cache.',
  })
  savedUsd!: string | null;
}

export function modelUsage(usage: NodeUsage | undefined): ModelUsage | null {
  if (!usage) return null;
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    costUsd: usage.cost_usd,
    savedUsd: usage.saved_usd ?? null,
  };
}

export function finishReasonOf(usage: NodeUsage | undefined): FinishReason | null {
  return (usage?.finish_reason as FinishReason | undefined) ?? null;
}
