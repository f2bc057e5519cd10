import type { ModelRequest, PreparedCall } from '../../engine/ports.js';
import { whenReachable } from '../../platform/database/database.js';
import type { LanguageModels } from '../../providers/llm/registry.js';
import type { ProviderKeyService } from './provider-key.service.js';

/** The language models as the calls of one run reach them. */
export interface ModelsOfRun {
  /** Chooses provider and key once, so that the key that pays is the one that was asked about. */
  prepare: (request: ModelRequest, signal: AbortSignal) => Promise<PreparedCall>;
}

/** The language models as projects reach them: by keys of their own before those of the service. */
export class ProjectModels {
  constructor(
    private readonly service: LanguageModels,
    private readonly keys: ProviderKeyService,
  ) {}

  /** With the keys that the project has now; null: no project. */
  of(projectId: number | null): LanguageModels | Promise<LanguageModels> {
    return projectId === null ? this.service : this.#ofProject(projectId);
  }

  async #ofProject(projectId: number): Promise<LanguageModels> {
    const keys = await this.keys.openOf(projectId);
    return keys.length > 0 ? this.service.withKeys(keys) : this.service;
  }

  /** Each call with the keys of its moment; a database that is away is waited for. */
  ofRun(projectId: number): ModelsOfRun {
    const modelsFor = (request: ModelRequest, signal: AbortSignal) =>
      isBuiltIn(request) ? this.service : whenReachable(() => this.#ofProject(projectId), signal);
    return {
      prepare: async (request, signal) => {
        const models = await modelsFor(request, signal);
        return {
          costUsd: await models.estimate(request),
          isService: models.needsServiceKey(request),
          complete: call => models.complete(request, call, projectId),
        };
      },
    };
  }
}

/** No key changes who answers. */
function isBuiltIn({ provider, settings }: ModelRequest): boolean {
  return settings.model_name === 'echo' && (provider === undefined || provider === 'echo');
}
