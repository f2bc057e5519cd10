import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { textOf } from '../../engine/json-value.js';
import { compileGraph, type Graph, GraphError } from '../../engine/workflow/graph/graph.js';
import { type InputField, inputFieldsOf } from '../../engine/workflow/graph/input-fields.js';
import { nodesWithin } from '../../engine/workflow/graph/node-checks.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator, queryBuilder } from '../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import type { RequestContext } from '../accounts/request-context.js';
import { findMarketTerms } from './market-terms.js';
import type { Workflow } from './workflow.js';
import type { WorkflowInputField } from './workflow-input-field.type.js';
import type { WorkflowTables } from './workflow-tables.js';

/** Plain-text values of secret fields by field id. They must not leave the process. */
export type Secrets = Record<string, string>;

/** A compiled revision. Revisions are immutable, so every process may cache them. */
export interface Revision {
  id: number;
  projectId: number;
  workflowId: number | null;
  /** Position in the history of the workflow, from 1. Null without a workflow. */
  number: number | null;
  /** Size of the graph as JSON text, in bytes. */
  bytes: number;
  /** The graph, with the mask in place of secret defaults. */
  data: Record<string, unknown>;
  secrets: Secrets;
  /** The compiled graph, or the error of an invalid structure. Drafts may be invalid; runs of them are rejected. */
  graph: Graph | GraphError;
  /** Id of the terms of the marketplace copy that the graph equals; null without one. */
  marketTermsId: number | null;
  /** Whether a node calls tools of MCP servers. */
  pinsTools: boolean;
  fields: InputField[];
  inputFields: WorkflowInputField[];
}

interface Row {
  id: number;
  projectId: number;
  workflowId: number | null;
  number: number | null;
  data: string;
  sealedSecrets: string | null;
  marketTermsId: number | null;
}

/** A graph to store, with its owner. */
export interface NewRevision {
  projectId: number;
  workflowId: number | null;
  userId: number;
  data: Record<string, unknown>;
  secrets: Secrets;
  note?: string;
}

/** Maximum total graph size in the cache of a process, in bytes. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** Used by runs and lists for revisions that are not in the cache. */
const READ = keyedQuery(
  'workflow-revisions',
  (tables: QueryCreator<WorkflowTables>, value: Placeholder<{ ids: number[] }>) =>
    tables
      .selectFrom('workflow_revision')
      .select([
        'id',
        'project_id as projectId',
        'workflow_id as workflowId',
        'number',
        expression<string>`data::text`.as('data'),
      ])
      .select(['sealed_secrets as sealedSecrets', 'market_terms_id as marketTermsId'])
      .where('id', '=', ({ fn }) => fn.any(expression<number[]>`${value('ids')}::int[]`)),
);

/** Stores and compiles revisions, with a cache per process. */
export class RevisionStore {
  readonly #cache = new LRUCache<number, Revision>({ maxSize: CACHE_BYTES });

  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** The revisions in the order of `ids`; undefined for an id that does not exist. */
  async read(ids: readonly number[], sql: Sql = this.database): Promise<(Revision | undefined)[]> {
    // Cached values are taken before the statement, because other reads may evict them meanwhile.
    const found = new Map(ids.map(id => [id, this.#cache.get(id)]));
    const missing = ids.filter(id => found.get(id) === undefined);
    if (missing.length > 0) {
      for (const row of await READ(sql, { ids: missing })) {
        const revision = this.#compile(row);
        found.set(row.id, revision);
        this.#cache.set(row.id, revision, { size: row.data.length + 1_000 });
      }
    }
    return ids.map(id => found.get(id));
  }

  async get(id: number, sql?: Sql): Promise<Revision> {
    const [revision] = await this.read([id], sql);
    if (!revision) throw new Error(`revision ${id} does not exist`);
    return revision;
  }

  /** Loads a revision for an item of a list, with one query for a whole page. */
  load(context: RequestContext, id: number): Promise<Revision> {
    const loader = context.loader(
      'workflow.revision',
      () =>
        new DataLoader<number, Revision>(async ids => {
          const revisions = await this.read(ids);
          return revisions.map((revision, index) => revision ?? new Error(`revision ${ids[index]} does not exist`));
        }),
    );
    return loader.load(id);
  }

  /** Graph size of a revision in bytes. One query for a whole page reads the sizes without the graphs. */
  bytesOf(context: RequestContext, id: number): Promise<number> {
    const loader = context.loader(
      'workflow.revision-bytes',
      () =>
        new DataLoader<number, number>(async ids => {
          // A single item is never shortened, so its size is not needed.
          if (ids.length === 1) return [0];
          const bytes = new Map(ids.map(each => [each, this.#cache.get(each)?.bytes]));
          const missing = ids.filter(each => bytes.get(each) === undefined);
          const rows = missing.length === 0 ? [] : await readBytes(this.database, missing);
          for (const row of rows) bytes.set(row.id, row.bytes);
          return ids.map(each => bytes.get(each) ?? 0);
        }),
    );
    return loader.load(id);
  }

  /** Loads the current revision of a workflow, with one query for a whole list. */
  of(context: RequestContext, workflow: Workflow): Promise<Revision> {
    return this.load(context, workflow.revisionId!);
  }

  /** Compiles a revision without a workflow. It is not stored; the statement that inserts its run must also insert it. */
  async compileUnstored(
    graph: Omit<NewRevision, 'workflowId'>,
  ): Promise<{ revision: Revision; sealedSecrets: string | null }> {
    const { projectId, data } = graph;
    const [id, marketTermsId] = await Promise.all([
      nextId(this.database),
      findMarketTerms(this.database, data, { ...graph, workflowId: null }),
    ]);
    const sealedSecrets = this.#seal(id, graph.secrets);
    const row = {
      id,
      projectId,
      workflowId: null,
      number: null,
      data: JSON.stringify(data),
      sealedSecrets,
      marketTermsId,
    };
    return { revision: this.#compile(row), sealedSecrets };
  }

  /**
   * The revision of a workflow with a number. The caller must have authorized the viewer.
   * @throws InvalidInputError for `argument` when there is none
   */
  async ofNumber(workflowId: number, number: number, argument: string): Promise<Revision> {
    const row = await queryBuilder<WorkflowTables>(this.database)
      .selectFrom('workflow_revision')
      .select('id')
      .where('workflow_id', '=', workflowId)
      .where('number', '=', number)
      .executeTakeFirst();
    if (!row) throw new InvalidInputError({ [argument]: [`The workflow has no revision ${number}.`] });
    return this.get(row.id);
  }

  /**
   * Inserts a revision in the transaction of the caller, which has locked the workflow or inserted it. Returns its
   * id.
   */
  async add(sql: Sql, revision: NewRevision & { workflowId: number }): Promise<number> {
    const { projectId, workflowId, data } = revision;
    const id = await nextId(sql);
    const marketTermsId = await findMarketTerms(sql, data, revision);
    const sealedSecrets = this.#seal(id, revision.secrets);
    await queryBuilder<WorkflowTables>(sql)
      .insertInto('workflow_revision')
      .values(({ selectFrom }) => ({
        ...{ id, project_id: projectId, workflow_id: workflowId, data: JSON.stringify(data) },
        ...{ user_id: revision.userId || null, note: revision.note ?? '' },
        number: selectFrom('workflow_revision')
          .select(expression<number>`coalesce(max(number), 0) + 1`.as('number'))
          .where('workflow_id', '=', workflowId),
        ...{ sealed_secrets: sealedSecrets, market_terms_id: marketTermsId },
      }))
      .execute();
    return id;
  }

  #seal(id: number, secrets: Secrets): string | null {
    return Object.keys(secrets).length > 0 ? this.vault.seal(JSON.stringify(secrets), sealContextOf(id)) : null;
  }

  #compile({ id, projectId, workflowId, number, data: text, sealedSecrets, marketTermsId }: Row): Revision {
    const data = JSON.parse(text) as Record<string, unknown>;
    const fields = inputFieldsOf(data);
    const graph = compileOrError(data);
    return {
      id,
      projectId,
      workflowId,
      number,
      bytes: Buffer.byteLength(text),
      data,
      secrets: sealedSecrets ? JSON.parse(this.vault.open(sealedSecrets, sealContextOf(id))) : {},
      graph,
      marketTermsId,
      pinsTools: !(graph instanceof GraphError) && [...nodesWithin(graph)].some(({ kind }) => kind.pinsTools),
      fields,
      inputFields: fields.map(toInputField),
    };
  }
}

/** The id is reserved before the insert, because secrets are sealed for it. */
async function nextId(sql: Sql): Promise<number> {
  const { id } = await queryBuilder<WorkflowTables>(sql)
    .selectNoFrom(expression<number>`nextval('workflow_revision_id_seq')::int`.as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

function readBytes(sql: Sql, ids: number[]): Promise<{ id: number; bytes: number }[]> {
  return queryBuilder<WorkflowTables>(sql)
    .selectFrom('workflow_revision')
    .select(['id', expression<number>`octet_length(data::text)`.as('bytes')])
    .where('id', 'in', ids)
    .execute();
}

function sealContextOf(revisionId: number): string {
  return `workflow_revision:sealed_secrets:${revisionId}`;
}

function compileOrError(data: unknown): Graph | GraphError {
  try {
    return compileGraph(data);
  } catch (error) {
    if (error instanceof GraphError) return error;
    throw error;
  }
}

function toInputField(field: InputField): WorkflowInputField {
  return {
    id: field.id,
    title: field.title,
    type: field.type,
    inputRequirements: field.input_requirements,
    placeholder: field.placeholder,
    tooltip: field.tooltip,
    defaultValue: field.default_value === null ? null : textOf(field.default_value),
    isSecret: field.is_secret,
    options: field.options.map(option => ({
      title: option.title,
      value: textOf(option.value),
      isDefault: option.is_default,
    })),
  };
}
