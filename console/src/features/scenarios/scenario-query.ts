import type { ScenarioEditorQuery } from './scenario-editor.generated';

export type ScenarioView = NonNullable<ScenarioEditorQuery['scenario']>;
export type ScenarioMessageRow = ScenarioView['messages'][number];

/** The queries that show messages of a scenario. */
export const SCENARIO_QUERIES = ['ScenarioEditor', 'NamedMessages'];

/** The model in the parameters of a message. Empty: the default model. */
export function modelOf(parameters: unknown): string {
  const { model_name: name } = (parameters ?? {}) as { model_name?: unknown };
  return typeof name === 'string' ? name : '';
}
