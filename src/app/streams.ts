import type { Viewer } from '../modules/accounts/viewer.js';
import type { ProjectActivityWatch } from '../modules/activity/project-activity-watch.js';
import type { KeywordRunWatch } from '../modules/keywords/runs/keyword-run-watch.js';
import type { RecognitionWatch } from '../modules/recognition/recognition-watch.js';
import type { ScenarioRunWatch } from '../modules/scenario-runs/scenario-run-watch.js';
import type { RunWatch } from '../modules/workflow-runs/api/run-watch.js';
import type { AgentApprovalWatch } from '../modules/workflow-runs/execution/agent-approval-watch.js';

export interface Watches {
  runs: RunWatch;
  scenarioRuns: ScenarioRunWatch;
  recognition: RecognitionWatch;
  keywordRuns: KeywordRunWatch;
  activity: ProjectActivityWatch;
  approvals: AgentApprovalWatch;
}

type Stream = (viewer: Viewer, args: Record<string, unknown>) => Promise<AsyncIterable<unknown>>;

/** What each subscription field reads, by its name. */
export function streamsOf(watches: Watches): Record<string, Stream> {
  return {
    workflowRunChanged: (viewer, args) =>
      watches.runs.changes(viewer, args.id as string, (args.afterSequence as number | null | undefined) ?? null),
    scenarioRunChanged: (viewer, args) => watches.scenarioRuns.changes(viewer, args.id as number),
    recognitionRunChanged: (viewer, args) => watches.recognition.changes(viewer, args.id as number),
    keywordRunChanged: (viewer, args) => watches.keywordRuns.changes(viewer, args.id as number),
    projectActivity: (viewer, args) =>
      watches.activity.changes(viewer, args.projectId as number, (args.after as string | null | undefined) ?? null),
    agentApprovalRequested: (viewer, args) => watches.approvals.requests(viewer, args.projectId as number),
  };
}
