import { useQuery } from '@apollo/client/react';
import { SignInOptionsDocument } from './sign-in.generated';

/** What the operator has configured. Undefined until it is known; the screens then show only what always works. */
export function useSignInOptions() {
  const { data } = useQuery(SignInOptionsDocument);
  return data?.signInOptions;
}
