import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { routes } from '../../../rest-compat/generated/routes.js';
import { prepareOperation } from '../../../rest-compat/runtime/operation.js';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));

function shapeResult(operation: string, result: unknown): unknown {
  const route = routes.find(each => each.operation === operation);
  if (!route) throw new Error(`There is no operation ${operation}.`);
  return prepareOperation(schema, route).shape?.(result);
}

// Interface specification, "Execution-service run status" and "Stored run status".
test.each([
  ['DRAFT', 'not found', 'Draft'],
  ['QUEUED', 'in queue', 'In Progress'],
  ['RUNNING', 'in progress', 'In Progress'],
  ['WAITING', 'in progress', 'In Progress'],
  ['SUCCEEDED', 'succeed', 'Succeeded'],
  ['FAILED', 'failed', 'Error'],
  ['CANCELLED', 'failed', 'Cancelled'],
])('a workflow run that is %s has the labels "%s" and "%s"', (state, execution, stored) => {
  for (const operation of ['RunWorkflow', 'RunGraph', 'RerunWorkflow', 'GetWorkflowResult', 'UpdateExecution'])
    expect(shapeResult(operation, { data: { status: state } })).toEqual({ data: { status: execution } });
  expect(shapeResult('RetrieveWorkflowRun', { status: state })).toEqual({ status: stored });
  expect(shapeResult('ListWorkflowRuns', { items: [{ status: state }] })).toEqual({ items: [{ status: stored }] });
});

test('an expired result has the label "not found"', () => {
  expect(shapeResult('GetWorkflowResult', { data: { status: 'EXPIRED' } })).toEqual({ data: { status: 'not found' } });
});

test.each([
  ['QUEUED', 'created'],
  ['RUNNING', 'in_progress'],
  ['SUCCEEDED', 'finished'],
  ['FAILED', 'error'],
])('another run that is %s has the label "%s"', (state, label) => {
  for (const operation of ['RetrieveScenarioRun', 'RetrieveRecognitionrun', 'RetrieveKeywordrun'])
    expect(shapeResult(operation, { status: state })).toEqual({ status: label });
});
