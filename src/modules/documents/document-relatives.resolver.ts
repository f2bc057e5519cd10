import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { type NestedRows, nestedRows } from '../../platform/lists/nested-rows.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { DocumentPage } from './document.inputs.js';
import { DOCUMENT_COLUMNS, Document } from './document.js';
import type { DocumentTables } from './document-tables.js';

const OF_PROJECT: NestedRows<number, Document> = {
  name: 'project.documents',
  parent: 'int',
  isPrepared: true,
  rows: (sql, parent) =>
    queryBuilder<DocumentTables>(sql)
      .selectFrom('document')
      .select(DOCUMENT_COLUMNS)
      .where('project_id', '=', parent)
      .orderBy('document.created_at', 'desc')
      .orderBy('document.id', 'desc'),
};

@Resolver(() => Project)
export class ProjectDocumentsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => DocumentPage, { description: 'Documents of the project, newest first.' })
  documents(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return nestedRows(context, this.database, OF_PROJECT, project.id, page);
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
