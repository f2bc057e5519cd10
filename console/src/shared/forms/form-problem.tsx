import { Alert } from '@mantine/core';

/** An error that belongs to no field of a form. */
export function FormProblem({ problem }: { problem: string | null }) {
  if (problem === null) return null;
  return (
    <Alert color="red" role="alert">
      {problem}
    </Alert>
  );
}
