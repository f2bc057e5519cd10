import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { type NestedList, nestedPage } from '../../platform/lists/nested-page.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { DocumentPage } from './document.inputs.js';
import { DOCUMENT_COLUMNS, Document } from './document.js';

const OF_PROJECT: NestedList<Document> = {
  name: 'project.documents',
  parent: 'int',
  columns: DOCUMENT_COLUMNS,
  from: 'document d where d.project_id = parent.id',
  order: 'd.created_at desc, d.id desc',
};

@Resolver(() => Project)
export class ProjectDocumentsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => DocumentPage, { description: 'Its documents, newest first.' })
  documents(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return nestedPage(context, this.database, OF_PROJECT, project.id, page);
  }
}

@Resolver(() => Document)
export class DocumentProjectResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() document: Document) {
    return projectOf(context, this.database, document.projectId);
  }
}
