import type { InternalRefetchQueriesInclude, OperationVariables, TypedDocumentNode, Unmasked } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { assertAccepted } from '@/api/errors';
import { notifyProblem, notifySuccess } from '@/shared/notify';

export interface ActionOptions<TVariables> {
  /** Title of an error message, for example "Not removed". */
  failure: string;
  /** Shown after a success. */
  success?: string | ((variables: TVariables) => string);
  /** Names of open queries that the action changes. They are loaded before the action ends. */
  refetchQueries?: InternalRefetchQueriesInclude;
}

/**
 * The mutation of a button, switch or drag. Refusals in its payload count as errors. `run` shows an error as a message, `runOrThrow`
 * throws it.
 */
export function useAction<TData extends object, TVariables extends OperationVariables>(
  mutation: TypedDocumentNode<TData, TVariables>,
  { failure, success, refetchQueries }: ActionOptions<TVariables>,
) {
  const client = useApolloClient();
  const [isBusy, setIsBusy] = useState(false);
  /**
   * For `ConfirmDialog`: throws an error or a refusal. An optimistic response is shown until the service answers; a
   * refusal rolls it back.
   */
  const runOrThrow = async (variables: TVariables, optimisticResponse?: Unmasked<TData>): Promise<TData> => {
    const { data } = await client.mutate({
      mutation,
      variables,
      refetchQueries,
      awaitRefetchQueries: true,
      ...(optimisticResponse === undefined ? {} : { optimisticResponse }),
    } as Parameters<typeof client.mutate<TData, TVariables>>[0]);
    assertAccepted(data as object);
    if (success !== undefined) notifySuccess(typeof success === 'string' ? success : success(variables));
    return data as TData;
  };
  /** Shows an error or a refusal as a message. Returns null then. */
  const run = async (variables: TVariables, optimisticResponse?: Unmasked<TData>): Promise<TData | null> => {
    setIsBusy(true);
    try {
      return await runOrThrow(variables, optimisticResponse);
    } catch (error) {
      notifyProblem(failure, error);
      return null;
    } finally {
      setIsBusy(false);
    }
  };
  return { run, runOrThrow, isBusy };
}
