import { expect, it } from '@jest/globals';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { readPage } from './support/readme/readme.js';

/** Fields and arguments of the type JSON, by the reason why no other type fits. */
const REASONS = {
  'values whose form users and their workflows decide': `
    AgentApproval.arguments AgentApproval.editedArguments KeyValueEntry.value KeyValueEntrySetInput.value MarketplaceExample.inputData
    MarketplaceExample.result MemberFormAnswer.result MemberFormSubmission.input Mutation.agentApprovalApprove.editedArguments Mutation.workflowEventSend.payload
    Mutation.workflowRunAndWait.input Mutation.workflowRunFork.input Mutation.workflowRunRestart.input Mutation.workflowRunStart.input
    Mutation.workflowRunStartGraph.input Query.workflowRunEffects.input TriggerChat.mapping TriggerChatInput.mapping TriggerEvent.mapping TriggerEventInput.mapping
    TriggerWebhook.mapping TriggerWebhookInput.mapping WorkflowRehearsedRun.outputAfter
    WorkflowRehearsedRun.outputBefore WorkflowRun.inputData WorkflowRun.result WorkflowRunDiff.leftOutput
    WorkflowRunDiff.rightOutput WorkflowRunInputDiff.left WorkflowRunInputDiff.right WorkflowRunNode.resolvedInput
    WorkflowRunResult.output WorkflowRunStartInput.input WorkflowRunStep.arguments WorkflowTrigger.input
    WorkflowTriggerCreateInput.input WorkflowTriggerUpdateInput.input`,
  'graphs with the members that front ends store in them; the typed graph does not have these': `
    MarketplaceExample.data Mutation.workflowRunStartGraph.data Query.workflowCheck.data Workflow.data WorkflowCreateInput.data
    WorkflowRevision.data WorkflowRun.data WorkflowUpdateInput.data`,
  'settings in the form of their kind, which `nodeKinds` describes': `
    ApiOperation.agentTool ApiOperation.httpNode MemberForm.fields NodeKind.defaults WorkflowGraphNode.settings WorkflowGraphNodeInput.settings WorkflowSettingChange.after
    WorkflowSettingChange.before NodeFieldCondition.equals WorkflowNodeChangeInput.settings`,
  'parameters that the provider of the model defines': `
    Message.parameters MessageCreateInput.parameters MessageUpdateInput.parameters ScenarioRunMessageInput.parameters`,
  'JSON Schemas':
    'AgentApproval.argumentsSchema ApiOperation.parameters McpServerTool.inputSchema NodeKind.contentSchema NodeKind.schema',
  'descriptions of tools in the form of their server': 'Query.mcpTools',
  'objects whose keys are ids of nodes, in the form of the interface specification': `
    ExecutionUpdateInput.data ExecutionUpdateInput.error ExecutionUpdateInput.output ExecutionUpdateInput.transactions
    WorkflowCheck.data WorkflowRunResult.data`,
  'objects whose values are also typed, next to them': 'AuditEntry.detail',
  'details in a form of their own for each event or function': `
    ExpressionExample.result WebhookDelivery.body`,
};

it('has the type JSON only where no other type fits', () => {
  const found = Object.values(buildSchema(readPage('schema.graphql')).getTypeMap()).flatMap(type =>
    (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) && !type.name.startsWith('__')
      ? Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields()).flatMap(field => {
          const members =
            'args' in field ? field.args.map(arg => [`${field.name}.${arg.name}`, arg.type] as const) : [];
          return [[field.name, field.type] as const, ...members]
            .filter(([, of]) => String(getNamedType(of)) === 'JSON')
            .map(([name]) => `${type.name}.${name}`);
        })
      : [],
  );
  const listed = Object.values(REASONS).flatMap(names => names.trim().split(/\s+/));
  expect(found.toSorted()).toEqual(listed.toSorted());
});
