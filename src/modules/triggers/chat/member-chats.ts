import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { ConflictError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import { TriggerFormAccess } from '../form/form-trigger.type.js';
import { findTrigger } from '../stored-trigger.js';
import type { ChatAnswers, OpenChat } from './chat-answers.js';
import { toChat } from './chat-settings.js';
import type { StoredMessage } from './conversations.js';
import type {
  ConversationMessage,
  ConversationMessageState,
  MemberChat,
  MemberChatMessage,
} from './member-chat.type.js';
import { checkText } from './received-message.js';

/** Chats for members of the project, who are signed in. Their runs belong to the user of the trigger. */
export class MemberChats {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly answers: ChatAnswers,
  ) {}

  /** Returns a chat with the messages of a conversation of the caller. Null for `conversation`: the caller has none yet. */
  async get(viewer: Viewer, id: number, conversation: string | null): Promise<MemberChat> {
    const chat = await this.#open(viewer, id);
    const { title, settings } = chat;
    const messages =
      conversation === null ? [] : await this.answers.read(chat, conversationIdOf(viewer, id, conversation));
    return { title, greeting: settings.greeting, messages: messages.map(toMessage) };
  }

  /** Starts a run with a message and waits for its answer. A repeated message starts no second run. */
  async send(context: RequestContext, id: number, message: MemberChatMessage): Promise<ConversationMessage> {
    const { viewer } = context;
    const chat = await this.#open(viewer, id);
    const faults = new Faults();
    const own = new Faults();
    checkText(message.text, own);
    faults.addWithin('message', own);
    faults.throwIfAny();
    const conversationId = conversationIdOf(viewer, id, message.conversationId);
    const { messageId, text } = message;
    const sent = await this.answers.send(chat, { conversationId, messageId, text: text.trim() });
    await recordAuditEvent(this.database, viewer, {
      ...{ action: 'conversation.send', object: { type: 'trigger', id }, projectId: chat.trigger.projectId },
      detail: { runId: sent.id },
    });
    context.onWait();
    return toMessage(await this.answers.awaitAnswer(chat, conversationId, sent, { signal: context.signal }));
  }

  async #open(viewer: Viewer, id: number): Promise<OpenChat> {
    const trigger = await findTrigger(this.database, id);
    if (!trigger) throw new NotFoundError();
    await this.access.authorize(viewer, trigger.projectId, 'conversation.send');
    if (trigger.kind !== 'chat' || toChat(trigger.settings).access !== TriggerFormAccess.MEMBERS)
      throw new ConflictError('This trigger is not a chat for members.');
    const chat = await this.answers.open(trigger);
    if (!chat) throw new ConflictError('This chat is closed.');
    return chat;
  }
}

/** The stored id. It contains the user, so that members see only their own conversations. */
function conversationIdOf({ userId }: Viewer, triggerId: number, conversation: string): string {
  return derivedUuid(`member-chat ${triggerId} ${userId} ${conversation}`);
}

function toMessage({ id, state, ...message }: StoredMessage): ConversationMessage {
  return { runId: id, state: state as ConversationMessageState, ...message };
}
