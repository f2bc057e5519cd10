import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { IconApi, IconArrowRight, IconFolder, IconSearch, IconUser } from '@/icons';
import { lastProjectId, useProjectIdOrNull } from '@/shared/project/use-project';
import { useCommands } from './commands';
import { DEVELOPER_LINKS, NAVIGATION } from './navigation';

const [store, spotlight] = createSpotlight();

/** Called by `commands.ts`, which loads this file after the first screen. */
export const openPalette = spotlight.open;

/** Ctrl-K: every area, the commands of the open screen and the developer pages. */
export function CommandPalette() {
  const navigate = useNavigate();
  const projectId = useProjectIdOrNull() ?? lastProjectId();
  const commands = useCommands();
  const actions = useMemo<SpotlightActionGroupData[]>(() => {
    const areas = NAVIGATION.map(({ label, items }) => ({
      group: label,
      actions: items
        .filter(({ to }) => projectId !== null || !to.startsWith('/projects/'))
        .map(
          (item): SpotlightActionData => ({
            id: item.to,
            label: item.label,
            keywords: item.keywords,
            leftSection: <item.icon size={18} stroke={1.7} />,
            onClick: () => void navigate({ to: item.to, params: { projectId: String(projectId) } }),
          }),
        ),
    }));
    const here = commands.map(({ run, ...command }) => ({
      ...command,
      leftSection: <IconArrowRight size={18} />,
      onClick: run,
    }));
    const pages = [
      {
        id: 'projects',
        label: 'All projects',
        leftSection: <IconFolder size={18} stroke={1.7} />,
        onClick: () => void navigate({ to: '/projects' }),
      },
      {
        id: 'account',
        label: 'Account',
        leftSection: <IconUser size={18} stroke={1.7} />,
        keywords: 'password sessions',
        onClick: () => void navigate({ to: '/account' }),
      },
      ...DEVELOPER_LINKS.map(({ label, href, keywords }) => ({
        id: href,
        label,
        keywords,
        leftSection: <IconApi size={18} stroke={1.7} />,
        onClick: () => location.assign(href),
      })),
    ];
    return [
      ...(here.length > 0 ? [{ group: 'This screen', actions: here }] : []),
      ...areas,
      { group: 'More', actions: pages },
    ].filter(({ actions: list }) => list.length > 0);
  }, [navigate, commands, projectId]);
  return (
    <Spotlight
      store={store}
      actions={actions}
      shortcut={['mod + K']}
      nothingFound="Nothing found"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Search or jump to…',
        'aria-label': 'Search commands',
      }}
    />
  );
}
