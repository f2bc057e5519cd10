import { buildScenariumSchema, type RESOLVERS } from '../graphql/schema.js';
import { Identity } from '../http/middleware/identity.js';
import type { startWorker } from '../jobs/worker.js';
import { ApiKeyResolver } from '../modules/accounts/api-keys/api-key.resolver.js';
import { IdempotencyKeys } from '../modules/accounts/api-keys/idempotency-keys.js';
import { KeyGate } from '../modules/accounts/api-keys/key-gate.js';
import { KeyedStarts } from '../modules/accounts/api-keys/keyed-starts.js';
import type { AccountService } from '../modules/accounts/sessions/account.service.js';
import { SessionResolver } from '../modules/accounts/sessions/session.resolver.js';
import { AddressLimit } from '../modules/accounts/users/address-limit.js';
import { PasswordChangeService } from '../modules/accounts/users/password-change.service.js';
import { UserResolver } from '../modules/accounts/users/user.resolver.js';
import { ActivityReadings } from '../modules/activity/activity-readings.js';
import { ProjectActivitySubscriptionResolver } from '../modules/activity/project-activity.subscription.js';
import { ProjectActivityWatch } from '../modules/activity/project-activity-watch.js';
import { BillingService } from '../modules/billing/billing.service.js';
import { Budget } from '../modules/billing/budgets/budget.js';
import { KeyBudget } from '../modules/billing/budgets/key-budget.js';
import { EarningsResolver } from '../modules/billing/earnings.resolver.js';
import { EarningsService } from '../modules/billing/earnings.service.js';
import { CatalogResolver } from '../modules/catalog/catalog.resolver.js';
import { CatalogService } from '../modules/catalog/catalog.service.js';
import { CategoryResolver } from '../modules/categories/category.resolver.js';
import { CategoryService } from '../modules/categories/category.service.js';
import { SubcategoryResolver } from '../modules/categories/subcategory.resolver.js';
import { ApiKeySpendingResolver } from '../modules/chat/api-key-spending.resolver.js';
import { assembleChat, type ChatAssembly } from '../modules/chat/assembly.js';
import { ChatResolver } from '../modules/chat/chat.resolver.js';
import { DocumentResolver } from '../modules/documents/document.resolver.js';
import { DocumentService } from '../modules/documents/document.service.js';
import { DocumentFiles } from '../modules/documents/document-files.js';
import { FileLinks } from '../modules/documents/file-links.js';
import { ProjectStorage } from '../modules/documents/project-storage.js';
import { ProjectStorageResolver } from '../modules/documents/project-storage.resolver.js';
import { assembleKeywords } from '../modules/keywords/assembly.js';
import { KeywordResolver } from '../modules/keywords/keyword.resolver.js';
import { KeywordRunResolver } from '../modules/keywords/runs/keyword-run.resolver.js';
import { keywordRunWebhooks } from '../modules/keywords/runs/keyword-run-webhooks.js';
import { MaintenanceResolver } from '../modules/maintenance/maintenance.resolver.js';
import { MaintenanceService } from '../modules/maintenance/maintenance.service.js';
import { MaintenanceWatch } from '../modules/maintenance/maintenance-watch.js';
import { MarketCopyService } from '../modules/marketplace/market-copy.service.js';
import { MarketExamplesService } from '../modules/marketplace/market-examples.service.js';
import { MarketplaceResolver } from '../modules/marketplace/marketplace.resolver.js';
import { MarketplaceService } from '../modules/marketplace/marketplace.service.js';
import { PublicationResolver } from '../modules/marketplace/publication.resolver.js';
import { PublicationService } from '../modules/marketplace/publication.service.js';
import { WorkflowGapsResolver } from '../modules/marketplace/workflow-gaps.resolver.js';
import { WorkflowTermsResolver } from '../modules/marketplace/workflow-terms.resolver.js';
import { WorkflowTermsService } from '../modules/marketplace/workflow-terms.service.js';
import { existingMessages } from '../modules/messages/existing-messages.js';
import { MessageResolver } from '../modules/messages/message.resolver.js';
import { MessageService } from '../modules/messages/message.service.js';
import { ProjectAccess } from '../modules/projects/access.js';
import { AuditLogResolver } from '../modules/projects/audit/audit-log.resolver.js';
import { AuditLogService } from '../modules/projects/audit/audit-log.service.js';
import { InvitationResolver } from '../modules/projects/members/invitation.resolver.js';
import { InvitationService } from '../modules/projects/members/invitation.service.js';
import { MemberResolver } from '../modules/projects/members/member.resolver.js';
import { MemberService } from '../modules/projects/members/member.service.js';
import { ProjectResolver } from '../modules/projects/project.resolver.js';
import { ProjectService } from '../modules/projects/project.service.js';
import { PromptResolver } from '../modules/prompts/prompt.resolver.js';
import { PromptService } from '../modules/prompts/prompt.service.js';
import { ProjectModels } from '../modules/provider-keys/project-models.js';
import { ProviderKeyResolver } from '../modules/provider-keys/provider-key.resolver.js';
import { ProviderKeyService } from '../modules/provider-keys/provider-key.service.js';
import { ChunkTextResolver } from '../modules/recognition/chunk-text.resolver.js';
import { DocumentSearch } from '../modules/recognition/document-search.js';
import { DocumentSearchResolver } from '../modules/recognition/document-search.resolver.js';
import { RecognitionJob } from '../modules/recognition/recognition.job.js';
import { RecognitionService } from '../modules/recognition/recognition.service.js';
import { RecognitionRunResolver } from '../modules/recognition/recognition-run.resolver.js';
import { RecognitionWatch } from '../modules/recognition/recognition-watch.js';
import { recognitionWebhooks } from '../modules/recognition/recognition-webhooks.js';
import { RecognitionWork } from '../modules/recognition/recognition-work.js';
import { assembleScenarioRuns } from '../modules/scenario-runs/assembly.js';
import type { ScenarioRunEndListener } from '../modules/scenario-runs/execution/scenario-run-recorder.js';
import { scenarioRunWebhooks } from '../modules/scenario-runs/execution/scenario-run-webhooks.js';
import { ScenarioRunResolver } from '../modules/scenario-runs/scenario-run.resolver.js';
import { ScenarioRunSubscriptionResolver } from '../modules/scenario-runs/scenario-run.subscription.js';
import { ScenarioResolver } from '../modules/scenarios/scenario.resolver.js';
import { ScenarioService } from '../modules/scenarios/scenario.service.js';
import { refreshKeywordVariables } from '../modules/variables/keyword-values.js';
import { VariableResolver } from '../modules/variables/variable.resolver.js';
import { VariableService } from '../modules/variables/variable.service.js';
import { assembleWebhooks } from '../modules/webhooks/assembly.js';
import { WebhookResolver } from '../modules/webhooks/webhook.resolver.js';
import { GraphRunService } from '../modules/workflow-runs/admission/graph-run.service.js';
import { InstantRuns } from '../modules/workflow-runs/admission/instant-runs.js';
import { QueueDepth } from '../modules/workflow-runs/admission/queue-depth.js';
import { RunAcceptor } from '../modules/workflow-runs/admission/run-acceptor.js';
import { RunAdmission } from '../modules/workflow-runs/admission/run-admission.js';
import { RunPreparer } from '../modules/workflow-runs/admission/run-preparer.js';
import { AgentApprovalResolver } from '../modules/workflow-runs/api/agent-approval.resolver.js';
import { AgentApprovalService } from '../modules/workflow-runs/api/agent-approval.service.js';
import { ExecutionUpdateResolver } from '../modules/workflow-runs/api/execution-update.resolver.js';
import { ExecutionUpdateService } from '../modules/workflow-runs/api/execution-update.service.js';
import { GraphRunResolver } from '../modules/workflow-runs/api/graph-run.resolver.js';
import { RunFlagResolver } from '../modules/workflow-runs/api/run-flags.resolver.js';
import { RunFlagService } from '../modules/workflow-runs/api/run-flags.service.js';
import { RunWatch } from '../modules/workflow-runs/api/run-watch.js';
import { WorkflowRunReceiptResolver, WorkflowRunResolver } from '../modules/workflow-runs/api/workflow-run.resolver.js';
import { WorkflowRunSubscriptionResolver } from '../modules/workflow-runs/api/workflow-run.subscription.js';
import { WorkflowRunBillingResolver } from '../modules/workflow-runs/api/workflow-run-billing.resolver.js';
import { AgentApprovalWatch } from '../modules/workflow-runs/execution/agent-approval-watch.js';
import { RunCanceller } from '../modules/workflow-runs/execution/run-canceller.js';
import { RunExecutor } from '../modules/workflow-runs/execution/run-executor.js';
import { RunLeases } from '../modules/workflow-runs/execution/run-leases.js';
import { SubRunService } from '../modules/workflow-runs/execution/sub-run.service.js';
import { WorkflowRunJob } from '../modules/workflow-runs/execution/workflow-run.job.js';
import { RunDiffService } from '../modules/workflow-runs/history/run-diff.service.js';
import { RunForkResolver } from '../modules/workflow-runs/history/run-fork.resolver.js';
import { RunForkService } from '../modules/workflow-runs/history/run-fork.service.js';
import { RunLists } from '../modules/workflow-runs/history/run-lists.js';
import { WorkflowRunService } from '../modules/workflow-runs/history/workflow-run.service.js';
import { RunJournal } from '../modules/workflow-runs/journal/run-journal.js';
import { RunNodes } from '../modules/workflow-runs/journal/run-nodes.js';
import { RunPayloads } from '../modules/workflow-runs/journal/run-payloads.js';
import { RunRecorder } from '../modules/workflow-runs/journal/run-recorder.js';
import { McpToolsResolver } from '../modules/workflows/mcp-tools/mcp-tools.resolver.js';
import { McpToolsService } from '../modules/workflows/mcp-tools/mcp-tools.service.js';
import { ToolPinner } from '../modules/workflows/mcp-tools/tool-pinner.js';
import { ToolPinStore } from '../modules/workflows/mcp-tools/tool-pins.js';
import { RevisionStore } from '../modules/workflows/revision-store.js';
import { ServedModels } from '../modules/workflows/served-models.js';
import { WorkflowResolver } from '../modules/workflows/workflow.resolver.js';
import { WorkflowService } from '../modules/workflows/workflow.service.js';
import type { Config } from '../platform/config/config.js';
import { PageBytes } from '../platform/lists/page-bytes.js';
import type { Reading } from '../platform/metrics/reading.js';
import { Currencies } from '../platform/money/money.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import { systemClock } from '../providers/clock.js';
import { tellUse } from '../providers/llm/watched-provider.js';
import type { Spool } from '../providers/storage/spool.js';
import { TextReader } from '../providers/text/text-reader.js';
import type { Ground } from './ground.js';
import { housekeepingRounds } from './housekeeping.js';
import { limitResolvers } from './limit-resolvers.js';
import { createListPayloads } from './list-payloads.js';
import { OpenStreams, readingsOf } from './readings.js';
import { relatives } from './relatives.js';
import { streamsOf } from './streams.js';
import { imagesOf, openWorld } from './world.js';

export interface House {
  accounts: AccountService;
  identity: Identity;
  keys: IdempotencyKeys;
  spool: Spool;
  files: DocumentFiles;
  links: FileLinks;
  schema: ReturnType<typeof buildScenariumSchema>;
  toolPinner: ToolPinner;
  chat: ChatAssembly;
  maintenance: MaintenanceWatch;
  worker: Parameters<typeof startWorker>[0];
  /** For the metrics. */
  readings: readonly Reading[];
}

/** The resources, each built from the ones to its left on the ladder. */
export function buildHouse(config: Config, telemetry: Telemetry, ground: Ground): House {
  const { log, metrics } = telemetry;
  const { database, bus, queue, vault, accounts, sessions, serviceToken, storage, spool, ledgerSpool } = ground;
  const currencies = new Currencies(config.srPerUsd);
  const { outbound, trusted, mcp, http, models, issuer, sandbox, slots } = openWorld(config, telemetry);

  const maintenance = new MaintenanceService(database);
  const pageBytes = new PageBytes(config.pageMaxBytes);
  const listPayloads = createListPayloads(database, pageBytes);
  const access = new ProjectAccess(database);
  const members = new MemberService(database, access);
  const invitations = new InvitationService(database, access, members);
  const projects = new ProjectService(database, access, currencies);
  const budget = new Budget(database, config.defaultLimits);
  const keyBudget = new KeyBudget(database);
  const billing = new BillingService(database, currencies);
  const providerKeys = new ProviderKeyService(database, access, vault, models);
  const projectModels = new ProjectModels(models, providerKeys);
  const served = new ServedModels(models.serves, async projectId => (await projectModels.of(projectId)).serves);
  const chat = assembleChat({
    tellUse: usage => tellUse(telemetry, { name: usage.provider }, usage),
    ...{ config, log, database, access, budget, keyBudget, billing, models: projectModels, spool: ledgerSpool },
  });
  const categories = new CategoryService(database);
  const variables = new VariableService(database, access);
  const prompts = new PromptService(database, access, existingMessages);
  const messages = new MessageService(database, access);
  const scenarios = new ScenarioService(database, access);

  const webhooks = assembleWebhooks({
    ...{ database, queue, bus, vault, access, outbound, log, metrics },
    retrySeconds: config.webhookRetrySeconds,
    resultTtlDays: config.runResultTtlDays,
    pageBytes,
  });
  const { outbox } = webhooks;
  const files = new DocumentFiles(database, storage, log);
  const links = new FileLinks(database, vault);
  const projectStorage = new ProjectStorage(database, access, config.projectStorageBytes);
  const documents = new DocumentService({ database, access, files, spool, storage: projectStorage });
  const recognition = new RecognitionService(database, access, queue);
  const recognitionWatch = new RecognitionWatch(recognition, bus);
  const recognitionWork = new RecognitionWork(database, recognitionWebhooks(outbox));
  const recognitionJob = new RecognitionJob(queue, recognitionWork, files, new TextReader(), log, telemetry);
  const search = new DocumentSearch(database, access);
  const revisions = new RevisionStore(database, vault);
  const toolPins = new ToolPinStore(database);
  const toolPinner = new ToolPinner(revisions, toolPins, mcp, log);
  const workflows = new WorkflowService(database, access, revisions, served, toolPinner);

  const journal = new RunJournal(database);
  const payloads = new RunPayloads(database, revisions, pageBytes);
  const acceptor = new RunAcceptor(database, outbox, config.srPerUsd, log);
  const preparer = new RunPreparer(vault, served);
  const leases = new RunLeases(database);
  const recorder = new RunRecorder(database, leases, acceptor, outbox, config.srPerUsd);
  const wakeWaiting: ScenarioRunEndListener = async ({ parentRunId }, sql) => {
    const waiting = parentRunId === null ? [] : await leases.signal([parentRunId], sql);
    if (waiting.length > 0) await acceptor.wake(sql);
  };
  const limits = { maxSeconds: config.runMaxSeconds, maxBytes: config.runMaxBytes };
  const concurrency = config.workerConcurrency;
  const ports = { clock: systemClock };
  const modelsOf = (projectId: number) => projectModels.ofRun(projectId);
  const images = imagesOf(config, { spool, trusted, outbound, files, links, projectStorage, providerKeys });
  const shared = { database, access, bus, queue, budget, log, telemetry, concurrency, modelsOf, limits, ports };
  const tellWebhooks = scenarioRunWebhooks(outbox, currencies);
  const scenarioRuns = assembleScenarioRuns({ ...shared, images, whenEnded: [wakeWaiting, tellWebhooks] });
  const keywords = assembleKeywords({
    ...{ database, bus, queue, access, budget, outbound, search, modelsOf, log, telemetry },
    hasModel: async projectId => (await projectModels.of(projectId)).hasUpstream,
    whenChanged: [refreshKeywordVariables],
    whenEnded: keywordRunWebhooks(outbox, currencies),
  });
  const canceller = new RunCanceller(database, revisions, recorder, scenarioRuns.canceller, metrics);
  const subRuns = new SubRunService(database, revisions, preparer, acceptor, canceller, budget, vault);
  const instant = config.role === 'all' ? new InstantRuns(vault, ports, telemetry, acceptor) : undefined;
  const depth = new QueueDepth(database, config.projectQueueMax);
  const admission = new RunAdmission(database, preparer, acceptor, depth, instant);
  const runs = new WorkflowRunService(
    database,
    access,
    revisions,
    preparer,
    budget,
    acceptor,
    admission,
    canceller,
    payloads,
    journal,
    currencies,
    billing,
    config.runResultTtlDays,
  );
  const graphRuns = new GraphRunService(database, vault, access, revisions, preparer, admission, budget);
  const keys = new IdempotencyKeys(database, vault, log);
  const keyed = new KeyedStarts(keys);
  const nodes = new RunNodes(payloads, journal);
  const forks = new RunForkService({ runs, revisions, payloads, journal, preparer, admission, budget, vault });
  const diffs = new RunDiffService({ database, runs, revisions, payloads, nodes, currencies });
  const watch = new RunWatch(runs, journal, bus);
  const approvals = new AgentApprovalService(database, access, runs, leases, acceptor);
  const approvalWatch = new AgentApprovalWatch(approvals, bus);
  const activity = new ProjectActivityWatch(new ActivityReadings(database), access, bus);
  const executor = new RunExecutor({
    revisions,
    journal,
    recorder,
    leases,
    canceller,
    subRuns,
    scenarioRuns: scenarioRuns.started,
    toolPins,
    search,
    database,
    bus,
    vault,
    budget,
    modelsOf,
    ports: { ...ports, http, mcp },
    sandbox,
    limits,
    telemetry,
  });
  const runJob = new WorkflowRunJob(queue, database, bus, leases, acceptor, executor, log, telemetry, concurrency);
  acceptor.executeWith(runJob);

  const lists = new RunLists(database, access, runs, config.runResultTtlDays);

  const resolvers = new Map<(typeof RESOLVERS)[number], object>([
    [SessionResolver, new SessionResolver(sessions, new PasswordChangeService(database))],
    [UserResolver, new UserResolver(accounts.users)],
    [ApiKeyResolver, new ApiKeyResolver(accounts.keys)],
    [MaintenanceResolver, new MaintenanceResolver(maintenance)],
    [ProjectResolver, new ProjectResolver(projects, access, listPayloads.stopwords)],
    ...limitResolvers({ config, database, accounts, access, projects, currencies }),
    [EarningsResolver, new EarningsResolver(new EarningsService(database, access, currencies))],
    [ProviderKeyResolver, new ProviderKeyResolver(providerKeys)],
    [ChatResolver, new ChatResolver(chat.service)],
    [ApiKeySpendingResolver, new ApiKeySpendingResolver(currencies)],
    [MemberResolver, new MemberResolver(members)],
    [InvitationResolver, new InvitationResolver(invitations)],
    [AuditLogResolver, new AuditLogResolver(new AuditLogService(database, access), listPayloads.auditEntry)],
    [CategoryResolver, new CategoryResolver(categories, database)],
    [SubcategoryResolver, new SubcategoryResolver(categories)],
    [KeywordResolver, new KeywordResolver(keywords.keywords)],
    [KeywordRunResolver, new KeywordRunResolver(keywords.runs, keyed, database, currencies)],
    [VariableResolver, new VariableResolver(variables, listPayloads.variable)],
    [PromptResolver, new PromptResolver(prompts, listPayloads.prompt)],
    [MessageResolver, new MessageResolver(messages, database, listPayloads.message)],
    [ScenarioResolver, new ScenarioResolver(scenarios, database, access, listPayloads.scenario)],
    [ScenarioRunResolver, new ScenarioRunResolver(scenarioRuns.service, keyed, database, currencies, pageBytes)],
    [ScenarioRunSubscriptionResolver, new ScenarioRunSubscriptionResolver(scenarioRuns.service)],
    [WebhookResolver, new WebhookResolver(webhooks.service, webhooks.deliveries)],
    [DocumentResolver, new DocumentResolver(documents, links)],
    [ProjectStorageResolver, new ProjectStorageResolver(projectStorage, projects)],
    [RecognitionRunResolver, new RecognitionRunResolver(recognition)],
    [ChunkTextResolver, new ChunkTextResolver(database, pageBytes)],
    [DocumentSearchResolver, new DocumentSearchResolver(search)],
    [WorkflowResolver, new WorkflowResolver(workflows, revisions, access, pageBytes, listPayloads.guide)],
    [McpToolsResolver, new McpToolsResolver(new McpToolsService(database, revisions, mcp))],
    [WorkflowRunResolver, new WorkflowRunResolver(runs, payloads, keyed, nodes, lists)],
    [GraphRunResolver, new GraphRunResolver(graphRuns, keyed)],
    [WorkflowRunBillingResolver, new WorkflowRunBillingResolver(runs)],
    [WorkflowRunReceiptResolver, new WorkflowRunReceiptResolver(runs)],
    [
      ExecutionUpdateResolver,
      new ExecutionUpdateResolver(new ExecutionUpdateService(database, revisions, recorder, runs, vault)),
    ],
    [RunForkResolver, new RunForkResolver(forks, diffs, keyed)],
    [AgentApprovalResolver, new AgentApprovalResolver(approvals, runs, listPayloads.approval)],
    [WorkflowRunSubscriptionResolver, new WorkflowRunSubscriptionResolver(runs)],
    [RunFlagResolver, new RunFlagResolver(new RunFlagService(database, runs, revisions))],
    [PublicationResolver, new PublicationResolver(new PublicationService(database, workflows))],
    [
      MarketplaceResolver,
      new MarketplaceResolver(
        new MarketplaceService(database, currencies),
        new MarketExamplesService(database, revisions, currencies, pageBytes),
        new MarketCopyService(database, access, revisions, workflows, toolPinner),
        database,
        listPayloads.guide,
      ),
    ],
    [WorkflowGapsResolver, new WorkflowGapsResolver(database, revisions)],
    [WorkflowTermsResolver, new WorkflowTermsResolver(new WorkflowTermsService(database, workflows))],
    [CatalogResolver, new CatalogResolver(new CatalogService(database, currencies), database, listPayloads.guide)],
    ...relatives({ database, billing, runs, lists }),
    [ProjectActivitySubscriptionResolver, new ProjectActivitySubscriptionResolver()],
  ]);
  const streams = streamsOf({
    ...{ runs: watch, recognition: recognitionWatch, activity, approvals: approvalWatch },
    ...{ scenarioRuns: scenarioRuns.watch, keywordRuns: keywords.watch },
  });
  const openStreams = new OpenStreams(Object.keys(streams));
  const schema = buildScenariumSchema(
    resolver => resolvers.get(resolver)!,
    async (topic, { args, context }) => openStreams.counted(topic, await streams[topic]!(context.viewer, args)),
  );
  const gate = new KeyGate(database, config.rateLimitPerMinute);
  const anonymous = new AddressLimit(config.anonymousLimitPerMinute);
  const onLimited = () => metrics.rateLimited();
  const identity = new Identity({ gate, accounts, sessions, issuer, serviceToken, anonymous, onLimited });
  const counted = [runJob, scenarioRuns.job, keywords.job, webhooks.job];
  return {
    accounts,
    identity,
    keys,
    spool,
    files,
    links,
    schema,
    toolPinner,
    chat,
    maintenance: new MaintenanceWatch(maintenance, bus, log),
    readings: [...readingsOf({ database, log, jobs: counted, slots, streams: openStreams }), ...chat.readings],
    worker: {
      jobs: [runJob, scenarioRuns.job, webhooks.job, recognitionJob, keywords.job],
      housekeeping: [
        files,
        ...housekeepingRounds({ config, database, log, keys, budget, keyBudget, webhooks: webhooks.retention }),
      ],
    },
  };
}
