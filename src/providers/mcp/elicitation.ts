import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';

/**
 * Answers a question of a server to the user. No user is present, so the answer is either a refusal or, with
 * `accept_defaults`, the default values of the requested schema if every required value has one.
 */
export function answerElicitation(
  params: ElicitRequest['params'],
  policy: 'accept_defaults' | undefined,
): ElicitResult {
  if (policy !== 'accept_defaults' || !('requestedSchema' in params)) return { action: 'decline' };
  const { properties = {}, required = [] } = params.requestedSchema;
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    'default' in property && property.default !== undefined ? [[name, property.default] as const] : [],
  );
  const content = Object.fromEntries(defaults);
  return required.every(name => Object.hasOwn(content, name))
    ? { action: 'accept', content: content as ElicitResult['content'] }
    : { action: 'decline' };
}
