import { LRUCache } from 'lru-cache';
import type { ModelCatalog } from '../../engine/workflow/graph/node-kind.js';
import type { LanguageModels } from '../../providers/llm/registry.js';

type CatalogModels = Pick<LanguageModels, 'serves' | 'refusedParameters' | 'models'>;

/** Limit for listing models in a refusal. Providers that do not respond in time are left out. */
const LISTING_MS = 2_000;
/** Refused requests are repeated, so lists are reused. */
const LIST_AGE_MS = 60_000;
const MAX_LISTS = 1_000;
/** The cache key of the models of the service. Ids of projects begin at 1. */
const NO_PROJECT = 0;

/** Decides which models have a provider: those of the service and those of a project's provider keys. */
export class ServedModels {
  readonly #lists = new LRUCache<number, Promise<readonly string[]>>({ max: MAX_LISTS, ttl: LIST_AGE_MS });

  constructor(
    private readonly ofService: CatalogModels,
    /** Models of the service and of the project's current provider keys. Null: of the service. */
    private readonly ofProject: (projectId: number | null) => CatalogModels | Promise<CatalogModels>,
  ) {}

  /**
   * Returns the outcome of `attempt` with the models of the service. If that is not final, because other models could
   * change it, it tries again with the project's keys. Most workflows need no project key, so the keys are loaded only
   * when necessary. If a model is unknown, a last attempt gets the names of the available models for its message.
   */
  async withModels<T>(
    projectId: number | null,
    attempt: (catalog: ModelCatalog) => { outcome: T; isFinal: boolean },
  ): Promise<T> {
    const first = attempt(catalogOf(this.ofService));
    if (first.isFinal) return first.outcome;
    const models = projectId === null ? this.ofService : await this.ofProject(projectId);
    let isServed = true;
    const servesModel: ModelCatalog['servesModel'] = (provider, model) => {
      const serves = models.serves(provider, model);
      isServed &&= serves;
      return serves;
    };
    const second = attempt({ ...catalogOf(models), servesModel });
    if (isServed) return second.outcome;
    const modelNames = await this.#namesOf(models, projectId ?? NO_PROJECT);
    return attempt({ ...catalogOf(models), modelNames }).outcome;
  }

  /** Returns the names of the available models, at most a minute old. Providers that do not respond in time are left out. */
  async modelNames(projectId: number | null): Promise<readonly string[]> {
    const models = projectId === null ? this.ofService : await this.ofProject(projectId);
    return this.#namesOf(models, projectId ?? NO_PROJECT);
  }

  #namesOf(models: CatalogModels, projectId: number): Promise<readonly string[]> {
    const names =
      this.#lists.get(projectId) ??
      models.models(AbortSignal.timeout(LISTING_MS)).then(listed => listed.map(({ id }) => id));
    this.#lists.set(projectId, names, { noUpdateTTL: true });
    return names;
  }
}

function catalogOf({ serves, refusedParameters }: CatalogModels): ModelCatalog {
  return { servesModel: serves, refusedParameters };
}
