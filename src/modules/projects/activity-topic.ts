/** The topic on which it is told that something in a project has moved: a run was accepted, has moved on or has ended. */
export function activityTopic(projectId: number): string {
  return `activity:${projectId}`;
}
