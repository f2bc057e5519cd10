import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import { ConflictError, NotFoundError } from '../../../platform/errors/errors.js';
import { TriggerFormAccess } from '../form/form-trigger.type.js';
import type { StoredTrigger } from '../stored-trigger.js';
import type { TriggerAddresses } from '../trigger-addresses.js';
import type { ChatAnswers, OpenChat } from './chat-answers.js';
import { toChat } from './chat-settings.js';
import type { StoredMessage } from './conversations.js';
import { parseMessage, type ReceivedMessage } from './received-message.js';

/** The content of the page of a chat. */
export interface ChatContent {
  title: string;
  greeting: string;
  messages: StoredMessage[];
}

/** A stored message of a public chat. `answer` waits for its answer. */
export interface AcceptedMessage {
  message: StoredMessage;
  answer(wait: { signal: AbortSignalLike; onStep: (label: string) => void }): Promise<StoredMessage>;
}

/** Shows public chats and receives their messages. A visitor is identified by the random id of the conversation. */
export class ChatReceiver {
  constructor(
    private readonly addresses: TriggerAddresses,
    private readonly answers: ChatAnswers,
  ) {}

  /** The origins whose pages may show the chat in a frame. Throws NotFoundError if no public chat has the token. */
  async originsOf(token: string): Promise<readonly string[]> {
    return toChat((await this.#find(token)).settings).allowedOrigins;
  }

  /**
   * Returns a chat with the messages of a conversation. `conversation` is the id that the page has chosen; null: none
   * yet. @throws NotFoundError, and ConflictError if the chat is closed
   */
  async show(token: string, conversation: string | null): Promise<ChatContent> {
    const chat = await this.#open(token);
    const { title, settings, trigger } = chat;
    const messages =
      conversation === null ? [] : await this.answers.read(chat, conversationIdOf(trigger, conversation));
    return { title, greeting: settings.greeting, messages };
  }

  /**
   * Starts the run of a message. A repeated message starts no second run. @throws InvalidInputError for a bad `body`,
   * NotFoundError, and ConflictError if the chat is closed
   */
  async send(token: string, body: unknown): Promise<AcceptedMessage> {
    const chat = await this.#open(token);
    const received: ReceivedMessage = parseMessage(body);
    const conversationId = conversationIdOf(chat.trigger, received.conversationId);
    const message = await this.answers.send(chat, { ...received, conversationId });
    return { message, answer: wait => this.answers.awaitAnswer(chat, conversationId, message, wait) };
  }

  async #open(token: string): Promise<OpenChat> {
    const chat = await this.answers.open(await this.#find(token));
    if (!chat) throw new ConflictError('This chat is closed.');
    return chat;
  }

  async #find(token: string): Promise<StoredTrigger> {
    const trigger = await this.addresses.find('chat', token);
    // A chat for members has its own screen.
    if (!trigger || toChat(trigger.settings).access !== TriggerFormAccess.PUBLIC) throw new NotFoundError();
    return trigger;
  }
}

/**
 * The stored id. Runs see it in their input, but cannot derive the id of the page from it: only the visitor can continue the
 * conversation.
 */
function conversationIdOf({ id }: StoredTrigger, conversation: string): string {
  return derivedUuid(`chat ${id} ${conversation}`);
}
