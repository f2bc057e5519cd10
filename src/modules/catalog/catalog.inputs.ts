import { Field, InputType, Int } from 'type-graphql';
import { ListingFilter } from '../marketplace/listing.inputs.js';

@InputType({ description: 'Filters the catalog. All given conditions must match.' })
export class CatalogFilter extends ListingFilter {
  @Field(() => String, {
    nullable: true,
    description:
      'A part of the title or of the market title, at most 255 characters. Case-insensitive; `%` and `_` are literal.',
  })
  search?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A part of the title, at most 255 characters. Case-insensitive; `%` and `_` are literal.',
  })
  titleContains?: string | null;

  @Field(() => Int, { nullable: true, description: 'The id of a project: lists only its workflows.' })
  projectId?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only workflows that the caller created, without copies from the marketplace. Default: false.',
  })
  ownScripts?: boolean | null;
}
