/** Object types without a field `id`, by reason. test/schema-identity.test.ts checks the types that have one. */
const GROUPS = {
  // Identified by other fields: by two ids, a key, a name or a number.
  otherKeys: `
    AgentApproval BillingCredit BookmarkReceipt ConnectionPreset ConversationMessage McpServerTool NodeKind ProjectActivity RunSummaryItem ScenarioRunChange
    ScenarioRunMessage ServiceQueue TriggerFailure WebhookAttempt WorkflowGraphNode WorkflowInputField WorkflowRunAttempt WorkflowRunChange
    WorkflowRunDelivery WorkflowRunNode WorkflowRunResult WorkflowRunStep`,
  // Values of their parent.
  values: `
    AgentApprovalDecider AgentApprovalDecision AgentApprovalMessage AgentApprovalQuestion AgentApprovalStart
    AgentApprovalTool AgentApprovalVote ApiKeyBudget AuditDetail Condition ConnectionSettings CostSummaryItem DocumentSearchHit ExternalCost InsertedVariable
    MemberChat MemberForm ModelUsage Money NodeField NodeFieldCondition NodeOutput NodeUiHints OidcSignIn OperatorLimit PageInfo ProjectBudget
    ProjectStorageUse RunCost ScenarioRunError ScenarioRunLocalVariable ScenarioRunRound ScenarioRunTokens TriggerChat TriggerEvent TriggerForm TriggerSchedule
    TriggerWebhook VariableName WorkflowGraph WorkflowInputFieldOption WorkflowNodePosition WorkflowReach WorkflowRunDiff
    WorkflowRunError WorkflowRunInputDiff WorkflowRunNodeDiff WorkflowRunWait WorkflowTerms WorkflowTermsOffer
    WorkflowEdgeChange WorkflowNodeChange WorkflowRevisionDiff WorkflowSettingChange`,
  // Results of a call, which nothing stores.
  results: `
    AgentApprovalReceipt ChatModelList ConnectionAuthorization ConnectionTest CostSummary DeadLetterRedrive Maintenance MemberFormAnswer PasswordChange PasswordResetLink
    ProjectMemberOffer ProviderKeyTest RunSummary ServiceHealth Session SignInOptions WebhookSecret WorkflowCheck WorkflowGap WorkflowIssue
    WorkflowBisectFinding WorkflowRehearsalChange WorkflowRunEffect WorkflowRunEffects WorkflowRunReceipt WorkflowRunStart WorkflowRunStarts`,
  messages: 'BudgetError ConflictError InputError PublishRefusedError RunRefusedError Warning',
  expressionReference: 'ExpressionExample ExpressionFunction ExpressionParameter ExpressionReference',
};

export const TYPES_WITHOUT_ID = Object.values(GROUPS).flatMap(names => names.trim().split(/\s+/));
