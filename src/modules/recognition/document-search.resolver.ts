import { Arg, Ctx, Field, Float, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { SearchHit } from '../../engine/ports.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { DocumentSearch } from './document-search.js';

@ObjectType({ description: 'A chunk found by a search.' })
export class DocumentSearchHit implements SearchHit {
  @Field(() => Int, { name: 'documentId', description: 'Id of the document.' })
  document!: number;

  @Field(() => String, { description: 'Filename of the document.' })
  filename!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Page on which the chunk begins, from 1; null for formats without pages.',
  })
  page!: number | null;

  @Field(() => String, { description: 'Text of the chunk.' })
  text!: string;

  @Field(() => Float, { description: 'Relevance, 0-1. Comparable only within one search.' })
  score!: number;
}

@Resolver()
export class DocumentSearchResolver {
  constructor(private readonly searches: DocumentSearch) {}

  @Query(() => [DocumentSearchHit], {
    name: 'documentSearch',
    description:
      'Full-text search in the enabled chunks of a project, best match first. Chunks with every word come before chunks with some of the words. Works in any language.',
  })
  search(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Arg('query', () => String, { description: 'Search words, 1-2000 characters.' }) query: string,
    @Arg('documentIds', () => [Int], {
      nullable: true,
      description: 'Ids of the documents to search in, at most 1000. Default: all documents of the project.',
    })
    documentIds: number[] | null,
    @Arg('limit', () => Int, { defaultValue: 5, description: 'Maximum number of chunks, 1-50.' }) limit: number,
  ) {
    return this.searches.search(viewer, projectId, { query, documentIds: documentIds ?? null, limit });
  }
}
