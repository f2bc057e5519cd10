import { useQuery } from '@apollo/client/react';
import { useDebouncedValue } from '@mantine/hooks';
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { IconApi, IconArrowRight, IconFolder, IconSearch, IconSitemap, IconUser } from '@/icons';
import { lastProjectId, useProjectIdOrNull } from '@/shared/project/use-project';
import { PaletteWorkflowsDocument } from './app.generated';
import { useCommands } from './commands';
import { DEVELOPER_LINKS, NAVIGATION } from './navigation';

const [store, spotlight] = createSpotlight();

/** Called by `commands.ts`, which loads this file after the first screen. */
export const openPalette = spotlight.open;

const MAX_WORKFLOWS = 5;
/** The longest text that the API searches titles for. */
const MAX_TITLE = 255;
/** Milliseconds without a key before a text is searched. */
const SEARCH_MS = 200;

/** The workflows of the project whose titles contain the text, as entries of the palette. */
function useWorkflowActions(projectId: number | null, text: string): SpotlightActionData[] {
  const navigate = useNavigate();
  const [title] = useDebouncedValue(text.trim().slice(0, MAX_TITLE), SEARCH_MS);
  const { data, previousData } = useQuery(PaletteWorkflowsDocument, {
    variables: { projectId: projectId ?? 0, title, size: MAX_WORKFLOWS },
    skip: projectId === null || title === '',
  });
  // The palette filters the entries by the text, so those of the previous text may stay until the next ones are loaded.
  const workflows = title === '' ? [] : ((data ?? previousData)?.workflows?.items ?? []);
  return workflows.map(workflow => ({
    id: `workflow ${workflow.id}`,
    label: workflow.title,
    leftSection: <IconSitemap size={18} stroke={1.7} />,
    onClick: () =>
      void navigate({
        to: '/projects/$projectId/workflows/$workflowId',
        params: { projectId: String(projectId), workflowId: String(workflow.id) },
      }),
  }));
}

/** Ctrl-K: every area, workflows by title, the commands of the open screen and the developer pages. */
export function CommandPalette() {
  const navigate = useNavigate();
  const projectId = useProjectIdOrNull() ?? lastProjectId();
  const commands = useCommands();
  const [text, setText] = useState('');
  const workflows = useWorkflowActions(projectId, text);
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
      query={text}
      onQueryChange={setText}
      // Last, so that the entry that Enter opens stays the same when the search is answered.
      actions={workflows.length > 0 ? [...actions, { group: 'Workflows', actions: workflows }] : actions}
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
