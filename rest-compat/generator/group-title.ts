/** Converts the file name `workflow-runs` to the title `Workflow runs`. */
export function groupTitle(group: string): string {
  const words = group.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
