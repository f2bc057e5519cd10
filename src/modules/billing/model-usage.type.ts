import { Field, Int, ObjectType } from 'type-graphql';
import type { NodeUsage } from '../../engine/workflow/run/node-usage.js';
import { Decimal } from '../../platform/json/scalars.js';

@ObjectType({ description: 'What language models have used: tokens, and what they cost.' })
export class ModelUsage {
  @Field(() => Int, { description: 'Tokens that went in.' })
  promptTokens!: number;

  @Field(() => Int, { description: 'Tokens that came out.' })
  completionTokens!: number;

  @Field(() => Int, { description: 'Both together.' })
  totalTokens!: number;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The cost in US dollars; null when the price of a model is unknown.',
  })
  costUsd!: string | null;
}

export function modelUsage(usage: NodeUsage | undefined): ModelUsage | null {
  if (!usage) return null;
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    costUsd: usage.cost_usd,
  };
}
