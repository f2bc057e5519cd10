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

/** What the page of a chat shows. */
export interface ShownChat {
  title: string;
  greeting: string;
  messages: StoredMessage[];
}

/** A message of a public chat that waits for its answer. */
export interface SentChatMessage {
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
  async show(token: string, conversation: string | null): Promise<ShownChat> {
    const chat = await this.#open(token);
    const { title, settings, trigger } = chat;
    const messages = conversation === null ? [] : await this.answers.read(chat, idOf(trigger, conversation));
    return { title, greeting: settings.greeting, messages };
  }

  /**
   * Starts the run of a message. A repeated message starts no second run. @throws InvalidInputError for a bad `body`,
   * NotFoundError, and ConflictError if the chat is closed
   */
  async send(token: string, body: unknown): Promise<SentChatMessage> {
    const chat = await this.#open(token);
    const received: ReceivedMessage = parseMessage(body);
    const conversationId = idOf(chat.trigger, received.conversationId);
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

/** Runs get the derived id, so that only the visitor can continue the conversation. */
function idOf({ id }: StoredTrigger, conversation: string): string {
  return derivedUuid(`chat ${id} ${conversation}`);
}
