import type { DeadLetterKind, DeadLetters, StoredDeadLetter } from '../../durable/dead-letters.js';
import type { Database } from '../../platform/database/database.js';
import { ForbiddenError, NotFoundError } from '../../platform/errors/errors.js';
import { type PageArgs, window } from '../../platform/lists/page.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import type { DeadLetterPage, DeadLetterRedrive } from './dead-letter.type.js';

/** Does the work of a dead letter again, by the id of its run or delivery. Returns the id of what it started. */
export type Redrive = (viewer: Viewer, subjectId: string) => Promise<string | number>;

/** What administrators of projects, and of the service, do with dead letters. */
export class DeadLetterService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly letters: DeadLetters,
    private readonly redrives: Readonly<Record<DeadLetterKind, Redrive>>,
  ) {}

  /** `projectId` null: of all projects, for administrators of the service. */
  async list(
    viewer: Viewer,
    projectId: number | null,
    kind: DeadLetterKind | null,
    page: PageArgs,
  ): Promise<DeadLetterPage> {
    if (projectId !== null) await this.access.authorize(viewer, projectId, 'dead-letter.read');
    else if (!viewer.isAdmin) throw new ForbiddenError();
    const { items, total } = await this.letters.list({ projectId, kind }, window(page));
    return { ...page, total, items };
  }

  /** Of two callers at the same time one starts the work, the other gets NotFoundError. */
  async redrive(viewer: Viewer, kind: DeadLetterKind, id: string): Promise<DeadLetterRedrive> {
    const letter = await this.letters.find(kind, id);
    if (!letter) throw new NotFoundError();
    await this.access.authorize(viewer, letter.projectId, 'dead-letter.redrive');
    await this.#take(viewer, letter);
    try {
      return { kind, startedId: String(await this.redrives[kind](viewer, letter.subjectId)) };
    } catch (error) {
      await this.letters.putBack(letter);
      throw error;
    }
  }

  /** The audit log names who took a letter, also when nothing could be started and the letter was put back. */
  #take(viewer: Viewer, letter: StoredDeadLetter): Promise<void> {
    const { id, kind, projectId, subjectId } = letter;
    return this.database.transaction(async sql => {
      if (!(await this.letters.take(letter, sql))) throw new NotFoundError();
      await recordAuditEvent(sql, viewer, {
        ...{ action: 'dead-letter.redrive', object: { type: 'dead-letter', id }, projectId },
        detail: { kind, subjectId },
      });
    });
  }
}
