import type { ConversationReader, MemoryQuery, RememberedMessage } from '../../../engine/conversation/port.js';
import { PortError } from '../../../engine/ports.js';

/** A run whose nodes read earlier messages. */
export interface ConversationRun {
  projectId: number;
  id: string;
  /** Replaces the secrets of the run in a value by the mask. */
  mask<T>(value: T): T;
}

/** The conversations of all projects. The module that owns them sets `find`. */
export interface ConversationSource {
  /** Returns the earlier messages for a run; undefined: its project has no such conversation. */
  find?(run: Pick<ConversationRun, 'projectId' | 'id'>, query: MemoryQuery): Promise<RememberedMessage[] | undefined>;
}

/** The conversations that nodes of runs read. */
export class RunConversations {
  readonly source: ConversationSource = {};

  /** Implements the port of the engine for one run. Masked messages are the same before and after the run resumes. */
  of({ mask, ...run }: ConversationRun): ConversationReader {
    return {
      read: async query => {
        const found = await this.source.find?.(run, query);
        if (!found) throw new PortError('conversation_not_found', NOT_FOUND, { isFinal: true });
        return mask(found);
      },
    };
  }
}

const NOT_FOUND = 'the project has no conversation with this id';
