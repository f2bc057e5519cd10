import type { IsModelServed } from '../../engine/workflow/graph/validate.js';

/** Which models find a provider: those of the service, and those that a project has keys for. */
export class ServedModels {
  constructor(
    private readonly ofService: IsModelServed,
    /** With the keys that the project has now. */
    private readonly ofProject: (projectId: number) => Promise<IsModelServed>,
  ) {}

  /** What `attempt` comes to. Most workflows need no key of the project: it is asked for its keys where it is no good without. */
  async tried<T>(
    projectId: number | null,
    attempt: (servesModel: IsModelServed) => { outcome: T; isGood: boolean },
  ): Promise<T> {
    const { outcome, isGood } = attempt(this.ofService);
    if (isGood || projectId === null) return outcome;
    return attempt(await this.ofProject(projectId)).outcome;
  }
}
