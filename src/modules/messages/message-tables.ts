import type { Table } from '../../platform/database/typed-queries.js';
import type { Message } from './message.js';
import type { MessagePromptEntity } from './message-prompt.entity.js';

export interface MessageTables {
  message: Table<Message>;
  message_prompt: Table<typeof MessagePromptEntity>;
}
