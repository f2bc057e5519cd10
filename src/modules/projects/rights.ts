/** Roles of a project's members, weakest first. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type ProjectRole = (typeof ROLES)[number];
/** The roles that a member can be assigned. The role owner is only transferred. */
export type AssignableRole = Exclude<ProjectRole, 'owner'>;

/**
 * The weakest role that permits each action. All services check rights by these names, so that all rights are
 * defined here.
 */
export const RIGHTS = {
  'project.read': 'viewer',
  'project.update': 'admin',
  'project.delete': 'owner',
  'project.set-budget': 'admin',
  'project.transfer': 'owner',
  'member.add': 'admin',
  'member.update': 'admin',
  'member.remove': 'admin',
  'invitation.read': 'admin',
  'invitation.create': 'admin',
  'invitation.revoke': 'admin',
  'audit.read': 'admin',
  'stopwords.update': 'editor',
  'provider-key.attach': 'admin',
  'provider-key.test': 'admin',
  'provider-key.detach': 'admin',
  'chat.complete': 'editor',
  'webhook.read': 'admin',
  'webhook.test': 'admin',
  'webhook.redeliver': 'admin',
  'webhook.rotate-secret': 'admin',
  'dead-letter.read': 'admin',
  'dead-letter.redrive': 'admin',
  'document.create': 'editor',
  'document.update': 'editor',
  'document.delete': 'editor',
  'recognition.run': 'editor',
  'recognition.update': 'editor',
  'keyword.create': 'editor',
  'keyword.update': 'editor',
  'keyword.delete': 'editor',
  'keyword-run.create': 'editor',
  'keyword-run.update': 'editor',
  'keyword-run.delete': 'editor',
  'workflow.create': 'editor',
  'workflow.update': 'editor',
  'workflow.delete': 'editor',
  'workflow.duplicate': 'editor',
  'workflow.reorder': 'editor',
  'workflow.run': 'editor',
  'workflow.publish-revision': 'editor',
  'workflow.rehearse': 'editor',
  'trigger.create': 'editor',
  'trigger.update': 'editor',
  'trigger.delete': 'editor',
  'conversation.read': 'editor',
  'conversation.delete': 'editor',
  'form.submit': 'viewer',
  'conversation.send': 'viewer',
  'mcp-server-tool.update': 'editor',
  'mcp-server-tool.delete': 'editor',
  'agent.approve': 'editor',
  'workflow.mark-api-run': 'editor',
  'workflow.mark-example': 'admin',
  'workflow.mark-template': 'admin',
  'workflow.publish': 'admin',
  'workflow.unpublish': 'admin',
  'workflow.accept-terms': 'admin',
  'variable.create': 'editor',
  'variable.update': 'editor',
  'variable.delete': 'editor',
  'variable.reorder': 'editor',
  'prompt.create': 'editor',
  'prompt.update': 'editor',
  'prompt.delete': 'editor',
  'prompt.reorder': 'editor',
  'message.create': 'editor',
  'message.update': 'editor',
  'message.delete': 'editor',
  'message.reorder': 'editor',
  'scenario.create': 'editor',
  'scenario.update': 'editor',
  'scenario.delete': 'editor',
  'scenario.reorder': 'editor',
  'scenario.run': 'editor',
  'scenario-run.update': 'editor',
  'scenario-run.delete': 'editor',
  'scenario-run.cancel': 'editor',
  'file.create': 'editor',
  'file.delete': 'editor',
  'project-environment.create': 'editor',
  'project-environment.delete': 'editor',
  'project-variable.create': 'editor',
  'project-variable.update': 'editor',
  'project-variable.delete': 'editor',
  'key-value-entry.write': 'editor',
  'key-value-entry.delete': 'editor',
  'api-definition.import': 'editor',
  'api-definition.update': 'editor',
  'api-definition.delete': 'editor',
  'connection.create': 'editor',
  'connection.update': 'editor',
  'connection.rotate': 'editor',
  'connection.authorize': 'editor',
  'connection.test': 'editor',
  'connection.delete': 'editor',
} as const satisfies Record<string, ProjectRole>;

export type Action = keyof typeof RIGHTS;

export function isAllowed(role: ProjectRole, action: Action): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(RIGHTS[action]);
}

/** The roles that permit an action. */
export function rolesAllowed(action: Action): ProjectRole[] {
  return ROLES.filter(role => isAllowed(role, action));
}
