import { registerEnumType } from 'type-graphql';

/** The property by which the costs of a summary are grouped. */
export enum CostGroup {
  MODEL = 'MODEL',
  WORKFLOW = 'WORKFLOW',
  API_KEY = 'API_KEY',
  USER = 'USER',
}

registerEnumType(CostGroup, {
  name: 'CostGroup',
  description: 'The property by which the costs of a summary are grouped.',
  valuesConfig: {
    MODEL: { description: 'The language model. Nodes with calls to several models count for the first one.' },
    WORKFLOW: { description: 'The workflow of the run. Null for chat completions, scenario runs and unsaved graphs.' },
    API_KEY: { description: 'The API key that was charged. Null if the limits of the key do not apply.' },
    USER: { description: 'The user who started the run or the chat completion.' },
  },
});

/** The length of the time intervals of a summary. */
export enum SummaryInterval {
  HOUR = 'HOUR',
  DAY = 'DAY',
  MONTH = 'MONTH',
}

registerEnumType(SummaryInterval, {
  name: 'SummaryInterval',
  description: 'The length of the time intervals of a summary. Intervals start at full hours, days and months in UTC.',
  valuesConfig: {
    HOUR: { description: 'One hour. The range may have at most 31 days.' },
    DAY: { description: 'One day. The range may have at most 400 days.' },
    MONTH: { description: 'One month.' },
  },
});
