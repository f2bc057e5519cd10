import { describe, expect, it } from '@jest/globals';
import { assertAllowed } from '../../src/modules/projects/access.js';
import { type Action, isAllowed, type ProjectRole, RIGHTS, ROLES } from '../../src/modules/projects/rights.js';
import { ForbiddenError, NotFoundError } from '../../src/platform/errors/errors.js';

/** Rights of viewer, editor, admin and owner by action. Written out, so that the table is not compared with itself. */
const MAY: Record<Action, string> = {
  'project.read': 'yes yes yes yes',
  'project.update': 'no no yes yes',
  'project.delete': 'no no no yes',
  'project.set-budget': 'no no yes yes',
  'project.transfer': 'no no no yes',
  'member.add': 'no no yes yes',
  'member.update': 'no no yes yes',
  'member.remove': 'no no yes yes',
  'invitation.read': 'no no yes yes',
  'invitation.create': 'no no yes yes',
  'invitation.revoke': 'no no yes yes',
  'audit.read': 'no no yes yes',
  'stopwords.update': 'no yes yes yes',
  'workflow.create': 'no yes yes yes',
  'workflow.update': 'no yes yes yes',
  'workflow.delete': 'no yes yes yes',
  'workflow.duplicate': 'no yes yes yes',
  'workflow.reorder': 'no yes yes yes',
  'workflow.run': 'no yes yes yes',
  'file.create': 'no yes yes yes',
  'file.delete': 'no yes yes yes',
  'workflow.publish-revision': 'no yes yes yes',
  'workflow.rehearse': 'no yes yes yes',
  'trigger.create': 'no yes yes yes',
  'trigger.update': 'no yes yes yes',
  'trigger.delete': 'no yes yes yes',
  'conversation.read': 'no yes yes yes',
  'conversation.delete': 'no yes yes yes',
  'form.submit': 'yes yes yes yes',
  'conversation.send': 'yes yes yes yes',
  'mcp-server-tool.update': 'no yes yes yes',
  'mcp-server-tool.delete': 'no yes yes yes',
  'agent.approve': 'no yes yes yes',
  'workflow.mark-api-run': 'no yes yes yes',
  'workflow.mark-example': 'no no yes yes',
  'workflow.mark-template': 'no no yes yes',
  'workflow.publish': 'no no yes yes',
  'workflow.unpublish': 'no no yes yes',
  'workflow.accept-terms': 'no no yes yes',
  'provider-key.attach': 'no no yes yes',
  'provider-key.test': 'no no yes yes',
  'provider-key.detach': 'no no yes yes',
  'chat.complete': 'no yes yes yes',
  'webhook.read': 'no no yes yes',
  'webhook.test': 'no no yes yes',
  'webhook.redeliver': 'no no yes yes',
  'dead-letter.read': 'no no yes yes',
  'dead-letter.redrive': 'no no yes yes',
  'webhook.rotate-secret': 'no no yes yes',
  'document.create': 'no yes yes yes',
  'document.update': 'no yes yes yes',
  'document.delete': 'no yes yes yes',
  'recognition.run': 'no yes yes yes',
  'recognition.update': 'no yes yes yes',
  'keyword.create': 'no yes yes yes',
  'keyword.update': 'no yes yes yes',
  'keyword.delete': 'no yes yes yes',
  'keyword-run.create': 'no yes yes yes',
  'keyword-run.update': 'no yes yes yes',
  'keyword-run.delete': 'no yes yes yes',
  'variable.create': 'no yes yes yes',
  'variable.update': 'no yes yes yes',
  'variable.delete': 'no yes yes yes',
  'variable.reorder': 'no yes yes yes',
  'prompt.create': 'no yes yes yes',
  'prompt.update': 'no yes yes yes',
  'prompt.delete': 'no yes yes yes',
  'prompt.reorder': 'no yes yes yes',
  'message.create': 'no yes yes yes',
  'message.update': 'no yes yes yes',
  'message.delete': 'no yes yes yes',
  'message.reorder': 'no yes yes yes',
  'scenario.create': 'no yes yes yes',
  'scenario.update': 'no yes yes yes',
  'scenario.delete': 'no yes yes yes',
  'scenario.reorder': 'no yes yes yes',
  'scenario.run': 'no yes yes yes',
  'scenario-run.update': 'no yes yes yes',
  'scenario-run.delete': 'no yes yes yes',
  'scenario-run.cancel': 'no yes yes yes',
  'project-variable.create': 'no yes yes yes',
  'project-variable.update': 'no yes yes yes',
  'project-variable.delete': 'no yes yes yes',
  'key-value-entry.write': 'no yes yes yes',
  'key-value-entry.delete': 'no yes yes yes',
  'api-definition.import': 'no yes yes yes',
  'api-definition.update': 'no yes yes yes',
  'api-definition.delete': 'no yes yes yes',
  'project-environment.create': 'no yes yes yes',
  'project-environment.delete': 'no yes yes yes',
  'connection.create': 'no yes yes yes',
  'connection.update': 'no yes yes yes',
  'connection.rotate': 'no yes yes yes',
  'connection.authorize': 'no yes yes yes',
  'connection.test': 'no yes yes yes',
  'connection.delete': 'no yes yes yes',
};

describe('rights', () => {
  it.each(Object.entries(MAY) as [Action, string][])('%s by viewer, editor, admin, owner: %s', (action, expected) => {
    const roles: ProjectRole[] = ['viewer', 'editor', 'admin', 'owner'];
    expect(roles.map(role => (isAllowed(role, action) ? 'yes' : 'no')).join(' ')).toBe(expected);
  });

  it('are those of this table, and of four roles', () => {
    expect(Object.keys(RIGHTS).toSorted()).toEqual(Object.keys(MAY).toSorted());
    expect(ROLES).toEqual(['viewer', 'editor', 'admin', 'owner']);
  });

  it('are none for an outsider, for whom the project is not found', () => {
    for (const action of Object.keys(RIGHTS) as Action[])
      expect(() => assertAllowed(null, action)).toThrow(NotFoundError);
    expect(() => assertAllowed('viewer', 'workflow.run')).toThrow(ForbiddenError);
    expect(() => assertAllowed('editor', 'workflow.run')).not.toThrow();
  });
});
