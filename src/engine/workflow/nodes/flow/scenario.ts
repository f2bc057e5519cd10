import { z } from 'zod';
import { textOf } from '../../../json-value.js';
import { MAX_INTEGER } from '../../../max-integer.js';
import { PortError } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';

export const scenario = nodeKind({
  type: 'scenario-node',
  nodeType: 'ScenarioNode',
  title: 'Scenario',
  description:
    'Runs a scenario of the same project and waits for the result without occupying a worker. The content is the final result. The messages are charged to the scenario run.',
  category: 'ai',
  effects: 'steps',
  outputs: oneOutput,
  defaults: { scenario_id: '{{ input.scenario_id }}', variables: {} },
  defaultTimeout: null,
  form: {
    icon: 'messages',
    color: '#7c3aed',
    fields: {
      scenario_id: { title: 'Scenario', widget: 'scenario', optionsFrom: 'scenarios' },
      variables: { title: 'Variables', widget: 'key_value' },
    },
    content: { sample: 'The final result of the scenario.' },
  },
  settings: setting =>
    z.looseObject({
      scenario_id: setting
        .value(z.number().int().min(1).max(MAX_INTEGER))
        .describe('Id of a scenario of the same project.'),
      variables: setting
        .value(z.record(z.string(), z.unknown()))
        .nullish()
        .describe(
          'Values by variable key, an object. Each value replaces the first value of that variable of the scenario, only in this run. A value must not contain a secret: all members can read the variables of a scenario run. Default: none.',
        ),
    }),
  references: ({ scenario_id: value }) => [{ kind: 'scenario', path: 'scenario_id', value }],
  execute: async ({ settings, steps, deadline }) => {
    const variables = Object.entries(settings.variables ?? {}).map(([key, value]) => [key, textOf(value)] as const);
    const end = await steps.executeScenarioRun(
      { name: 'run', tool: `scenario ${settings.scenario_id}` },
      {
        scenarioId: settings.scenario_id,
        variables: Object.fromEntries(variables),
        ...(deadline === null ? {} : { until: deadline }),
      },
    );
    if (end.status === 'succeeded') return { content: end.content };
    throw new PortError('scenario_failed', `the scenario run ${end.runId} failed: ${end.error.message}`);
  },
});
