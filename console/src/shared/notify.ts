import { notifications } from '@mantine/notifications';
import { problemOf } from '@/api/errors';

export function notifySuccess(message: string): void {
  notifications.show({
    closeButtonProps: { 'aria-label': 'Close' },
    message,
    color: 'green',
    withBorder: true,
  });
}

/** Shows that something changed without the user, for example by another person. */
export function notifyChange(message: string): void {
  notifications.show({ closeButtonProps: { 'aria-label': 'Close' }, message, color: 'blue', withBorder: true });
}

/** Shows an error with its request id. `title` names the failed action, for example "Not deleted". */
export function notifyProblem(title: string, error: unknown): void {
  const { message, requestId } = problemOf(error);
  const detail = requestId === null ? message : `${message} (request ${requestId})`;
  notifications.show({
    closeButtonProps: { 'aria-label': 'Close' },
    title,
    message: detail,
    color: 'red',
    autoClose: 10_000,
    withBorder: true,
  });
}
