import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';

const ID = 'session-end';

/** Offers to sign in in another tab, so that the edits of this one stay. This tab then takes the session from the cookie. */
export function offerSignIn(): void {
  notifications.show({
    id: ID,
    closeButtonProps: { 'aria-label': 'Close' },
    title: 'Your session has ended',
    message: (
      <>
        Your changes stay here.{' '}
        <Anchor fz="inherit" href="/sign-in" target="_blank" rel="noreferrer">
          Sign in in a new tab
        </Anchor>
        , then try again.
      </>
    ),
    color: 'yellow',
    autoClose: false,
    withBorder: true,
  });
}

/** Hides the offer after the session was found again. */
export function withdrawSignIn(): void {
  notifications.hide(ID);
}
