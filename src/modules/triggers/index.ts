import { HOURLY } from '../../durable/scheduled-tasks.js';
import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { accounts } from '../accounts/index.js';
import { files } from '../files/index.js';
import { defineModule } from '../module.js';
import { projectVariables } from '../project-variables/index.js';
import { projects } from '../projects/index.js';
import { workflowRuns } from '../workflow-runs/index.js';
import { workflows } from '../workflows/index.js';
import { ChatAnswers } from './chat/chat-answers.js';
import { ChatReceiver } from './chat/chat-receiver.js';
import { ConversationMessageEntity, TriggerConversationEntity } from './chat/conversation.entity.js';
import { ConversationMemory } from './chat/conversation-memory.js';
import { Conversations } from './chat/conversations.js';
import { MemberChatResolver } from './chat/member-chat.resolver.js';
import { MemberChats } from './chat/member-chats.js';
import { TriggerConversationResolver } from './chat/trigger-conversation.resolver.js';
import { TriggerConversationService } from './chat/trigger-conversation.service.js';
import { EventTriggers } from './events/event-triggers.js';
import { FailureTriggers } from './events/failure-triggers.js';
import { FormOpener } from './form/form-opener.js';
import { FormReceiver } from './form/form-receiver.js';
import { MemberFormResolver } from './form/member-form.resolver.js';
import { MemberForms } from './form/member-forms.js';
import { ScheduleRunner } from './schedule/schedule-runner.js';
import { TRIGGER_PAYLOADS, type TriggerPayload } from './stored-trigger.js';
import { TriggerAddresses } from './trigger-addresses.js';
import { TriggerFiringEntity } from './trigger-firing.entity.js';
import { TriggerFirings } from './trigger-firings.js';
import { deleteOldConversations, deleteOldFirings } from './trigger-retention.js';
import { TriggerSettingsResolver } from './trigger-settings.resolver.js';
import { TriggerStarts } from './trigger-starts.js';
import { WebhookReceiver } from './webhook/webhook-receiver.js';
import { WorkflowPauseResolver } from './workflow-pause.resolver.js';
import { WorkflowPauseService } from './workflow-pause.service.js';
import { WorkflowTriggerEntity } from './workflow-trigger.entity.js';
import { WorkflowTriggerResolver } from './workflow-trigger.resolver.js';
import { WorkflowTriggerService } from './workflow-trigger.service.js';

export const triggers = defineModule({
  name: 'triggers',
  needs: { accounts, files, projects, projectVariables, workflowRuns, workflows },
  entities: [WorkflowTriggerEntity, TriggerFiringEntity, TriggerConversationEntity, ConversationMessageEntity],
  resolvers: [
    WorkflowTriggerResolver,
    TriggerSettingsResolver,
    WorkflowPauseResolver,
    MemberFormResolver,
    MemberChatResolver,
    TriggerConversationResolver,
  ],
  create(
    { config, database, pageBytes, vault, telemetry },
    {
      files: { runFiles },
      projects: { access },
      projectVariables: { variableReader },
      workflowRuns: { runs, waiter, failures, eventListeners, runConversations },
      workflows: { revisions, workflows: workflowService },
    },
  ) {
    const starts = new TriggerStarts(database, runs);
    const addresses = new TriggerAddresses(database, vault);
    const opener = new FormOpener(database, starts, revisions);
    const conversations = new Conversations(database);
    const answers = new ChatAnswers(starts, waiter, conversations);
    const memory = new ConversationMemory(database, conversations);
    // Runs read conversations through this source, because their module may not import this one.
    runConversations.source.find = (run, query) => memory.find(run, query);
    const eventTriggers = new EventTriggers(database, starts);
    eventListeners.push(event => eventTriggers.deliver(event));
    failures.add(new FailureTriggers(database, starts));
    return {
      services: {
        receiver: new WebhookReceiver(addresses, vault, starts, waiter, runFiles),
        chats: new ChatReceiver(addresses, answers),
        forms: new FormReceiver(addresses, starts, waiter, runFiles, opener),
      },
      resolvers: [
        new WorkflowTriggerResolver(
          new WorkflowTriggerService(database, access, revisions, vault, variableReader, starts),
          new TriggerFirings(database),
        ),
        new TriggerSettingsResolver(
          new ListPayloads<TriggerPayload>(database, pageBytes, {
            table: 'workflow_trigger',
            columns: TRIGGER_PAYLOADS,
          }),
        ),
        new MemberFormResolver(new MemberForms(database, access, opener, starts, waiter)),
        new MemberChatResolver(new MemberChats(database, access, answers)),
        new TriggerConversationResolver(new TriggerConversationService(database, access)),
        new WorkflowPauseResolver(new WorkflowPauseService(database, workflowService, starts)),
      ],
      jobs: [new ScheduleRunner(database, starts, runs, telemetry.log)],
      scheduledTasks: [
        { name: 'clearing logs of triggers', cron: HOURLY, run: () => deleteOldFirings(database) },
        {
          ...{ name: 'deleting conversations of chats', cron: HOURLY },
          run: () => deleteOldConversations(database, config.runResultTtlDays),
        },
      ],
    };
  },
});
