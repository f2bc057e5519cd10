import { Alert, Loader } from '@mantine/core';
import { useConnection } from '@/api/connection';
import { IconPlugConnectedX } from '@/icons';

/** Warns that the data on the screen may be outdated while there is no connection. */
export function ConnectionBanner() {
  const connection = useConnection();
  if (connection === 'online') return null;
  return (
    <Alert
      role="status"
      color="yellow"
      variant="light"
      radius={0}
      py={8}
      icon={connection === 'offline' ? <IconPlugConnectedX size={18} /> : <Loader size={16} color="yellow" />}
    >
      {connection === 'offline'
        ? 'You are offline. The screen shows the last known state.'
        : 'Connection lost. Reconnecting; the screen will update automatically.'}
    </Alert>
  );
}
