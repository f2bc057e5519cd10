import type { InternalRefetchQueriesInclude, OperationVariables, TypedDocumentNode, Unmasked } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { assertAccepted } from '@/api/errors';
import { notifyProblem, notifySuccess } from './notify';

export interface ActionOptions<TData> {
  /** The title of the error message, for example "Not deleted". */
  failure: string;
  success?: string;
  refetchQueries?: InternalRefetchQueriesInclude;
  /** Shown until the service answers. A refusal rolls it back. */
  optimisticResponse?: Unmasked<TData>;
}

/** Runs mutations of buttons and switches. Errors and refusals become a message, and the result is null. */
export function useAction() {
  const client = useApolloClient();
  const [isBusy, setIsBusy] = useState(false);
  const act = async <TData, TVariables extends OperationVariables>(
    mutation: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
    { failure, success, refetchQueries, optimisticResponse }: ActionOptions<TData>,
  ): Promise<TData | null> => {
    setIsBusy(true);
    try {
      const { data } = await client.mutate({
        mutation,
        variables,
        refetchQueries,
        awaitRefetchQueries: true,
        ...(optimisticResponse === undefined ? {} : { optimisticResponse }),
      } as Parameters<typeof client.mutate<TData, TVariables>>[0]);
      assertAccepted(data as object | null | undefined);
      if (success !== undefined) notifySuccess(success);
      return (data as TData | undefined) ?? null;
    } catch (error) {
      notifyProblem(failure, error);
      return null;
    } finally {
      setIsBusy(false);
    }
  };
  return { act, isBusy };
}
