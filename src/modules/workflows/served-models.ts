import type { IsModelServed } from '../../engine/workflow/graph/validate.js';

/** Decides which models have a provider: those of the service and those of a project's provider keys. */
export class ServedModels {
  constructor(
    private readonly ofService: IsModelServed,
    /** Models of the service and of the project's current provider keys. */
    private readonly ofProject: (projectId: number) => Promise<IsModelServed>,
  ) {}

  /**
   * Returns the outcome of `attempt` with the models of the service. If that is not good, it tries again with the project's keys.
   * Most workflows need no project key, so the keys are loaded only when necessary.
   */
  async withModels<T>(
    projectId: number | null,
    attempt: (servesModel: IsModelServed) => { outcome: T; isGood: boolean },
  ): Promise<T> {
    const { outcome, isGood } = attempt(this.ofService);
    if (isGood || projectId === null) return outcome;
    return attempt(await this.ofProject(projectId)).outcome;
  }
}
