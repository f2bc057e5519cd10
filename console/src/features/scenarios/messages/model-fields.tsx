import { useQuery } from '@apollo/client/react';
import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useProjectId } from '@/shared/project/use-project';
import { ScenarioModelsDocument } from '../scenario-editor.generated';

function useModels() {
  const projectId = useProjectId();
  const { data } = useQuery(ScenarioModelsDocument, { variables: { projectId }, fetchPolicy: 'cache-first' });
  return data?.chatModels?.data ?? [];
}

/** A model that the project can use, or another name: upstreams may serve models that they do not list. */
export function ModelInput(props: Omit<AutocompleteProps, 'data'>) {
  const data = groupByOwner(useModels());
  return <Autocomplete label="Model" placeholder="Default model" limit={50} {...props} data={data} />;
}

/** Ids of models by owner. The options must be distinct, so a model of several owners belongs to the first. */
function groupByOwner(models: readonly { id: string; ownedBy: string }[]): { group: string; items: string[] }[] {
  const listed = new Set<string>();
  return ownersOf(models).map(group => {
    const own = models.filter(({ id, ownedBy }) => ownedBy === group && !listed.has(id)).map(({ id }) => id);
    for (const id of own) listed.add(id);
    return { group, items: [...new Set(own)].sort() };
  });
}

const ownersOf = (models: readonly { ownedBy: string }[]) => [...new Set(models.map(({ ownedBy }) => ownedBy))].sort();

/** Providers that are third-party services or workflows of the project. Their parameters are those of a node. */
export const SERVICES: readonly string[] = ['http', 'graphql', 'mcp', 'workflow'];

/** The provider of a message: an owner of models, or a service. */
export function ProviderInput(props: Omit<AutocompleteProps, 'data'>) {
  const data = [
    { group: 'Models', items: ownersOf(useModels()) },
    { group: 'Services', items: [...SERVICES] },
  ];
  return <Autocomplete label="Provider" placeholder="The one that serves the model" {...props} data={data} />;
}
