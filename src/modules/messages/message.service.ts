import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { Faults } from '../../platform/errors/fields.js';
import type { Page, PageArgs } from '../../platform/lists/page.js';
import type { Warnings } from '../../platform/requests/warnings.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import { withUniqueKey } from '../projects/parts/part-keys.js';
import { checkLinks } from '../projects/parts/part-links.js';
import { DOES_NOT_EXIST } from '../projects/parts/part-scope.js';
import { locateProjectPart, PART_POSITIONS } from '../projects/parts/scenario-parts.js';
import type { Condition } from '../prompts/condition.type.js';
import { parseConditions } from '../prompts/conditions.js';
import { findExistingPromptIds } from '../prompts/existing-prompts.js';
import { checkReferences, referencesOfConditions } from '../prompts/references.js';
import type { ServedModels } from '../provider-keys/served-models.js';
import { findExistingVariables } from '../variables/existing-variables.js';
import { isWorkflowOf } from '../workflows/locate-workflow.js';
import { findExistingMessageIds } from './existing-messages.js';
import type { MessageCreateInput, MessageFilter, MessageUpdateInput } from './message.inputs.js';
import type { Message } from './message.js';
import {
  changesModel,
  checkModel,
  choiceOf,
  type ModelChoice,
  readModelChoice,
  workflowIdOf,
} from './message-model.js';
import { parameterWarnings } from './message-parameters.js';
import { MESSAGE_LIST, MESSAGE_READS } from './message-reads.js';
import type { MessageTables } from './message-tables.js';
import { addMessageFaults, writeMessage } from './message-write.js';

const POSITIONS = PART_POSITIONS.message;
const MAX_PROMPTS = 100;

/** Lists and changes messages. Every method authorizes the viewer. */
export class MessageService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly servedModels: ServedModels,
  ) {}

  /** Lists the messages of the viewer's projects, ordered by project and position. `selected`: the names of the members that the caller reads. */
  list(
    viewer: Viewer,
    filter: MessageFilter | null | undefined,
    page: PageArgs,
    selected?: ReadonlySet<string>,
  ): Promise<Page<Message>> {
    return MESSAGE_LIST.page(this.database, viewer, filter, page, selected);
  }

  get(viewer: Viewer, id: number): Promise<Message> {
    return MESSAGE_READS.get(this.database, viewer, id);
  }

  async create(viewer: Viewer, input: MessageCreateInput, warnings?: Warnings): Promise<Message> {
    await this.access.authorizeNamed(viewer, input.projectId, 'message.create');
    const faults = new Faults();
    addMessageFaults(faults, input);
    warnings?.report(parameterWarnings(input.parameters, choiceOf(input)));
    const conditions = parseConditions('conditions', input.conditions, faults);
    await this.#checkModel(input.projectId, choiceOf(input), faults, warnings);
    const id = await withUniqueKey(() =>
      this.database.transaction(async sql => {
        // Lock order, the same as in a deletion: first the positions, then the messages that conditions refer to.
        const sortId = await POSITIONS.next(sql, input.projectId);
        await checkReferencedItems(sql, input.projectId, input, conditions, faults);
        const { id } = await queryBuilder<MessageTables>(sql)
          .insertInto('message')
          .values({
            ...{ project_id: input.projectId, key: input.key.trim(), sort_id: sortId },
            ...{ parameters: '{}', conditions: '[]' },
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await writeMessage(sql, id, input, conditions);
        return id;
      }),
    );
    return MESSAGE_READS.load(this.database, id);
  }

  /** Changes the members that `input` sets. */
  async update(viewer: Viewer, id: number, input: MessageUpdateInput, warnings?: Warnings): Promise<Message> {
    const { projectId } = await locateProjectPart(this.database, 'message', viewer, id, 'message.update');
    const stored = await readModelChoice(this.database, id);
    const faults = new Faults();
    addMessageFaults(faults, input, stored);
    warnings?.report(parameterWarnings(input.parameters, choiceOf(input, stored)));
    const conditions = parseConditions('conditions', input.conditions, faults);
    if (changesModel(input)) await this.#checkModel(projectId, choiceOf(input, stored), faults, warnings);
    await withUniqueKey(() =>
      this.database.transaction(async sql => {
        // Lock order, the same as in a deletion: first the items that the message refers to, then the message.
        await checkReferencedItems(sql, projectId, input, conditions, faults);
        await locateProjectPart(sql, 'message', viewer, id, 'message.update', { lock: true });
        await writeMessage(sql, id, input, conditions);
      }),
    );
    return MESSAGE_READS.load(this.database, id);
  }

  /** Deletes a message and returns its last state. Placeholders that refer to it stay, and no longer resolve. */
  async delete(viewer: Viewer, id: number): Promise<Message> {
    const { projectId } = await locateProjectPart(this.database, 'message', viewer, id, 'message.delete');
    const message = await MESSAGE_READS.load(this.database, id);
    await this.database.transaction(sql =>
      POSITIONS.remove(sql, projectId, () => locateProjectPart(sql, 'message', viewer, id, 'message.delete')),
    );
    return message;
  }

  async reorder(viewer: Viewer, id: number, target: number): Promise<Message> {
    const { projectId } = await locateProjectPart(this.database, 'message', viewer, id, 'message.reorder');
    await this.database.transaction(sql =>
      POSITIONS.move(sql, projectId, target, () => locateProjectPart(sql, 'message', viewer, id, 'message.reorder')),
    );
    return MESSAGE_READS.load(this.database, id);
  }

  /** Checks the model or workflow only if the input has no other fault, because the check may list models of providers. */
  async #checkModel(projectId: number, choice: ModelChoice, faults: Faults, warnings?: Warnings): Promise<void> {
    if (faults.areAny) return;
    const workflowId = workflowIdOf(choice);
    if (workflowId !== undefined && !(await isWorkflowOf(this.database, workflowId, projectId)))
      faults.add('parameters.workflow_id', DOES_NOT_EXIST);
    warnings?.add(await checkModel(this.servedModels, projectId, choice, faults));
  }
}

/** Checks that every item that the message refers to belongs to the project. */
async function checkReferencedItems(
  sql: Sql,
  projectId: number,
  input: MessageUpdateInput,
  conditions: Condition[],
  faults: Faults,
): Promise<void> {
  await checkReferences(
    sql,
    referencesOfConditions('conditions', conditions),
    { projectId },
    findExistingMessageIds,
    faults,
  );
  const { loopVariableId: loopVariable } = input;
  if (loopVariable != null && !(await findExistingVariables(sql, [loopVariable], { projectId })).has(loopVariable))
    faults.add('loopVariableId', DOES_NOT_EXIST);
  await checkLinks(faults, 'promptIds', input.promptIds ?? [], MAX_PROMPTS, ids =>
    findExistingPromptIds(sql, ids, projectId),
  );
  faults.throwIfAny();
}
