import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import { NotFoundError } from '../../../platform/errors/errors.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { AwaitedRun, RunWaiter } from '../../workflow-runs/history/run-waiter.js';
import type { StoredTrigger } from '../stored-trigger.js';
import type { TriggerStarts } from '../trigger-starts.js';
import { isFailedReply, replyOf } from '../webhook/run-reply.js';
import { toChat } from './chat-settings.js';
import type { TriggerChat } from './chat-trigger.type.js';
import { type AddedMessage, type Conversations, PendingMessagesError, type StoredMessage } from './conversations.js';

/** A chat that accepts messages. */
export interface OpenChat {
  trigger: StoredTrigger;
  settings: TriggerChat;
  title: string;
  /** The user to whom the runs belong. */
  viewer: Viewer;
}

/** A message to a chat. The client chooses `messageId`, so that a repeated message starts no second run. */
export interface MessageRequest {
  conversationId: string;
  messageId: string;
  text: string;
}

/** The longest stored answer. The rest is cut off. */
const MAX_ANSWER_CHARACTERS = 32_000;
/** A message without a run for this time has lost the process that started it. */
const MAX_START_MS = 60_000;

/** Starts a run for each message of a chat and stores its answer. */
export class ChatAnswers {
  constructor(
    private readonly starts: TriggerStarts,
    private readonly waiter: RunWaiter,
    private readonly conversations: Conversations,
  ) {}

  /** Returns null if the chat is closed: it is disabled or paused, or its user is disabled or deleted. */
  async open(trigger: StoredTrigger): Promise<OpenChat | null> {
    if (!trigger.isEnabled || trigger.pausedAt !== null) return null;
    const viewer = await this.starts.viewerOf(trigger);
    const settings = toChat(trigger.settings);
    return viewer ? { trigger, settings, title: settings.title || trigger.name, viewer } : null;
  }

  /** Stores a message and starts its run. A refused run makes the message fail; the log of the trigger has the reason. */
  async send(chat: OpenChat, message: MessageRequest): Promise<StoredMessage> {
    const { trigger, settings } = chat;
    const { conversationId, messageId, text } = message;
    const id = derivedUuid(`chat-message ${conversationId} ${messageId}`);
    const history = await this.conversations.history(conversationId, settings.historyMessages);
    const stored = await this.#add(chat, { id, triggerId: trigger.id, conversationId, text });
    if (stored.state !== 'pending') return stored;
    failpoint('chat.message-stored');
    const members = { message: stored.text, conversation_id: conversationId, history };
    const start = await this.starts.startMapped(trigger, { mapping: settings.mapping, members }, id);
    await this.starts.recordOnce(id, { triggerId: trigger.id, ...start });
    if (start.outcome === 'started') return stored;
    await this.conversations.settle(conversationId, id, 'failed', null);
    return { ...stored, state: 'failed' };
  }

  /** Stores a message. Messages whose runs have ended, also without a client that waits for them, do not count as unanswered. */
  async #add(chat: OpenChat, message: AddedMessage): Promise<StoredMessage> {
    try {
      return await this.conversations.add(message);
    } catch (error) {
      if (!(error instanceof PendingMessagesError)) throw error;
      await this.read(chat, message.conversationId);
      return this.conversations.add(message);
    }
  }

  /** Waits for the answer to a message. Returns it as pending when the time is over; its run continues. */
  async awaitAnswer(
    { viewer, settings }: OpenChat,
    conversationId: string,
    message: StoredMessage,
    { signal, onStep }: { signal: AbortSignalLike; onStep?: (label: string) => void },
  ): Promise<StoredMessage> {
    if (message.state !== 'pending') return message;
    const onNode = settings.showsSteps ? onStep : undefined;
    const awaited = await this.waiter.wait(viewer, message.id, settings.waitSeconds, signal, onNode);
    return this.#settle(conversationId, message, awaited);
  }

  /** The messages of a conversation with the answers that exist by now. */
  async read({ viewer }: Pick<OpenChat, 'viewer'>, conversationId: string): Promise<StoredMessage[]> {
    const messages = await this.conversations.list(conversationId);
    return Promise.all(
      messages.map(async message => {
        if (message.state !== 'pending') return message;
        try {
          return await this.#settle(conversationId, message, await this.waiter.peek(viewer, message.id));
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error;
          return this.#withoutRun(conversationId, message);
        }
      }),
    );
  }

  async #settle(conversationId: string, message: StoredMessage, awaited: AwaitedRun): Promise<StoredMessage> {
    const reply = replyOf(message.id, awaited);
    if (!reply) return message;
    const state = isFailedReply(reply) ? 'failed' : 'answered';
    const answer = state === 'answered' ? textOf(reply.body) : null;
    await this.conversations.settle(conversationId, message.id, state, answer);
    return { ...message, state, answer };
  }

  /** Fails a message whose run was never started, once its process had time enough to start it. */
  async #withoutRun(conversationId: string, message: StoredMessage): Promise<StoredMessage> {
    if (Date.now() - message.createdAt.getTime() < MAX_START_MS) return message;
    await this.conversations.settle(conversationId, message.id, 'failed', null);
    return { ...message, state: 'failed' };
  }
}

function textOf(body: unknown): string {
  const text = typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body, null, 2);
  const stored = text.replaceAll('\u0000', '').toWellFormed();
  return stored.length > MAX_ANSWER_CHARACTERS
    ? `${stored.slice(0, MAX_ANSWER_CHARACTERS - 1).toWellFormed()}…`
    : stored;
}
