import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { expression } from '../../platform/database/typed-queries.js';
import { DateTime, JSONValue, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';

@ObjectType({ description: 'A value that the workflows of a project keep between runs.' })
export class KeyValueEntry {
  @Field(() => UUID, { description: 'The id of the entry, until it is deleted or expires. Unique.' })
  id!: string;

  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The key, 1-256 characters, unique in the project.' })
  key!: string;

  /** A field resolver returns it, because a list loads it later. */
  value!: unknown;

  @Field(() => String, { description: 'Changes with each write and never repeats. Compare it only for equality.' })
  version!: string;

  @Field(() => DateTime, { nullable: true, description: 'When the entry is removed. Null: it stays.' })
  expiresAt!: Date | null;

  @Field(() => DateTime, { description: 'When the entry was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the entry was last written.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'One page of entries of a key-value store.' })
export class KeyValueEntryPage extends pageOf(KeyValueEntry) {}

/** The columns of `key_value_entry` in a list, named as the members of a KeyValueEntry. */
export const LISTED_ENTRY_COLUMNS = [
  ...(['e.id', 'e.project_id as projectId', 'e.key', 'e.expires_at as expiresAt'] as const),
  ...(['e.created_at as createdAt', 'e.updated_at as updatedAt'] as const),
  expression<string>`e.version::text`.as('version'),
] as const;

export const ENTRY_COLUMNS = [...LISTED_ENTRY_COLUMNS, 'e.value'] as const;

const TTL_DESCRIPTION = 'Seconds after which the entry is removed, 1-315,360,000.';

@InputType({ description: 'A value for a key.' })
export class KeyValueEntrySetInput {
  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The key, 1-256 characters.' })
  key!: string;

  @Field(() => JSONValue, { nullable: true, description: 'The value, at most 65,536 bytes as JSON. Default: null.' })
  value?: unknown;

  @Field(() => Int, { nullable: true, description: `${TTL_DESCRIPTION} Default: it stays.` })
  ttlSeconds?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The version that the entry must have, otherwise CONFLICT; the empty text: there must be no entry. Default: any.',
  })
  expectedVersion?: string | null;
}

@InputType({ description: 'A number to add to the value of a key.' })
export class KeyValueEntryIncrementInput {
  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The key, 1-256 characters.' })
  key!: string;

  @Field(() => Number, { nullable: true, description: 'The number to add; negative subtracts. Default: 1.' })
  by?: number | null;

  @Field(() => Int, { nullable: true, description: `${TTL_DESCRIPTION} Used only for a new entry. Default: it stays.` })
  ttlSeconds?: number | null;
}
