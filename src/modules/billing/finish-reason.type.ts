import { registerEnumType } from 'type-graphql';

export enum FinishReason {
  STOP = 'stop',
  LENGTH = 'length',
  CONTENT_FILTER = 'content_filter',
  TOOL_CALLS = 'tool_calls',
  OTHER = 'other',
}
registerEnumType(FinishReason, {
  name: 'FinishReason',
  description: 'Why a language model ended its answer.',
  valuesConfig: {
    STOP: { description: 'The answer is complete.' },
    LENGTH: { description: 'The answer was cut at the maximum number of tokens.' },
    CONTENT_FILTER: { description: 'The answer was cut or withheld by a content filter.' },
    TOOL_CALLS: { description: 'The model requested tool calls.' },
    OTHER: { description: 'Any other reason of the provider.' },
  },
});
