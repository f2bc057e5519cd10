import type { Table } from '../../platform/database/typed-queries.js';
import type { Message } from './message.js';
import type { MessagePromptEntity } from './message-prompt.entity.js';

/** The tables of messages. A table whose entity has no class uses the type of the entity. */
export interface MessageTables {
  message: Table<Message>;
  message_prompt: Table<typeof MessagePromptEntity>;
}
