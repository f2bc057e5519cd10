import type { QueryCreator } from '../../platform/database/typed-queries.js';
import { PartList } from '../projects/parts/part-list.js';
import { partReads } from '../projects/parts/part-reads.js';
import type { Message } from './message.js';
import type { MessageTables } from './message-tables.js';

type Tables = Pick<MessageTables, 'message'>;

function selectMessages(tables: QueryCreator<Tables>) {
  return tables
    .selectFrom('message as t')
    .select(['t.id', 't.project_id as projectId', 't.key', 't.provider', 't.return_type as returnType'])
    .select(['t.is_loop as isLoop', 't.loop_count as loopCount', 't.loop_variable_id as loopVariableId'])
    .select(['t.is_async as isAsync', 't.sort_id as sortId'])
    .select(['t.scenariorun_id as scenarioRunId', 't.original_id as originalId'])
    .select(['t.created_at as createdAt', 't.updated_at as updatedAt'])
    .$castTo<Message>();
}

/** The columns of the large members, which lists read only when they are selected. */
export const MESSAGE_PAYLOADS = { parameters: 'parameters', conditions: 'conditions' };

/** Queries for messages as parts of their projects: by id and by project. */
export const MESSAGE_READS = partReads<Message>({
  table: 'message',
  select: selectMessages,
  payloads: MESSAGE_PAYLOADS,
});

/** The paginated, filtered list of messages. */
export const MESSAGE_LIST = new PartList(MESSAGE_READS);
