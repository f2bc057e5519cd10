import DataLoader from 'dataloader';
import type { RequestContext } from '../../accounts/request-context.js';
import type { ProjectEnvironmentService } from './project-environment.service.js';
import type { ProjectVariableValue } from './project-environment.type.js';

/** Loads the values of variables in environments. */
export function valuesLoader(
  context: RequestContext,
  environments: ProjectEnvironmentService,
): DataLoader<number, ProjectVariableValue[]> {
  return context.loader(
    'projectVariable.values',
    () => new DataLoader<number, ProjectVariableValue[]>(ids => environments.readValues(ids)),
  );
}
