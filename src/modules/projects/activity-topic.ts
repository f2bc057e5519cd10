/** Returns the topic for changes in a project: a run was accepted, changed or ended. */
export function activityTopic(projectId: number): string {
  return `activity:${projectId}`;
}
