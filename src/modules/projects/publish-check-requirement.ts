import { registerEnumType } from 'type-graphql';

export enum PublishCheckRequirement {
  NONE = 'none',
  NO_FAILURES = 'no_failures',
  NO_CHANGES = 'no_changes',
}
registerEnumType(PublishCheckRequirement, {
  name: 'PublishCheckRequirement',
  description: 'The check that a revision must pass before a project publishes it.',
  valuesConfig: {
    NONE: { description: 'None.' },
    NO_FAILURES: { description: 'A publish check with the verdict UNCHANGED or CHANGED.' },
    NO_CHANGES: { description: 'A publish check with the verdict UNCHANGED.' },
  },
});
