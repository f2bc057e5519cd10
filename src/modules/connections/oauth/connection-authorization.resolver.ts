import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { ConnectedService } from '../connection.type.js';
import type { ConnectionAuthorizationService } from './connection-authorization.service.js';
import { ConnectionAuthorization } from './connection-authorization.type.js';

@Resolver()
export class ConnectionAuthorizationResolver {
  constructor(private readonly authorizations: ConnectionAuthorizationService) {}

  @PayloadMutation({
    returns: { connectionAuthorization: () => ConnectionAuthorization },
    name: 'connectionAuthorizationStart',
    description:
      'Begins the authorization of a connection of the kind `OAUTH2_CODE` or `MCP_OAUTH`. For the latter the service asks the MCP server for its authorization server and registers itself there. The user opens `authorizationUrl`; the authorization server then redirects to `redirectUrl` with the parameters `state` and `code` for `connectionAuthorizationComplete`. CONFLICT for other kinds. Requires the role editor.',
  })
  start(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The id of the connection: `ConnectedService.id`.' }) id: number,
    @Arg('redirectUrl', () => String, {
      description: 'An http or https URL that is registered at the authorization server, at most 2,048 characters.',
    })
    redirectUrl: string,
  ) {
    return this.authorizations.start(viewer, id, redirectUrl);
  }

  @PayloadMutation({
    returns: { connection: () => ConnectedService },
    name: 'connectionAuthorizationComplete',
    description:
      'Exchanges the code of an authorization for tokens. Nodes use them from their next request on. Only the user who started it can complete it, within ten minutes. Requires the role editor.',
  })
  complete(
    @Ctx() { viewer }: RequestContext,
    @Arg('state', () => String, { description: 'The parameter `state` of the redirect.' }) state: string,
    @Arg('code', () => String, { description: 'The parameter `code` of the redirect.' }) code: string,
  ) {
    return this.authorizations.complete(viewer, state, code);
  }
}
