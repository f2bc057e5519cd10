import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { JSONValue, UUID } from '../../platform/json/scalars.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { KeyValueEntryService } from './key-value-entry.service.js';
import {
  KeyValueEntry,
  KeyValueEntryIncrementInput,
  KeyValueEntryPage,
  KeyValueEntrySetInput,
} from './key-value-entry.type.js';

const ID = { description: 'The id of the entry: `KeyValueEntry.id`.' };

@Resolver(() => KeyValueEntry)
export class KeyValueEntryResolver {
  constructor(
    private readonly entries: KeyValueEntryService,
    private readonly payloads: ListPayloads<{ value: unknown }>,
  ) {}

  @Query(() => KeyValueEntryPage, {
    name: 'keyValueEntries',
    description: 'Lists the entries of the key-value store of a project by key, without expired ones.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Arg('prefix', () => String, { nullable: true, description: 'How the keys begin. Default: all keys.' })
    prefix: string | null | undefined,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.entries.list(viewer, projectId, prefix, page);
  }

  @Query(() => KeyValueEntry, {
    name: 'keyValueEntry',
    description: 'Returns one entry. NOT_FOUND when the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => UUID, ID) id: string) {
    return this.entries.get(viewer, id);
  }

  @PayloadMutation({
    returns: { keyValueEntry: () => KeyValueEntry },
    name: 'keyValueEntrySet',
    description:
      'Writes the value of a key. CONFLICT when the entry has another version than the expected one, or the project has 10,000 entries or 64 MiB. Requires the role editor.',
  })
  set(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => KeyValueEntrySetInput, { description: 'The key and its value.' }) input: KeyValueEntrySetInput,
  ) {
    return this.entries.set(viewer, input);
  }

  @PayloadMutation({
    returns: { keyValueEntry: () => KeyValueEntry },
    name: 'keyValueEntryIncrement',
    description:
      'Adds a number to the value of a key; a key without an entry counts as 0. BAD_USER_INPUT when the value is not a number. CONFLICT when the project has 10,000 entries or 64 MiB. Requires the role editor.',
  })
  increment(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => KeyValueEntryIncrementInput, { description: 'The key and the number.' })
    input: KeyValueEntryIncrementInput,
  ) {
    return this.entries.increment(viewer, input);
  }

  @PayloadMutation({
    returns: { keyValueEntry: () => KeyValueEntry },
    name: 'keyValueEntryDelete',
    description: 'Deletes an entry and returns it. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => UUID, ID) id: string) {
    return this.entries.delete(viewer, id);
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description: 'The value, at most 65,536 bytes as JSON. Null if `isShortened` is true.',
  })
  async value(@Ctx() context: RequestContext, @Root() entry: KeyValueEntry) {
    return (await this.payloads.of(context, entry))?.value ?? null;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the list omits the value of this entry because the page would exceed its size limit. Query the entry by id to read it.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() entry: KeyValueEntry) {
    return !(await this.payloads.isWhole(context, entry));
  }
}
