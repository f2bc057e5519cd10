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
  const models = useModels();
  const owners = [...new Set(models.map(({ ownedBy }) => ownedBy))].sort();
  const data = owners.map(group => ({
    group,
    items: [...new Set(models.filter(({ ownedBy }) => ownedBy === group).map(({ id }) => id))].sort(),
  }));
  const seen = new Set<string>();
  const distinct = data.map(({ group, items }) => ({
    group,
    items: items.filter(id => !seen.has(id) && seen.add(id)),
  }));
  return <Autocomplete label="Model" placeholder="Default model" limit={50} {...props} data={distinct} />;
}

/** Providers that are third-party services or workflows of the project. Their parameters are those of a node. */
export const SERVICES: readonly string[] = ['http', 'graphql', 'mcp', 'workflow'];

export function ProviderInput(props: Omit<AutocompleteProps, 'data'>) {
  const models = useModels();
  const owners = [...new Set(models.map(({ ownedBy }) => ownedBy))].sort();
  const data = [
    { group: 'Models', items: owners },
    { group: 'Services', items: [...SERVICES] },
  ];
  return <Autocomplete label="Provider" placeholder="The one that serves the model" {...props} data={data} />;
}
