import { PortError, type ScenarioRuns, type SubRunEnd } from '../../../engine/ports.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { changeVariable } from '../contents/run-changes.js';
import { RunParts } from '../contents/run-parts.js';
import { type ScenarioRunError, ScenarioRunStatus } from '../scenario-run.js';
import type { ScenarioRunCanceller } from '../scenario-run-canceller.js';
import type { ScenarioRunStarter } from '../scenario-run-starter.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';

/** A workflow run that starts scenario runs, on behalf of the user who started it and in its project. */
export interface ParentRun {
  id: string;
  projectId: number;
  userId: number | null;
  /** The scenario run of which the workflow run is a part. */
  scenarioRunId: number | null;
}

/** Scenario runs that workflow runs start. */
export class ChildScenarioRuns {
  constructor(
    private readonly database: Database,
    private readonly starter: ScenarioRunStarter,
    private readonly canceller: ScenarioRunCanceller,
    private readonly budget: Budget,
  ) {}

  /** Returns the engine's port for one workflow run. */
  portFor(parent: ParentRun, { mask }: { mask<T>(value: T): T }): ScenarioRuns {
    return {
      start: async request => {
        assertWithoutSecrets(request, mask);
        return this.#start(parent, request);
      },
      findEnd: runId => this.#findEnd(runId),
      cancel: runId => this.canceller.cancel(Number(runId)),
    };
  }

  async #start(
    parent: ParentRun,
    { scenarioId, variables, key }: Parameters<ScenarioRuns['start']>[0],
  ): Promise<string> {
    // A scenario run occupies a worker while it waits for a workflow. If such workflows waited for scenario runs, all workers could
    // wait for one another.
    if (parent.scenarioRunId !== null)
      throw new PortError('recursive_scenario', 'a workflow that a scenario message runs cannot run a scenario', {
        isFinal: true,
      });
    const scenario = await queryBuilder<ScenarioRunTables>(this.database)
      .selectFrom('scenario')
      .select('id')
      .where('id', '=', scenarioId)
      .where('project_id', '=', parent.projectId)
      .where('scenariorun_id', 'is', null)
      .executeTakeFirst();
    if (!scenario) throw new PortError('unknown_scenario', 'scenario_id must be a scenario of the same project');
    if (await this.budget.isSpent(parent.projectId))
      throw new PortError('budget_exceeded', 'The spending limit of the project is reached.', { isFinal: true });
    try {
      const id = await this.starter.start(
        {
          billingId: runIdOf(parent.id, key),
          projectId: parent.projectId,
          scenarioId,
          sourceId: scenarioId,
          userId: parent.userId,
          parentRunId: parent.id,
          webhookUrl: '',
          doRunDefault: false,
          insertedVariables: '[]',
        },
        async (sql, runId) => {
          const faults = new Faults();
          const parts = await RunParts.read(sql, runId);
          for (const [name, value] of Object.entries(variables))
            faults.addWithin(name, await changeVariable(parts, { key: name, value }));
          faults.throwIfAny();
        },
      );
      return String(id);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const [firstFault] = Object.entries(error.extensions.fields ?? {});
      throw refusalOf(scenarioId, firstFault?.join(': '));
    }
  }

  async #findEnd(runId: string): Promise<SubRunEnd | undefined> {
    const row = await queryBuilder<ScenarioRunTables>(this.database)
      .selectFrom('scenario_run')
      .select(['status', 'final_result as finalResult', 'error'])
      .where('id', '=', Number(runId))
      .$castTo<{ status: ScenarioRunStatus; finalResult: string | null; error: ScenarioRunError | null }>()
      .executeTakeFirst();
    if (!row) return { status: 'failed', runId, error: { code: 'not_found', message: 'the scenario run was deleted' } };
    const { status, finalResult, error } = row;
    if (status === ScenarioRunStatus.QUEUED || status === ScenarioRunStatus.RUNNING) return undefined;
    if (status === ScenarioRunStatus.SUCCEEDED) return { status: 'succeeded', runId, content: finalResult ?? '' };
    return { status: 'failed', runId, error: error ?? { code: status, message: `the run is ${status}` } };
  }
}

/** Derives a UUID from the workflow run and the key, so that a repeated start returns the same run. */
function runIdOf(parentId: string, key: string): string {
  return derivedUuid(`scenario\n${parentId}\n${key}`);
}

/** All members of the project can read the variables and messages of a scenario run, which have no secret values. */
function assertWithoutSecrets(
  { scenarioId, variables }: { scenarioId: number; variables: Record<string, string> },
  mask: <T>(value: T) => T,
): void {
  for (const [name, value] of Object.entries(variables))
    if (mask(value) !== value)
      throw refusalOf(scenarioId, `${name}: must not contain a secret, because a scenario run has no secret values`, {
        isFinal: true,
      });
}

function refusalOf(scenarioId: number, fault: string | undefined, options?: { isFinal: boolean }): PortError {
  return new PortError('scenario_refused', `scenario ${scenarioId} cannot be run: variables.${fault}`, options);
}
