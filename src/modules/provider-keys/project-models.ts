import type { ModelRequest, PreparedCall } from '../../engine/ports.js';
import { whenReachable } from '../../platform/database/database.js';
import type { LanguageModels } from '../../providers/llm/registry.js';
import type { ProviderKeyService } from './provider-key.service.js';

/** The language models for the calls of one run. */
export interface ModelsOfRun {
  /** Selects the provider and the key once, so that the reservation and the call use the same key. */
  prepare: (request: ModelRequest, signal: AbortSignal) => Promise<PreparedCall>;
}

/** The language models for projects. Keys of the project take precedence over keys of the service. */
export class ProjectModels {
  constructor(
    private readonly service: LanguageModels,
    private readonly keys: ProviderKeyService,
  ) {}

  /** Returns the models with the current keys of the project. Null: only the keys of the service. */
  of(projectId: number | null): LanguageModels | Promise<LanguageModels> {
    return projectId === null ? this.service : this.#ofProject(projectId);
  }

  async #ofProject(projectId: number): Promise<LanguageModels> {
    const keys = await this.keys.decryptAll(projectId);
    return keys.length > 0 ? this.service.withKeys(keys) : this.service;
  }

  /** Returns the models for a run. Each call reads the current keys and waits while the database is unavailable. */
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

/** Built-in models need no key, so the keys of the project need not be read. */
function isBuiltIn({ provider, settings }: ModelRequest): boolean {
  return settings.model_name === 'echo' && (provider === undefined || provider === 'echo');
}
