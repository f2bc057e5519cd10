import { z } from 'zod';
import { MAX_INTEGER } from '../../../max-integer.js';
import { PortError } from '../../../ports.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';

/** Setting for the id of another workflow of the project. */
export const workflowIdSetting = (setting: SettingMode) => setting.value(z.number().int().min(1).max(MAX_INTEGER));

export const subworkflow = nodeKind({
  type: 'subworkflow-node',
  nodeType: 'SubworkflowNode',
  title: 'Sub-workflow',
  description:
    'Runs another workflow of the same project and waits for its output without occupying a worker, or only starts it. The content is the output of that run, or its id. The nodes are charged to that run.',
  category: 'logic',
  effects: 'steps',
  outputs: oneOutput,
  defaults: { workflow_id: '{{ input.workflow_id }}', input: {} },
  defaultTimeout: null,
  form: {
    icon: 'sitemap',
    color: '#ea580c',
    fields: {
      workflow_id: { title: 'Workflow', widget: 'workflow', optionsFrom: 'workflows' },
      input: { title: 'Input', widget: 'key_value' },
      detached: { title: 'Start without waiting', widget: 'switch', group: 'advanced' },
    },
    content: { sample: 'The output of the other workflow.' },
  },
  settings: setting =>
    z.looseObject({
      workflow_id: workflowIdSetting(setting).describe(
        'Id of another workflow of the same project: not the running one, nor one that called it.',
      ),
      input: setting
        .value(z.record(z.string(), z.unknown()))
        .nullish()
        .describe('Input of the run, an object whose texts may contain placeholders. Default: none.'),
      detached: setting
        .value(z.boolean())
        .nullish()
        .describe(
          'True: the run is started exactly once, has no parent, and the node does not wait: a failure or cancellation of one of the two runs has no effect on the other. The content is the id of the run. Default false.',
        ),
    }),
  references: ({ workflow_id: value }) => [{ kind: 'workflow', path: 'workflow_id', value }],
  check: ({ workflow_id: id }, { workflowId }) =>
    id !== undefined && id === workflowId
      ? [{ path: 'workflow_id', message: 'must be another workflow, because a workflow cannot call itself' }]
      : [],
  execute: async ({ settings, steps, deadline }) => {
    const step = { name: 'run', tool: `workflow ${settings.workflow_id}` };
    const request = { workflowId: settings.workflow_id, input: settings.input ?? {} };
    if (settings.detached) return { content: await steps.startRun(step, request) };
    const end = await steps.executeSubRun(step, { ...request, ...(deadline === null ? {} : { until: deadline }) });
    if (end.status === 'succeeded') return { content: end.content };
    throw new PortError('subworkflow_failed', `the sub-run ${end.runId} failed: ${end.error.message}`);
  },
});
