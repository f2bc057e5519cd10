import type { InputField } from '../../../engine/workflow/graph/input-fields.js';
import type { Database } from '../../../platform/database/database.js';
import { NotFoundError } from '../../../platform/errors/errors.js';
import type { Viewer } from '../../accounts/viewer.js';
import { locateWorkflow } from '../../workflows/locate-workflow.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { StoredTrigger } from '../stored-trigger.js';
import type { TriggerStarts } from '../trigger-starts.js';
import { toForm } from './form-settings.js';
import type { TriggerForm } from './form-trigger.type.js';

/** A form that accepts submissions. */
export interface OpenForm {
  trigger: StoredTrigger;
  settings: TriggerForm;
  title: string;
  /** The input fields that the form asks for. */
  fields: readonly InputField[];
  /** The user to whom the runs belong. */
  viewer: Viewer;
}

/** Reads the content of forms that accept submissions. */
export class FormOpener {
  constructor(
    private readonly database: Database,
    private readonly starts: TriggerStarts,
    private readonly revisions: RevisionStore,
  ) {}

  /**
   * Returns null if the form is closed: it is disabled or paused, its user is disabled or deleted, or that user cannot read the
   * workflow. The right to start runs is checked when a submission starts one.
   */
  async open(trigger: StoredTrigger): Promise<OpenForm | null> {
    if (!trigger.isEnabled || trigger.pausedAt !== null) return null;
    const viewer = await this.starts.viewerOf(trigger);
    if (!viewer) return null;
    try {
      const workflow = await locateWorkflow(this.database, viewer, trigger.workflowId, 'project.read');
      // A project with drafts has no runnable revision before the first publication. The form then shows the fields of the saved
      // one, and no run starts.
      const { fields } = await this.revisions.get(workflow.runnableRevisionId ?? workflow.savedRevisionId);
      // Fixed values of the trigger are not asked for.
      const asked = fields.filter(({ id }) => !Object.hasOwn(trigger.input, id));
      return { trigger, settings: toForm(trigger.settings), title: titleOf(trigger), fields: asked, viewer };
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }
}

/** The title of a form. Default: the name of its trigger. */
export function titleOf({ settings, name }: Pick<StoredTrigger, 'settings' | 'name'>): string {
  return toForm(settings).title || name;
}
