import { Alert, Loader } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { problemOf } from '@/api/errors';
import { useAction } from '@/shared/forms/use-action';
import { PageHeader } from '@/shared/layout/page-header';
import { notifySuccess } from '@/shared/notify';
import { CompleteConnectionAuthorizationDocument } from './connections.generated';

/** Completes the authorization of a connection after the authorization server has sent the user back. */
export function AuthorizedScreen() {
  const navigate = useNavigate();
  const complete = useAction(CompleteConnectionAuthorizationDocument, { failure: 'Not authorized' });
  const [problem, setProblem] = useState<string | null>(null);
  const isStarted = useRef(false);
  useEffect(() => {
    // A code can be exchanged only once, and this effect runs after each render.
    if (isStarted.current) return;
    isStarted.current = true;
    const parameters = new URLSearchParams(location.search);
    const [state, code] = [parameters.get('state'), parameters.get('code')];
    if (state === null || code === null) {
      setProblem(parameters.get('error_description') ?? parameters.get('error') ?? 'The address has no code.');
      return;
    }
    complete
      .runOrThrow({ state, code })
      .then(data => {
        const connection = data.connectionAuthorizationComplete?.connection;
        if (!connection) return;
        notifySuccess(`“${connection.name}” is authorized.`);
        void navigate({
          to: '/projects/$projectId/settings',
          params: { projectId: String(connection.projectId) },
          search: { section: 'connections' } as never,
        });
      })
      .catch(error => setProblem(problemOf(error).message));
  });
  return (
    <>
      <PageHeader title="Authorize a connection" />
      {problem === null ? (
        <Loader aria-label="The authorization is completed" />
      ) : (
        <Alert color="red" role="alert" title="The connection is not authorized">
          {problem}
        </Alert>
      )}
    </>
  );
}
