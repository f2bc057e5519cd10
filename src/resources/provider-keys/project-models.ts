import { onceReachable } from '../../base/database.js';
import type { LanguageModel, ModelRequest } from '../../engine/ports.js';
import type { LanguageModels } from '../../providers/llm/registry.js';
import type { ProviderKeyService } from './provider-key.service.js';

/** The language models as the calls of one run reach them. */
export interface ModelsOfRun {
  llm: LanguageModel;
  /** The most that a call should cost, in US dollars. */
  estimate: (request: ModelRequest) => Promise<string>;
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
    const modelsFor = (request: ModelRequest, signal?: AbortSignal) =>
      isBuiltIn(request) ? this.service : onceReachable(() => this.#ofProject(projectId), signal);
    return {
      llm: {
        complete: async (request, call) => (await modelsFor(request, call.signal)).complete(request, call, projectId),
      },
      estimate: async request => (await modelsFor(request)).estimate(request),
    };
  }
}

/** No key changes who answers. */
function isBuiltIn({ provider, settings }: ModelRequest): boolean {
  return settings.model_name === 'echo' && (provider === undefined || provider === 'echo');
}
