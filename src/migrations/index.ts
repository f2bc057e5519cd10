import { M0001PeopleProjectsWorkflows } from './m0001-people-projects-workflows.js';
import { M0002WorkflowRuns } from './m0002-workflow-runs.js';
import { M0003WaitingRuns } from './m0003-waiting-runs.js';
import { M0004IdempotencyKeys } from './m0004-idempotency-keys.js';
import { M0005Budgets } from './m0005-budgets.js';
import { M0006ToolPins } from './m0006-tool-pins.js';
import { M0007People } from './m0007-people.js';
import { M0008Limits } from './m0008-limits.js';
import { M0009Webhooks } from './m0009-webhooks.js';
import { M0010Scenarios } from './m0010-scenarios.js';
import { M0011ScenarioRuns } from './m0011-scenario-runs.js';
import { M0012Documents } from './m0012-documents.js';
import { M0013Keywords } from './m0013-keywords.js';
import { M0014Marketplace } from './m0014-marketplace.js';
import { M0015ProviderKeys } from './m0015-provider-keys.js';
import { M0016RunFiles } from './m0016-run-files.js';
import { M0017KeyBudgets } from './m0017-key-budgets.js';
import { M0018Catalog } from './m0018-catalog.js';
import { M0019Activity } from './m0019-activity.js';
import { M0020Lists } from './m0020-lists.js';
import { M0021Traces } from './m0021-traces.js';
import { M0022Load } from './m0022-load.js';
import { M0023Uploads } from './m0023-uploads.js';
import { M0024UnsuccessfulByCost } from './m0024-unsuccessful-by-cost.js';
import { M0025OrderedLedgerIds } from './m0025-ordered-ledger-ids.js';
import { M0026LedgerOfProjects } from './m0026-ledger-of-projects.js';
import { M0027AcceptedMigrations } from './m0027-accepted-migrations.js';
import { M0028Retention } from './m0028-retention.js';
import { M0029MarketTerms } from './m0029-market-terms.js';
import { M0030ProjectStorage } from './m0030-project-storage.js';
import { M0031OneEnd } from './m0031-one-end.js';
import { M0032LeaseHolders } from './m0032-lease-holders.js';
import { M0033Invitations } from './m0033-invitations.js';
import { M0034Accounts } from './m0034-accounts.js';
import { M0035AnsweredCalls } from './m0035-answered-calls.js';
import { M0036ShorterRows } from './m0036-shorter-rows.js';
import { M0037OperatorLimits } from './m0037-operator-limits.js';
import { M0038FewerBytes } from './m0038-fewer-bytes.js';
import { M0039NarrowDeliveries } from './m0039-narrow-deliveries.js';
import { M0040ShortKeys } from './m0040-short-keys.js';
import { M0041JobsOfRuns } from './m0041-jobs-of-runs.js';
import { M0042JobsOfWebhooks } from './m0042-jobs-of-webhooks.js';
import { M0043ProviderNames } from './m0043-provider-names.js';
import { M0044Summaries } from './m0044-summaries.js';
import { M0045SignInLinks } from './m0045-sign-in-links.js';
import { M0046ApprovalDecisions } from './m0046-approval-decisions.js';
import { M0047ProjectVariables } from './m0047-project-variables.js';
import { M0048SessionClients } from './m0048-session-clients.js';
import { M0049Triggers } from './m0049-triggers.js';
import { M0050ApprovalVotes } from './m0050-approval-votes.js';
import { M0051PasswordResetLinks } from './m0051-password-reset-links.js';
import { M0052McpServerTools } from './m0052-mcp-server-tools.js';
import { M0053WorkflowEvents } from './m0053-workflow-events.js';
import { M0054ProjectFiles } from './m0054-project-files.js';
import { M0055Revisions } from './m0055-revisions.js';
import { M0056Connections } from './m0056-connections.js';
import { M0057PausedWorkflows } from './m0057-paused-workflows.js';
import { M0058EventTriggers } from './m0058-event-triggers.js';
import { M0059KeyValues } from './m0059-key-values.js';
import { M0060ConnectionTokens } from './m0060-connection-tokens.js';
import { M0061FormTriggers } from './m0061-form-triggers.js';
import { M0062Rehearsals } from './m0062-rehearsals.js';
import { M0063SmallerRuns } from './m0063-smaller-runs.js';
import { M0064CachedAnswers } from './m0064-cached-answers.js';
import { M0065PaidFiles } from './m0065-paid-files.js';
import { M0066ChatTriggers } from './m0066-chat-triggers.js';
import { M0067ConnectionsOfKeywordRuns } from './m0067-connections-of-keyword-runs.js';
import { M0068ApiDefinitions } from './m0068-api-definitions.js';
import { M0069RunTags } from './m0069-run-tags.js';
import { M0070WorkflowsOfScenarioRuns } from './m0070-workflows-of-scenario-runs.js';
import { M0071ProjectEnvironments } from './m0071-project-environments.js';
import { M0072LedgerWithoutRowLocks } from './m0072-ledger-without-row-locks.js';

/** All migrations in order. A released migration is never changed; corrections are new migrations. */
export const MIGRATIONS = [
  M0001PeopleProjectsWorkflows,
  M0002WorkflowRuns,
  M0003WaitingRuns,
  M0004IdempotencyKeys,
  M0005Budgets,
  M0006ToolPins,
  M0007People,
  M0008Limits,
  M0009Webhooks,
  M0010Scenarios,
  M0011ScenarioRuns,
  M0012Documents,
  M0013Keywords,
  M0014Marketplace,
  M0015ProviderKeys,
  M0016RunFiles,
  M0017KeyBudgets,
  M0018Catalog,
  M0019Activity,
  M0020Lists,
  M0021Traces,
  M0022Load,
  M0023Uploads,
  M0024UnsuccessfulByCost,
  M0025OrderedLedgerIds,
  M0026LedgerOfProjects,
  M0027AcceptedMigrations,
  M0028Retention,
  M0029MarketTerms,
  M0030ProjectStorage,
  M0031OneEnd,
  M0032LeaseHolders,
  M0033Invitations,
  M0034Accounts,
  M0035AnsweredCalls,
  M0036ShorterRows,
  M0037OperatorLimits,
  M0038FewerBytes,
  M0039NarrowDeliveries,
  M0040ShortKeys,
  M0041JobsOfRuns,
  M0042JobsOfWebhooks,
  M0043ProviderNames,
  M0044Summaries,
  M0045SignInLinks,
  M0046ApprovalDecisions,
  M0047ProjectVariables,
  M0048SessionClients,
  M0049Triggers,
  M0050ApprovalVotes,
  M0051PasswordResetLinks,
  M0052McpServerTools,
  M0053WorkflowEvents,
  M0054ProjectFiles,
  M0055Revisions,
  M0056Connections,
  M0057PausedWorkflows,
  M0058EventTriggers,
  M0059KeyValues,
  M0060ConnectionTokens,
  M0061FormTriggers,
  M0062Rehearsals,
  M0063SmallerRuns,
  M0064CachedAnswers,
  M0065PaidFiles,
  M0066ChatTriggers,
  M0067ConnectionsOfKeywordRuns,
  M0068ApiDefinitions,
  M0069RunTags,
  M0070WorkflowsOfScenarioRuns,
  M0071ProjectEnvironments,
  M0072LedgerWithoutRowLocks,
].map(migration => ({ name: migration.name, class: migration }));
