/** A message of a conversation, or the answer to it, in the form of a chat message for a model. */
export interface RememberedMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** The earlier messages that a node reads. */
export interface MemoryQuery {
  /** Id of a conversation. Absent: that of the chat message that started the run. */
  conversation?: string;
  /** Maximum number of messages. A message and its answer are two. */
  maxMessages: number;
}

/** Reads conversations of the run's project. */
export interface ConversationReader {
  /**
   * Returns the newest answered messages that are older than the run, oldest first; none if no conversation is given and no
   * chat message started the run. Throws the PortError `conversation_not_found`.
   */
  read(query: MemoryQuery): Promise<RememberedMessage[]>;
}
