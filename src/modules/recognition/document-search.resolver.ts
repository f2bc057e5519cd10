import { Arg, Ctx, Field, Float, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { SearchHit } from '../../engine/ports.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { DocumentSearch } from './document-search.js';

@ObjectType({ description: 'A chunk that a search has found.' })
export class DocumentSearchHit implements SearchHit {
  @Field(() => Int, { description: 'The document it is from.' })
  document!: number;

  @Field(() => String, { description: 'Name of the document’s file.' })
  filename!: string;

  @Field(() => Int, { nullable: true, description: 'The page on which it begins; null where there are no pages.' })
  page!: number | null;

  @Field(() => String, { description: 'Its text.' })
  text!: string;

  @Field(() => Float, { description: 'How well it fits, 0-1; of use only beside the others of the same search.' })
  score!: number;
}

@Resolver()
export class DocumentSearchResolver {
  constructor(private readonly searches: DocumentSearch) {}

  @Query(() => [DocumentSearchHit], {
    name: 'documentSearch',
    description:
      'Searches the enabled chunks of a project for words in any language, the best first: those that hold every word before those that hold some.',
  })
  search(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project.' }) projectId: number,
    @Arg('query', () => String, { description: 'Words, 1-2000 characters.' }) query: string,
    @Arg('documentIds', () => [Int], {
      nullable: true,
      description: 'Documents to search in, at most 1000. Default: all of the project.',
    })
    documentIds: number[] | null,
    @Arg('limit', () => Int, { defaultValue: 5, description: 'Most chunks, 1-50.' }) limit: number,
  ) {
    return this.searches.search(viewer, projectId, { query, documentIds: documentIds ?? null, limit });
  }
}
