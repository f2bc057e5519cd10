import type { DeadLetterKind, DeadLetters, StoredDeadLetter } from '../../durable/dead-letters.js';
import type { Database } from '../../platform/database/database.js';
import { ForbiddenError, NotFoundError } from '../../platform/errors/errors.js';
import { type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import type { DeadLetterPage, DeadLetterRedrive } from './dead-letter.type.js';

/**
 * Repeats the work of a dead letter, given the id of its run or delivery. Returns the id of the started run or
 * delivery.
 */
export type Redrive = (viewer: Viewer, subjectId: string) => Promise<string | number>;

/** Lists and redrives dead letters, for admins of projects and administrators of the service. */
export class DeadLetterService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly letters: DeadLetters,
    private readonly redrives: Readonly<Record<DeadLetterKind, Redrive>>,
  ) {}

  /** Lists dead letters. `projectId` null lists all projects and requires an administrator of the service. */
  async list(
    viewer: Viewer,
    projectId: number | null,
    kind: DeadLetterKind | null,
    page: PageArgs,
  ): Promise<DeadLetterPage> {
    if (projectId !== null) await this.access.authorize(viewer, projectId, 'dead-letter.read');
    else if (!viewer.isAdmin) throw new ForbiddenError();
    const { items, total } = await this.letters.list({ projectId, kind }, toLimitOffset(page));
    return { ...page, total, items };
  }

  /**
   * Redrives a dead letter. Only one of several concurrent calls starts the work.
   * @throws NotFoundError if the letter does not exist or was already redriven
   */
  async redrive(viewer: Viewer, kind: DeadLetterKind, id: string): Promise<DeadLetterRedrive> {
    const letter = await this.letters.find(kind, id);
    if (!letter) throw new NotFoundError();
    await this.access.authorize(viewer, letter.projectId, 'dead-letter.redrive');
    await this.#take(viewer, letter);
    try {
      return { kind, startedId: String(await this.redrives[kind](viewer, letter.subjectId)) };
    } catch (error) {
      await this.letters.restore(letter);
      throw error;
    }
  }

  /**
   * Deletes a letter and records the viewer in the audit log, even if the work then cannot be started and the
   * letter is restored.
   */
  #take(viewer: Viewer, letter: StoredDeadLetter): Promise<void> {
    const { id, kind, projectId, subjectId } = letter;
    return this.database.transaction(async sql => {
      if (!(await this.letters.remove(letter, sql))) throw new NotFoundError();
      await recordAuditEvent(sql, viewer, {
        ...{ action: 'dead-letter.redrive', object: { type: 'dead-letter', id }, projectId },
        detail: { kind, subjectId },
      });
    });
  }
}
