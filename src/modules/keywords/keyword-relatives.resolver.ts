import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { type NestedRows, nestedRows } from '../../platform/lists/nested-rows.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import { loadRow } from '../../platform/sql/row-loader.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { KeywordPage } from './keyword.inputs.js';
import { KEYWORD_COLUMNS, Keyword } from './keyword.js';
import type { KeywordTables } from './keyword-tables.js';
import { readKeywordRuns } from './locate-keyword.js';
import { KeywordRunPage } from './runs/keyword-run.inputs.js';
import { KeywordRun } from './runs/keyword-run.js';
import { keywordRunColumns } from './runs/keyword-run-columns.js';

const KEYWORDS_OF_PROJECT: NestedRows<number, Keyword> = {
  name: 'project.keywords',
  parent: 'int',
  isPrepared: true,
  rows: (sql, parent) => selectNewestFirst(sql).where('project_id', '=', parent),
};

const KEYWORDS_OF_RUN: NestedRows<number, Keyword> = {
  name: 'keywordRun.keywords',
  parent: 'int',
  isPrepared: true,
  rows: (sql, parent) => selectNewestFirst(sql).where('keywordrun_id', '=', parent),
};

const RUNS_OF_PROJECT: NestedRows<number, KeywordRun> = {
  name: 'project.keywordRuns',
  parent: 'int',
  isPrepared: true,
  rows: (sql, parent) =>
    queryBuilder<KeywordTables>(sql)
      .selectFrom('keyword_run')
      .select(keywordRunColumns)
      .where('project_id', '=', parent)
      .orderBy('keyword_run.created_at', 'desc')
      .orderBy('keyword_run.id', 'desc'),
};

function selectNewestFirst(sql: Sql) {
  return queryBuilder<KeywordTables>(sql)
    .selectFrom('keyword')
    .select(KEYWORD_COLUMNS)
    .orderBy('keyword.created_at', 'desc')
    .orderBy('keyword.rank', rank => rank.asc().nullsFirst())
    .orderBy('keyword.id', 'desc');
}

@Resolver(() => Project)
export class ProjectKeywordsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => KeywordPage, {
    description: 'The keywords, newest first. Keywords of the same keyword run are ordered from best to worst.',
  })
  keywords(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return nestedRows(context, this.database, KEYWORDS_OF_PROJECT, project.id, page);
  }

  @FieldResolver(() => KeywordRunPage, { description: 'The keyword runs of the project, newest first.' })
  keywordRuns(
    @Ctx() context: RequestContext,
    @Root() project: Project,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return nestedRows(context, this.database, RUNS_OF_PROJECT, project.id, page);
  }
}

@Resolver(() => KeywordRun)
export class KeywordRunRelativesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Project, { description: 'The project that owns it.' })
  project(@Ctx() context: RequestContext, @Root() run: KeywordRun) {
    return projectOf(context, this.database, run.projectId);
  }

  @FieldResolver(() => KeywordPage, {
    description: 'The keywords, newest first. Keywords of the same keyword run are ordered from best to worst.',
  })
  keywords(@Ctx() context: RequestContext, @Root() run: KeywordRun, @Args(() => PageArguments) page: PageArguments) {
    return nestedRows(context, this.database, KEYWORDS_OF_RUN, run.id, page);
  }
}

@Resolver(() => Keyword)
export class KeywordRelativesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Project, { description: 'The project that owns it.' })
  project(@Ctx() context: RequestContext, @Root() keyword: Keyword) {
    return projectOf(context, this.database, keyword.projectId);
  }

  @FieldResolver(() => KeywordRun, {
    nullable: true,
    description: 'The keyword run that the keyword belongs to; null if there is none.',
  })
  keywordRun(@Ctx() context: RequestContext, @Root() keyword: Keyword) {
    const read = (ids: readonly number[]) => readKeywordRuns(this.database, ids);
    return loadRow<KeywordRun>(context, { name: 'keywordRun', read }, keyword.keywordRunId);
  }
}
