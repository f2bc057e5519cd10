import { AppShell, Box, Burger, Group, NavLink, ScrollArea, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { IconSearch } from '@/icons';
import { useSession } from '@/session/session';
import { lastProjectId, useProjectIdOrNull } from '@/shared/project/use-project';
import { loadPalette, openCommandPalette } from './commands';
import { ConnectionBanner } from './connection-banner';
import { NAVIGATION, type NavigationItem } from './navigation';

// Menus and their positioning library load after the first screen.
const ProjectSwitcher = lazy(() => import('./project-switcher').then(module => ({ default: module.ProjectSwitcher })));
const UserMenu = lazy(() => import('./user-menu').then(module => ({ default: module.UserMenu })));
const CommandPalette = lazy(() => loadPalette().then(module => ({ default: module.CommandPalette })));

/** Navigation, command palette and connection banner around every screen. Without a session, only public areas show. */
export function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const isSignedIn = useSession().status === 'signed-in';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mobile menu closes on navigation.
  useEffect(close, [pathname]);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 236, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <a className="console-skip" href="#main">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="sm" withBorder>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Navigation" />
            <Brand />
          </Group>
          {isSignedIn && (
            <UnstyledButton p={8} aria-label="Search" onClick={openCommandPalette}>
              <IconSearch size={18} style={{ display: 'block' }} />
            </UnstyledButton>
          )}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar bg="var(--console-sidebar)" style={{ borderColor: 'var(--console-line)' }}>
        <AppShell.Section p="sm" pb={6}>
          <Group justify="space-between" wrap="nowrap" mb="sm" px={4}>
            <Brand />
            <Burger opened={isOpen} onClick={toggle} size="sm" hiddenFrom="sm" aria-label="Close navigation" />
          </Group>
          {isSignedIn && (
            <Suspense fallback={<Skeleton h={36} />}>
              <ProjectSwitcher />
            </Suspense>
          )}
          {isSignedIn && <SearchButton />}
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} px="sm" type="auto">
          <Navigation isSignedIn={isSignedIn} />
        </AppShell.Section>
        <AppShell.Section p="sm" style={{ borderTop: '1px solid var(--console-line)' }}>
          <Suspense fallback={<Skeleton h={46} />}>
            <UserMenu />
          </Suspense>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} style={{ outline: 'none' }}>
        <ConnectionBanner />
        <Box className="console-content">
          <Outlet />
        </Box>
      </AppShell.Main>
      {isSignedIn && (
        <Suspense fallback={null}>
          <CommandPalette />
        </Suspense>
      )}
    </AppShell>
  );
}

/** The logo and the name of the product. */
export function Brand() {
  return (
    <Group component="span" gap={8} wrap="nowrap">
      <img src="/favicon.svg" alt="" width={22} height={22} />
      <Text component="span" fw={650} fz="md" style={{ letterSpacing: '-0.01em' }}>
        Scenarium
      </Text>
    </Group>
  );
}

function SearchButton() {
  return (
    <UnstyledButton className="console-search" onClick={openCommandPalette}>
      <IconSearch size={15} />
      <span>Search or jump…</span>
      <kbd>{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
    </UnstyledButton>
  );
}

function Navigation({ isSignedIn }: { isSignedIn: boolean }) {
  const projectId = useProjectIdOrNull() ?? lastProjectId();
  const groups = NAVIGATION.map(group => ({
    ...group,
    items: group.items.filter(({ to }) => (to.startsWith('/projects/') ? isSignedIn && projectId !== null : true)),
  })).filter(({ items }) => items.length > 0);
  return (
    <Box component="nav" aria-label="Areas">
      {groups.map(({ label, items }) => (
        <Box key={label} mb="sm">
          <Text fz="xs" c="dimmed" px={9} py={4}>
            {label}
          </Text>
          {items.map(item => (
            <AreaLink key={item.to} item={item} projectId={projectId} />
          ))}
        </Box>
      ))}
    </Box>
  );
}

function AreaLink({ item: { label, to, icon: Icon }, projectId }: { item: NavigationItem; projectId: number | null }) {
  return (
    <NavLink
      className="console-nav-link"
      label={label}
      leftSection={<Icon size={17} stroke={1.7} />}
      renderRoot={props => (
        <Link
          {...props}
          to={to}
          // Areas outside of projects ignore the parameter.
          params={{ projectId: String(projectId ?? 0) }}
          activeOptions={{ exact: to === '/projects/$projectId' }}
        />
      )}
    />
  );
}
