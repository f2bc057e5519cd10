import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../platform/database/typed-queries.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { RequestContext } from '../accounts/request-context.js';
import { RecognitionChunk } from './recognition-chunk.js';
import type { RecognitionTables } from './recognition-tables.js';

@Resolver(() => RecognitionChunk)
export class ChunkTextResolver {
  constructor(
    private readonly database: Database,
    private readonly pageBytes: PageBytes,
  ) {}

  @FieldResolver(() => String, {
    description:
      'Text of the chunk. It ends at the end of a paragraph or sentence where possible. Empty when `isShortened` is true.',
  })
  async text(@Ctx() context: RequestContext, @Root() chunk: RecognitionChunk): Promise<string> {
    return (await this.pageBytes.fits(context, 'recognition-chunk', chunk, chunk))
      ? this.#texts(context).load(chunk.id)
      : '';
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the page leaves out `text` because the page has reached its size limit.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() chunk: RecognitionChunk): Promise<boolean> {
    return !(await this.pageBytes.fits(context, 'recognition-chunk', chunk, chunk));
  }

  #texts(context: RequestContext): DataLoader<number, string> {
    return context.loader(
      'recognitionChunk.text',
      () =>
        new DataLoader<number, string>(async ids => {
          const rows = await queryBuilder<RecognitionTables>(this.database)
            .selectFrom('recognition_chunk')
            .select(['id', 'text'])
            .where('id', '=', anyInt(ids))
            .execute();
          const texts = new Map(rows.map(row => [row.id, row.text]));
          return ids.map(id => texts.get(id) ?? '');
        }),
    );
  }
}
