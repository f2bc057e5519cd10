import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder, type Updateable } from '../../platform/database/typed-queries.js';
import { Faults, NOT_NULL } from '../../platform/errors/fields.js';
import type { Page, PageArgs } from '../../platform/lists/page.js';
import type { Warning, Warnings } from '../../platform/requests/warnings.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import { checkKey, withUniqueKey } from '../projects/parts/part-keys.js';
import type { PartScope } from '../projects/parts/part-scope.js';
import type { Positions } from '../projects/parts/positions.js';
import { locatePart, OWN_PROMPT_POSITIONS, PART_POSITIONS } from '../projects/parts/scenario-parts.js';
import type { Condition } from './condition.type.js';
import { parseConditions } from './conditions.js';
import type { PromptCreateInput, PromptFilter, PromptUpdateInput } from './prompt.inputs.js';
import type { Prompt } from './prompt.js';
import { PROMPT_LIST, PROMPT_READS } from './prompt-reads.js';
import type { PromptTables } from './prompt-tables.js';
import {
  checkReferences,
  danglingReferences,
  type ReferenceChecks,
  referencesOfConditions,
  referencesOfContent,
} from './references.js';

const MAX_CONTENT = 200_000;

/** Lists and changes prompts. Every method authorizes the viewer. */
export class PromptService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly references: ReferenceChecks,
  ) {}

  /** Lists the prompts of the viewer's projects by project and position, then the viewer's own prompts. `selected`: the names of the members that the caller reads. */
  list(
    viewer: Viewer,
    filter: PromptFilter | null | undefined,
    page: PageArgs,
    selected?: ReadonlySet<string>,
  ): Promise<Page<Prompt>> {
    return PROMPT_LIST.page(this.database, viewer, filter, page, selected);
  }

  get(viewer: Viewer, id: number): Promise<Prompt> {
    return PROMPT_READS.get(this.database, viewer, id);
  }

  async create(viewer: Viewer, input: PromptCreateInput, warnings?: Warnings): Promise<Prompt> {
    const projectId = input.projectId ?? null;
    if (projectId !== null) await this.access.authorizeNamed(viewer, projectId, 'prompt.create');
    const faults = inputFaults(input);
    const conditions = parseConditions('promptConditions', input.promptConditions, faults);
    const { positions, scopeId } = positionsOf(viewer, projectId);
    const id = await withUniqueKey(() =>
      this.database.transaction(async sql => {
        await this.#checkConditions(sql, viewer, projectId, conditions, faults);
        faults.throwIfAny();
        const sortId = await positions.next(sql, scopeId);
        const { id } = await queryBuilder<PromptTables>(sql)
          .insertInto('prompt')
          .values({
            ...{ project_id: projectId, owner_id: projectId === null ? viewer.userId : null, sort_id: sortId },
            ...{ key: input.key.trim(), role: input.role, content: input.content },
            prompt_conditions: JSON.stringify(conditions),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),
    );
    warnings?.add(await this.#warnings(viewer, projectId, input.content));
    return PROMPT_READS.load(this.database, id);
  }

  /** Changes the members that `input` sets. */
  async update(viewer: Viewer, id: number, input: PromptUpdateInput, warnings?: Warnings): Promise<Prompt> {
    const { projectId } = await locatePart(this.database, 'prompt', viewer, id, 'prompt.update');
    const faults = inputFaults(input);
    const conditions =
      input.promptConditions === undefined
        ? undefined
        : parseConditions('promptConditions', input.promptConditions, faults);
    await withUniqueKey(() =>
      this.database.transaction(async sql => {
        await this.#checkConditions(sql, viewer, projectId, conditions, faults);
        faults.throwIfAny();
        await locatePart(sql, 'prompt', viewer, id, 'prompt.update', { lock: true });
        const changes: Updateable<PromptTables['prompt']> = { updated_at: new Date() };
        if (input.key !== undefined) changes.key = input.key.trim();
        if (input.role !== undefined) changes.role = input.role;
        if (input.content !== undefined) changes.content = input.content;
        if (conditions !== undefined) changes.prompt_conditions = JSON.stringify(conditions);
        await queryBuilder<PromptTables>(sql).updateTable('prompt').set(changes).where('id', '=', id).execute();
      }),
    );
    warnings?.add(await this.#warnings(viewer, projectId, input.content));
    return PROMPT_READS.load(this.database, id);
  }

  /** Deletes a prompt and returns its last state. Messages that send it stay. */
  async delete(viewer: Viewer, id: number): Promise<Prompt> {
    const { projectId } = await locatePart(this.database, 'prompt', viewer, id, 'prompt.delete');
    const prompt = await PROMPT_READS.load(this.database, id);
    const { positions, scopeId } = positionsOf(viewer, projectId);
    await this.database.transaction(sql =>
      positions.remove(sql, scopeId, () => locatePart(sql, 'prompt', viewer, id, 'prompt.delete')),
    );
    return prompt;
  }

  async reorder(viewer: Viewer, id: number, target: number): Promise<Prompt> {
    const { projectId } = await locatePart(this.database, 'prompt', viewer, id, 'prompt.reorder');
    const { positions, scopeId } = positionsOf(viewer, projectId);
    await this.database.transaction(sql =>
      positions.move(sql, scopeId, target, () => locatePart(sql, 'prompt', viewer, id, 'prompt.reorder')),
    );
    return PROMPT_READS.load(this.database, id);
  }

  /**
   * Adds a fault for every id in conditions that does not exist or is out of scope. A project's prompt may refer to
   * items of that project, a personal prompt to items that its owner can access.
   */
  async #checkConditions(
    sql: Sql,
    viewer: Viewer,
    projectId: number | null,
    conditions: Condition[] | undefined,
    faults: Faults,
  ): Promise<void> {
    const references = referencesOfConditions('promptConditions', conditions ?? []);
    await checkReferences(sql, references, scopeOf(viewer, projectId), this.references.findExistingMessageIds, faults);
  }

  /**
   * Warns of placeholders whose variable or message does not exist. They are no faults, because a prompt may be written
   * before the items that it refers to. A run that reaches one fails.
   */
  async #warnings(viewer: Viewer, projectId: number | null, content: string | undefined): Promise<Warning[]> {
    const references = referencesOfContent('content', content ?? '');
    const { findExistingMessageIds } = this.references;
    const dangling = await danglingReferences(
      this.database,
      references,
      scopeOf(viewer, projectId),
      findExistingMessageIds,
    );
    return dangling.map(({ field, fault }) => ({ code: 'unknown_reference', path: field, message: fault }));
  }
}

function scopeOf(viewer: Viewer, projectId: number | null): PartScope {
  return projectId === null ? { viewer } : { projectId };
}

/** Only the owner can access a prompt without a project, so here the viewer is the owner. */
function positionsOf(viewer: Viewer, projectId: number | null): { positions: Positions; scopeId: number } {
  return projectId === null
    ? { positions: OWN_PROMPT_POSITIONS, scopeId: viewer.userId }
    : { positions: PART_POSITIONS.prompt, scopeId: projectId };
}

function inputFaults(input: PromptUpdateInput): Faults {
  const faults = new Faults();
  checkKey(faults, input.key);
  if (input.role === null) faults.add('role', NOT_NULL);
  faults.text('content', input.content, { min: 1, max: MAX_CONTENT });
  return faults;
}
