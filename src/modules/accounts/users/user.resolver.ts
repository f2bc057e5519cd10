import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../request-context.js';
import { UserCreateInput, UserFilter, UserPage, UserUpdateInput } from './user.inputs.js';
import { User } from './user.js';
import type { UserService } from './user.service.js';

@Resolver(() => User)
export class UserResolver {
  constructor(private readonly users: UserService) {}

  @Query(() => User, { name: 'me', description: 'The caller.' })
  me(@Ctx() { viewer }: RequestContext) {
    return this.users.me(viewer);
  }

  @Query(() => UserPage, { name: 'users', description: 'All users, newest first. For administrators.' })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => UserFilter, { nullable: true, description: 'Which users.' }) filter: UserFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.users.list(viewer, filter, page);
  }

  @Query(() => User, { name: 'user', description: 'One user. For administrators.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The user.' }) id: number) {
    return this.users.get(viewer, id);
  }

  @Mutation(() => User, {
    name: 'userCreate',
    description: 'Creates a user. CONFLICT when the email is taken. For administrators.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => UserCreateInput, { description: 'The new user.' }) input: UserCreateInput,
  ) {
    return this.users.create(viewer, input);
  }

  @Mutation(() => User, {
    name: 'userUpdate',
    description:
      'Changes a user. CONFLICT when the email is taken, or no administrator would remain. For administrators.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The user.' }) id: number,
    @Arg('input', () => UserUpdateInput, { description: 'What changes.' }) input: UserUpdateInput,
  ) {
    return this.users.update(viewer, id, input);
  }

  @Mutation(() => User, {
    name: 'userDelete',
    description:
      'Deletes a user and answers what it was: credentials, memberships and personal data are gone and the email is free; runs, the ledger and the audit log stay. CONFLICT when the user owns projects, or no administrator would remain. For administrators.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The user.' }) id: number) {
    return this.users.delete(viewer, id);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the user is kept out: see `userUpdate`.' })
  isDisabled(@Root() user: User): boolean {
    return user.disabledAt !== null;
  }
}
