import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { type NestedList, nestedPage } from '../../platform/lists/nested-page.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import { rowOf } from '../../platform/sql/row-loader.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { KeywordPage } from './keyword.inputs.js';
import { KEYWORD_COLUMNS, Keyword } from './keyword.js';
import { KeywordRunPage } from './runs/keyword-run.inputs.js';
import { KEYWORD_RUN_COLUMNS, KeywordRun } from './runs/keyword-run.js';

const KEYWORDS_OF_PROJECT: NestedList<Keyword> = {
  name: 'project.keywords',
  parent: 'int',
  columns: KEYWORD_COLUMNS,
  from: 'keyword k where k.project_id = parent.id',
  order: 'k.created_at desc, k.rank nulls first, k.id desc',
};

const KEYWORDS_OF_RUN: NestedList<Keyword> = {
  ...KEYWORDS_OF_PROJECT,
  name: 'keywordRun.keywords',
  from: 'keyword k where k.keywordrun_id = parent.id',
};

const RUNS_OF_PROJECT: NestedList<KeywordRun> = {
  name: 'project.keywordRuns',
  parent: 'int',
  columns: KEYWORD_RUN_COLUMNS,
  from: 'keyword_run r where r.project_id = parent.id',
  order: 'r.created_at desc, r.id desc',
};

@Resolver(() => Project)
export class ProjectKeywordsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => KeywordPage, {
    description: 'Its keywords, newest first; of those found together the best first.',
  })
  keywords(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return nestedPage(context, this.database, KEYWORDS_OF_PROJECT, project.id, page);
  }

  @FieldResolver(() => KeywordRunPage, { description: 'Its keyword runs, newest first.' })
  keywordRuns(
    @Ctx() context: RequestContext,
    @Root() project: Project,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return nestedPage(context, this.database, RUNS_OF_PROJECT, project.id, page);
  }
}

@Resolver(() => KeywordRun)
export class KeywordRunRelativesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() run: KeywordRun) {
    return projectOf(context, this.database, run.projectId);
  }

  @FieldResolver(() => KeywordPage, {
    description: 'Its keywords, newest first; of those found together the best first.',
  })
  keywords(@Ctx() context: RequestContext, @Root() run: KeywordRun, @Args(() => PageArguments) page: PageArguments) {
    return nestedPage(context, this.database, KEYWORDS_OF_RUN, run.id, page);
  }
}

@Resolver(() => Keyword)
export class KeywordRelativesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() keyword: Keyword) {
    return projectOf(context, this.database, keyword.projectId);
  }

  @FieldResolver(() => KeywordRun, { nullable: true, description: 'The keyword run that it belongs to; null: none.' })
  keywordRun(@Ctx() context: RequestContext, @Root() keyword: Keyword) {
    const read = `select ${KEYWORD_RUN_COLUMNS} from keyword_run r where r.id = any($1::int[])`;
    return rowOf<KeywordRun>(context, this.database, { name: 'keywordRun', read }, keyword.keywordRunId);
  }
}
