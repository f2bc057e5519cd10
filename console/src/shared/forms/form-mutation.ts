import type { InternalRefetchQueriesInclude, OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { problemOf } from '@/api/errors';

/** A refusal in the payload of a mutation. */
interface PayloadError {
  code: string;
  message: string;
  /** The input member, for example ["input", "title"]. */
  path?: readonly (string | number)[] | null;
}

interface FormLike {
  values: object;
  setFieldError: (path: string, message: string) => void;
}

export interface FormMutationOptions<TData, TVariables extends OperationVariables> {
  /** Its fields have the names of the input members. */
  // biome-ignore lint/suspicious/noExplicitAny: a form of any values.
  form: UseFormReturnType<any>;
  /** The errors in the payload of the mutation. */
  errors?: (data: TData) => readonly PayloadError[];
  /** Names of open queries that the mutation changes. */
  refetchQueries?: InternalRefetchQueriesInclude;
  /**
   * Called after a success. `markSaved` makes the sent values the saved ones of the form; edits since then remain unsaved.
   */
  onDone?: (data: TData, variables: TVariables, markSaved: () => void) => void | Promise<void>;
}

/**
 * Runs a mutation for a form. Errors of known fields appear at the fields. `problem` contains all other errors, which the
 * form shows above its buttons.
 */
export function useFormMutation<TData, TVariables extends OperationVariables>(
  document: TypedDocumentNode<TData, TVariables>,
  { form, errors = payloadErrors, refetchQueries, onDone }: FormMutationOptions<TData, TVariables>,
) {
  const client = useApolloClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (variables: TVariables): Promise<void> => {
    setProblem(null);
    setIsBusy(true);
    form.clearErrors();
    const sent = form.getValues();
    try {
      const { data } = await client.mutate({ mutation: document, variables, refetchQueries });
      const refused = data ? errors(data as TData) : [];
      if (refused.length > 0) return setProblem(placeErrors(form, refused));
      if (data) await onDone?.(data as TData, variables, () => form.resetDirty(sent));
    } catch (error) {
      setProblem(placeRequestError(form, error));
    } finally {
      setIsBusy(false);
    }
  };
  return { submit, isBusy, problem };
}

/** Finds `errors` of the payload: a mutation has one root field. */
function payloadErrors(data: unknown): readonly PayloadError[] {
  const [payload] = Object.values(data as Record<string, unknown>);
  const list = (payload as { errors?: unknown } | null | undefined)?.errors;
  return Array.isArray(list) ? (list as PayloadError[]) : [];
}

/** Sets the messages of errors at known fields. Returns the messages of the other errors; null: none. */
function placeErrors(form: FormLike, errors: readonly PayloadError[]): string | null {
  const others: string[] = [];
  for (const { message, path } of errors) {
    const names = (path ?? []).map(String).filter((name, index) => index > 0 || name !== 'input');
    const [field] = names;
    if (field !== undefined && field in form.values) form.setFieldError(names.join('.'), message);
    else others.push(message);
  }
  return others.length === 0 ? null : others.join(' ');
}

/** Sets the messages of an error of the whole request, which has them by input member. Returns the message for the form. */
function placeRequestError(form: FormLike, error: unknown): string | null {
  const { fields, message, requestId } = problemOf(error);
  const errors = Object.entries(fields).flatMap(([name, messages]) =>
    messages.map(text => ({ code: 'BAD_USER_INPUT', message: text, path: name.split('.') })),
  );
  if (errors.length > 0) return placeErrors(form, errors);
  return requestId === null ? message : `${message} (request ${requestId})`;
}
