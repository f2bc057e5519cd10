import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { toAbortSignal } from '../../platform/async/abort-signal.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { ConnectionCreateInput, ConnectionUpdateInput } from './connection.inputs.js';
import type { ConnectionService } from './connection.service.js';
import {
  ConnectedService,
  ConnectedServicePage,
  ConnectionPreset,
  ConnectionTest,
  ConnectionUsePage,
} from './connection.type.js';
import type { ConnectionTester } from './connection-tester.js';
import { listPresets } from './presets/presets.js';

const ID = { description: 'The id of the connection: `ConnectedService.id`.' };

@Resolver(() => ConnectedService)
export class ConnectionResolver {
  constructor(
    private readonly connections: ConnectionService,
    private readonly tester: ConnectionTester,
  ) {}

  @Query(() => ConnectedServicePage, {
    description: 'The connections of a project by name, at most 200. Requires the role viewer.',
  })
  projectConnections(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.connections.list(viewer, projectId, page);
  }

  @Query(() => ConnectedService, {
    name: 'connection',
    description: 'A connection. Requires the role viewer in its project.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.connections.get(viewer, id);
  }

  @Query(() => ConnectionUsePage, {
    description: 'Where a connection was used, newest first. Requires the role viewer in its project.',
  })
  connectionUses(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.connections.uses(viewer, id, page);
  }

  @Query(() => [ConnectionPreset], {
    description: 'Defaults for connections to well-known services, by title. At most 100.',
  })
  connectionPresets(@Ctx() { viewer }: RequestContext) {
    return listPresets(viewer);
  }

  @PayloadMutation({
    returns: { connection: () => ConnectedService },
    name: 'connectionCreate',
    description:
      'Creates a connection that nodes of the project name by `connection_id`. CONFLICT when the name exists or the project has 200 connections. Requires the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => ConnectionCreateInput, { description: 'The new connection.' }) input: ConnectionCreateInput,
  ) {
    return this.connections.create(viewer, input);
  }

  @PayloadMutation({
    returns: { connection: () => ConnectedService },
    name: 'connectionUpdate',
    description:
      'Changes a connection. Runs use the new values from their next request on. CONFLICT when the name exists. Requires the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ConnectionUpdateInput, { description: 'The changes.' }) input: ConnectionUpdateInput,
  ) {
    return this.connections.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { connection: () => ConnectedService },
    name: 'connectionRotate',
    description:
      'Replaces the secret of a connection. Runs use the new one from their next request on. Requires the role editor.',
  })
  rotate(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('secret', () => String, { description: 'The new secret, by the rules of `ConnectionCreateInput.secret`.' })
    secret: string,
  ) {
    return this.connections.rotate(viewer, id, secret);
  }

  @PayloadMutation({
    returns: { connectionTest: () => ConnectionTest },
    name: 'connectionTest',
    description:
      'Tests a connection with one harmless request, within 15 seconds: GET of `testPath` or the base URL, a sign-in at the mail server, `select 1`, or the list of MCP tools. Requires the role editor.',
  })
  test(@Ctx() { viewer, signal }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.tester.test(viewer, id, toAbortSignal(signal));
  }

  @PayloadMutation({
    returns: { connection: () => ConnectedService },
    name: 'connectionDelete',
    description:
      'Deletes a connection and returns its last state. Nodes that name it fail from their next request on. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.connections.delete(viewer, id);
  }
}
