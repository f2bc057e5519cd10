/** Roles of a project's members, weakest first. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type ProjectRole = (typeof ROLES)[number];

/**
 * What a member may do, by name of action: the weakest role that may. Every service asks by these names, so that
 * rights are read and changed here alone.
 */
export const RIGHTS = {
  'project.read': 'viewer',
  'project.update': 'admin',
  'project.delete': 'owner',
  'stopwords.update': 'editor',
  'document.create': 'editor',
  'document.update': 'editor',
  'document.delete': 'editor',
  'recognition.run': 'editor',
  'recognition.update': 'editor',
  'workflow.create': 'editor',
  'workflow.update': 'editor',
  'workflow.delete': 'editor',
  'workflow.duplicate': 'editor',
  'workflow.reorder': 'editor',
  'workflow.run': 'editor',
  'agent.approve': 'editor',
  'workflow.mark-api-run': 'editor',
} as const satisfies Record<string, ProjectRole>;

export type Action = keyof typeof RIGHTS;

export function mayDo(role: ProjectRole, action: Action): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(RIGHTS[action]);
}
