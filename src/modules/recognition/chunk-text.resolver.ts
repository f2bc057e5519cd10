import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { anyInt, queries } from '../../platform/database/typed-queries.js';
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
      'The text. It ends where a paragraph or a sentence does, where there is one. Empty where it is shortened.',
  })
  async text(@Ctx() context: RequestContext, @Root() chunk: RecognitionChunk): Promise<string> {
    return (await this.pageBytes.fits(context, 'recognition-chunk', chunk)) ? this.#texts(context).load(chunk.id) : '';
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() chunk: RecognitionChunk): Promise<boolean> {
    return !(await this.pageBytes.fits(context, 'recognition-chunk', chunk));
  }

  #texts(context: RequestContext): DataLoader<number, string> {
    return context.loader(
      'recognitionChunk.text',
      () =>
        new DataLoader<number, string>(async ids => {
          const rows = await queries<RecognitionTables>(this.database)
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
