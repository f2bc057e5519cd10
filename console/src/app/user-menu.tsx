import { useQuery } from '@apollo/client/react';
import { Avatar, Badge, Box, Button, Group, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  IconApi,
  IconDeviceDesktop,
  IconLogout,
  IconMail,
  IconMoon,
  IconSelector,
  IconShieldCog,
  IconSun,
  IconUser,
} from '@/icons';
import { signOut, useSession } from '@/session/session';
import { MeDocument } from '@/session/session.generated';
import { countOf } from '@/shared/lists/count';
import { InvitationCountDocument } from './app.generated';
import { DEVELOPER_LINKS } from './navigation';

const SCHEMES = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

/** Milliseconds between two requests for new invitations. */
const POLL_MS = 60_000;

/** The user with account, theme, developer pages and sign-out. Signed out: the button to sign in. */
export function UserMenu() {
  const isSignedIn = useSession().status === 'signed-in';
  const { data } = useQuery(MeDocument, { skip: !isSignedIn });
  const { data: invited } = useQuery(InvitationCountDocument, { skip: !isSignedIn, pollInterval: POLL_MS });
  const invitations = invited?.projectInvitationsReceived.total ?? 0;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  if (!isSignedIn) {
    return (
      <Button fullWidth renderRoot={props => <Link {...props} to="/sign-in" />}>
        Sign in
      </Button>
    );
  }
  const name = data?.me?.name || data?.me?.email || '';
  return (
    <Menu position="top-start" width={216} shadow="md">
      <Menu.Target>
        <UnstyledButton w="100%" title="Account, theme, sign out">
          <Group gap="xs" wrap="nowrap">
            <Avatar size={30} radius="xl" name={name} color="brand" aria-hidden />
            <Box style={{ flex: 1, minWidth: 0 }}>
              <Text fz="sm" fw={500} truncate lh={1.25}>
                {name}
              </Text>
              <Text fz="xs" c="dimmed" truncate lh={1.25}>
                {data?.me?.email}
              </Text>
            </Box>
            {invitations > 0 && (
              <Badge size="sm" circle aria-label={countOf(invitations, 'invitation')}>
                {invitations}
              </Badge>
            )}
            <IconSelector size={15} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {invitations > 0 && (
          <Menu.Item leftSection={<IconMail size={16} />} onClick={() => void navigate({ to: '/projects' })}>
            {countOf(invitations, 'invitation')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => void navigate({ to: '/account' })}>
          Account
        </Menu.Item>
        {data?.me?.isAdmin && (
          <Menu.Item leftSection={<IconShieldCog size={16} />} onClick={() => void navigate({ to: '/admin' })}>
            Administration
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {SCHEMES.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            fw={colorScheme === value ? 600 : undefined}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Developers</Menu.Label>
        {DEVELOPER_LINKS.map(({ label, href }) => (
          <Menu.Item key={href} component="a" href={href} leftSection={<IconApi size={16} />}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
