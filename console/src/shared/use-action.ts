import type { InternalRefetchQueriesInclude, OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { assertAccepted } from '@/api/errors';
import { notifyProblem, notifySuccess } from './notify';

export interface ActionOptions {
  /** Says what did not happen, for example "Not removed". */
  failure: string;
  /** Shown after a success. */
  success?: string;
  /** Names of open queries that the action changes. They are loaded before the action ends. */
  refetchQueries?: InternalRefetchQueriesInclude;
}

/** A mutation of one button. Refusals in its payload count as errors. */
export function useAction<TData extends object, TVariables extends OperationVariables>(
  mutation: TypedDocumentNode<TData, TVariables>,
  { failure, success, refetchQueries }: ActionOptions,
) {
  const client = useApolloClient();
  const [isBusy, setIsBusy] = useState(false);
  /** For `ConfirmDialog`: throws an error or a refusal. */
  const runOrThrow = async (variables: TVariables): Promise<TData> => {
    const { data } = await client.mutate({ mutation, variables, refetchQueries, awaitRefetchQueries: true });
    assertAccepted(data as object);
    if (success !== undefined) notifySuccess(success);
    return data as TData;
  };
  /** Shows an error or a refusal as a message. Returns null then. */
  const run = async (variables: TVariables): Promise<TData | null> => {
    setIsBusy(true);
    try {
      return await runOrThrow(variables);
    } catch (error) {
      notifyProblem(failure, error);
      return null;
    } finally {
      setIsBusy(false);
    }
  };
  return { run, runOrThrow, isBusy };
}
