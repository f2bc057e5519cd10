import { useQuery } from '@apollo/client/react';
import { SignInOptionsDocument } from './sign-in.generated';

/** The ways to sign in that the operator has configured. Undefined while they load. */
export function useSignInOptions() {
  const { data } = useQuery(SignInOptionsDocument);
  return data?.signInOptions;
}
