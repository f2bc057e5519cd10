import { Field, InputType, Int } from 'type-graphql';
import { ListingFilter } from '../marketplace/listing.inputs.js';

@InputType({ description: 'Which workflows of the catalog to list. All that is given must hold.' })
export class CatalogFilter extends ListingFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Part of the title or of the market title, in any case; `%` and `_` are literal.',
  })
  search?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Part of the title, in any case; `%` and `_` are literal.',
  })
  titleContains?: string | null;

  @Field(() => Int, { nullable: true, description: 'Those of one project.' })
  project?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: those that the caller created, without copies from the marketplace.',
  })
  ownScripts?: boolean | null;
}
