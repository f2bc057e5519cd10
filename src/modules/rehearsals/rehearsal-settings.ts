import type { RehearsalEffect } from '../../engine/workflow/history/rehearsal-calls.js';

/** The change of a node in `workflowWhatIf`. */
export interface NodeChange {
  nodeId: string;
  model?: string | null | undefined;
  prompt?: string | null | undefined;
  settings?: Record<string, unknown> | null | undefined;
}

/** The runs, graph and limits of a rehearsal. */
export interface RehearsalSettings {
  allow: readonly RehearsalEffect[];
  /** Only for WHAT_IF. */
  change?: NodeChange;
  /** Only for BISECT. */
  goodRunId?: string;
  badRunId?: string;
}
