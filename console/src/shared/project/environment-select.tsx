import { useQuery } from '@apollo/client/react';
import { Select } from '@mantine/core';
import { DEFAULT_ENVIRONMENT } from './environments';
import { ProjectEnvironmentsDocument } from './environments.generated';
import { useProjectId } from './use-project';

export interface EnvironmentSelectProps {
  /** Null: the default environment. */
  value: string | null;
  onChange: (value: string | null) => void;
  error?: string | undefined;
}

/** Selects the environment whose values of variables a run uses. Hidden while the project has only the default one. */
export function EnvironmentSelect({ value, onChange, error }: EnvironmentSelectProps) {
  const { data } = useQuery(ProjectEnvironmentsDocument, { variables: { projectId: useProjectId() } });
  const names = data?.projectEnvironments.map(({ name }) => name) ?? [];
  if (names.length === 0 && value === null) return null;
  const options = new Set([DEFAULT_ENVIRONMENT, ...names, ...(value === null ? [] : [value])]);
  return (
    <Select
      label="Environment"
      description="Its values of the variables are used"
      data={[...options]}
      allowDeselect={false}
      value={value ?? DEFAULT_ENVIRONMENT}
      error={error}
      onChange={next => onChange(next === DEFAULT_ENVIRONMENT ? null : next)}
    />
  );
}
