import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../request-context.js';
import { UserCreateInput, UserFilter, UserPage, UserUpdateInput } from './user.inputs.js';
import { User } from './user.js';
import type { UserService } from './user.service.js';

@Resolver(() => User)
export class UserResolver {
  constructor(private readonly users: UserService) {}

  @Query(() => User, { name: 'me', description: 'The user who sends the request.' })
  me(@Ctx() { viewer }: RequestContext) {
    return this.users.me(viewer);
  }

  @Query(() => UserPage, { name: 'users', description: 'All users, newest first. Requires an administrator.' })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => UserFilter, {
      nullable: true,
      description: 'Conditions that listed users match. Default: all users.',
    })
    filter: UserFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.users.list(viewer, filter, page);
  }

  @Query(() => User, { name: 'user', description: 'One user. Requires an administrator.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The id of the user.' }) id: number) {
    return this.users.get(viewer, id);
  }

  @PayloadMutation({
    returns: { user: () => User },
    name: 'userCreate',
    description: 'Creates a user. CONFLICT when another user has the email. Requires an administrator.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => UserCreateInput, { description: 'The new user.' }) input: UserCreateInput,
  ) {
    return this.users.create(viewer, input);
  }

  @PayloadMutation({
    returns: { user: () => User },
    name: 'userUpdate',
    description:
      'Changes a user. CONFLICT when another user has the email or no administrator would remain. Requires an administrator.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The id of the user.' }) id: number,
    @Arg('input', () => UserUpdateInput, { description: 'The fields to change.' }) input: UserUpdateInput,
  ) {
    return this.users.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { user: () => User },
    name: 'userDelete',
    description:
      'Deletes a user and returns the last state. Credentials, memberships and personal data are deleted, and the email can be used again. Runs, the ledger and the audit log remain. CONFLICT when the user owns projects or no administrator would remain. Requires an administrator.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The id of the user.' }) id: number) {
    return this.users.delete(viewer, id);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the user is disabled: logins and API keys of the user are refused. See `userUpdate`.',
  })
  isDisabled(@Root() user: User): boolean {
    return user.disabledAt !== null;
  }
}
