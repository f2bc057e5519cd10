import { print } from 'graphql';
import { client } from '@/api/client';
import { assertAccepted } from '@/api/errors';
import { credentials } from '@/session/session';
import { useProjectId } from '@/shared/project/use-project';
import { RunFormUploadDocument, type RunFormUploadMutation } from './run-form.generated';

/** Uploads a file to the documents of the project by the GraphQL multipart protocol. Returns the id of the document. */
export function useUpload(): (file: File) => Promise<number> {
  const projectId = useProjectId();
  return async file => {
    const query = print(client.cache.transformDocument(RunFormUploadDocument));
    const body = new FormData();
    body.append('operations', JSON.stringify({ query, variables: { projectId, files: [null] } }));
    body.append('map', JSON.stringify({ 0: ['variables.files.0'] }));
    body.append('0', file);
    const response = await fetch('/graphql', { method: 'POST', body, headers: await credentials() });
    const { data, errors } = (await response.json()) as {
      data?: RunFormUploadMutation | null;
      errors?: { message: string }[];
    };
    if (errors?.[0]) throw new Error(errors[0].message);
    assertAccepted(data);
    const [document] = data?.documentUpload?.documents ?? [];
    if (!document) throw new Error('The service stored no document.');
    return document.id;
  };
}
