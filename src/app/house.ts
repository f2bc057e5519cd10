import type { Config } from '../base/config.js';
import { Currencies } from '../base/money.js';
import { PageBytes } from '../base/page-bytes.js';
import type { Reading } from '../base/reading.js';
import type { Telemetry } from '../base/telemetry.js';
import { buildScenariumSchema, type RESOLVERS } from '../graphql/schema.js';
import { Identity } from '../http/identity.js';
import type { startWorker } from '../jobs/worker.js';
import { systemClock } from '../providers/clock.js';
import { tellUse } from '../providers/llm/watched-provider.js';
import type { Spool } from '../providers/storage/spool.js';
import { TextReader } from '../providers/text/text-reader.js';
import type { AccountService } from '../resources/accounts/account.service.js';
import { AddressLimit } from '../resources/accounts/address-limit.js';
import { ApiKeyResolver } from '../resources/accounts/api-key.resolver.js';
import { IdempotencyKeys } from '../resources/accounts/idempotency-keys.js';
import { KeyGate } from '../resources/accounts/key-gate.js';
import { KeyedStarts } from '../resources/accounts/keyed-starts.js';
import { PasswordChangeService } from '../resources/accounts/password-change.service.js';
import { SessionResolver } from '../resources/accounts/session.resolver.js';
import { UserResolver } from '../resources/accounts/user.resolver.js';
import { ActivityReadings } from '../resources/activity/activity-readings.js';
import { ProjectActivitySubscriptionResolver } from '../resources/activity/project-activity.subscription.js';
import { ProjectActivityWatch } from '../resources/activity/project-activity-watch.js';
import { BillingService } from '../resources/billing/billing.service.js';
import { Budget } from '../resources/billing/budget.js';
import { EarningsResolver } from '../resources/billing/earnings.resolver.js';
import { EarningsService } from '../resources/billing/earnings.service.js';
import { KeyBudget } from '../resources/billing/key-budget.js';
import { CatalogResolver } from '../resources/catalog/catalog.resolver.js';
import { CatalogService } from '../resources/catalog/catalog.service.js';
import { CategoryResolver } from '../resources/categories/category.resolver.js';
import { CategoryService } from '../resources/categories/category.service.js';
import { SubcategoryResolver } from '../resources/categories/subcategory.resolver.js';
import { ApiKeySpendingResolver } from '../resources/chat/api-key-spending.resolver.js';
import { assembleChat, type ChatAssembly } from '../resources/chat/assembly.js';
import { ChatResolver } from '../resources/chat/chat.resolver.js';
import { DocumentResolver } from '../resources/documents/document.resolver.js';
import { DocumentService } from '../resources/documents/document.service.js';
import { DocumentFiles } from '../resources/documents/document-files.js';
import { FileLinks } from '../resources/documents/file-links.js';
import { ProjectStorage } from '../resources/documents/project-storage.js';
import { ProjectStorageResolver } from '../resources/documents/project-storage.resolver.js';
import { assembleKeywords } from '../resources/keywords/assembly.js';
import { KeywordResolver } from '../resources/keywords/keyword.resolver.js';
import { KeywordRunResolver } from '../resources/keywords/keyword-run.resolver.js';
import { keywordRunWebhooks } from '../resources/keywords/keyword-run-webhooks.js';
import { MaintenanceResolver } from '../resources/maintenance/maintenance.resolver.js';
import { MaintenanceService } from '../resources/maintenance/maintenance.service.js';
import { MaintenanceWatch } from '../resources/maintenance/maintenance-watch.js';
import { MarketCopyService } from '../resources/marketplace/market-copy.service.js';
import { MarketExamplesService } from '../resources/marketplace/market-examples.service.js';
import { MarketplaceResolver } from '../resources/marketplace/marketplace.resolver.js';
import { MarketplaceService } from '../resources/marketplace/marketplace.service.js';
import { PublicationResolver } from '../resources/marketplace/publication.resolver.js';
import { PublicationService } from '../resources/marketplace/publication.service.js';
import { WorkflowGapsResolver } from '../resources/marketplace/workflow-gaps.resolver.js';
import { WorkflowTermsResolver } from '../resources/marketplace/workflow-terms.resolver.js';
import { WorkflowTermsService } from '../resources/marketplace/workflow-terms.service.js';
import { existingMessages } from '../resources/messages/existing-messages.js';
import { MessageResolver } from '../resources/messages/message.resolver.js';
import { MessageService } from '../resources/messages/message.service.js';
import { ProjectAccess } from '../resources/projects/access.js';
import { AuditLogResolver } from '../resources/projects/audit-log.resolver.js';
import { AuditLogService } from '../resources/projects/audit-log.service.js';
import { InvitationResolver } from '../resources/projects/invitation.resolver.js';
import { InvitationService } from '../resources/projects/invitation.service.js';
import { MemberResolver } from '../resources/projects/member.resolver.js';
import { MemberService } from '../resources/projects/member.service.js';
import { ProjectResolver } from '../resources/projects/project.resolver.js';
import { ProjectService } from '../resources/projects/project.service.js';
import { PromptResolver } from '../resources/prompts/prompt.resolver.js';
import { PromptService } from '../resources/prompts/prompt.service.js';
import { ProjectModels } from '../resources/provider-keys/project-models.js';
import { ProviderKeyResolver } from '../resources/provider-keys/provider-key.resolver.js';
import { ProviderKeyService } from '../resources/provider-keys/provider-key.service.js';
import { ChunkTextResolver } from '../resources/recognition/chunk-text.resolver.js';
import { DocumentSearch } from '../resources/recognition/document-search.js';
import { DocumentSearchResolver } from '../resources/recognition/document-search.resolver.js';
import { RecognitionJob } from '../resources/recognition/recognition.job.js';
import { RecognitionService } from '../resources/recognition/recognition.service.js';
import { RecognitionRunResolver } from '../resources/recognition/recognition-run.resolver.js';
import { RecognitionWatch } from '../resources/recognition/recognition-watch.js';
import { recognitionWebhooks } from '../resources/recognition/recognition-webhooks.js';
import { RecognitionWork } from '../resources/recognition/recognition-work.js';
import { assembleScenarioRuns } from '../resources/scenario-runs/assembly.js';
import { ScenarioRunResolver } from '../resources/scenario-runs/scenario-run.resolver.js';
import { ScenarioRunSubscriptionResolver } from '../resources/scenario-runs/scenario-run.subscription.js';
import type { ScenarioRunEndListener } from '../resources/scenario-runs/scenario-run-recorder.js';
import { scenarioRunWebhooks } from '../resources/scenario-runs/scenario-run-webhooks.js';
import { ScenarioResolver } from '../resources/scenarios/scenario.resolver.js';
import { ScenarioService } from '../resources/scenarios/scenario.service.js';
import { refreshKeywordVariables } from '../resources/variables/keyword-values.js';
import { VariableResolver } from '../resources/variables/variable.resolver.js';
import { VariableService } from '../resources/variables/variable.service.js';
import { assembleWebhooks } from '../resources/webhooks/assembly.js';
import { WebhookResolver } from '../resources/webhooks/webhook.resolver.js';
import { AgentApprovalResolver } from '../resources/workflow-runs/agent-approval.resolver.js';
import { AgentApprovalService } from '../resources/workflow-runs/agent-approval.service.js';
import { AgentApprovalWatch } from '../resources/workflow-runs/agent-approval-watch.js';
import { ExecutionUpdateResolver } from '../resources/workflow-runs/execution-update.resolver.js';
import { ExecutionUpdateService } from '../resources/workflow-runs/execution-update.service.js';
import { GraphRunResolver } from '../resources/workflow-runs/graph-run.resolver.js';
import { GraphRunService } from '../resources/workflow-runs/graph-run.service.js';
import { InstantRuns } from '../resources/workflow-runs/instant-runs.js';
import { QueueDepth } from '../resources/workflow-runs/queue-depth.js';
import { RunAcceptor } from '../resources/workflow-runs/run-acceptor.js';
import { RunAdmission } from '../resources/workflow-runs/run-admission.js';
import { RunCanceller } from '../resources/workflow-runs/run-canceller.js';
import { RunDiffService } from '../resources/workflow-runs/run-diff.service.js';
import { RunExecutor } from '../resources/workflow-runs/run-executor.js';
import { RunFlagResolver } from '../resources/workflow-runs/run-flags.resolver.js';
import { RunFlagService } from '../resources/workflow-runs/run-flags.service.js';
import { RunForkResolver } from '../resources/workflow-runs/run-fork.resolver.js';
import { RunForkService } from '../resources/workflow-runs/run-fork.service.js';
import { RunJournal } from '../resources/workflow-runs/run-journal.js';
import { RunLeases } from '../resources/workflow-runs/run-leases.js';
import { RunLists } from '../resources/workflow-runs/run-lists.js';
import { RunNodes } from '../resources/workflow-runs/run-nodes.js';
import { RunPayloads } from '../resources/workflow-runs/run-payloads.js';
import { RunPreparer } from '../resources/workflow-runs/run-preparer.js';
import { RunRecorder } from '../resources/workflow-runs/run-recorder.js';
import { RunWatch } from '../resources/workflow-runs/run-watch.js';
import { SubRunService } from '../resources/workflow-runs/sub-run.service.js';
import { WorkflowRunJob } from '../resources/workflow-runs/workflow-run.job.js';
import { WorkflowRunReceiptResolver, WorkflowRunResolver } from '../resources/workflow-runs/workflow-run.resolver.js';
import { WorkflowRunService } from '../resources/workflow-runs/workflow-run.service.js';
import { WorkflowRunSubscriptionResolver } from '../resources/workflow-runs/workflow-run.subscription.js';
import { WorkflowRunBillingResolver } from '../resources/workflow-runs/workflow-run-billing.resolver.js';
import { McpToolsResolver } from '../resources/workflows/mcp-tools.resolver.js';
import { McpToolsService } from '../resources/workflows/mcp-tools.service.js';
import { RevisionStore } from '../resources/workflows/revision-store.js';
import { ServedModels } from '../resources/workflows/served-models.js';
import { ToolPinner } from '../resources/workflows/tool-pinner.js';
import { ToolPinStore } from '../resources/workflows/tool-pins.js';
import { WorkflowResolver } from '../resources/workflows/workflow.resolver.js';
import { WorkflowService } from '../resources/workflows/workflow.service.js';
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
