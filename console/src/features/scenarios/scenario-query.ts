import { ScenarioEditorDocument, type ScenarioEditorQuery } from './scenario-editor.generated';

export const ScenarioDocumentQuery = ScenarioEditorDocument;

export type ScenarioView = NonNullable<ScenarioEditorQuery['scenario']>;
export type ScenarioMessageRow = ScenarioView['messages'][number];

/** The queries that show messages of a scenario. */
export const SCENARIO_QUERIES = ['ScenarioEditor', 'ScenarioNames'];

export function modelOf(parameters: unknown): string {
  const { model_name: name } = (parameters ?? {}) as { model_name?: unknown };
  return typeof name === 'string' ? name : '';
}
