import { Box, MultiSelect, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { outputsOf } from '@/canvas/node-outputs';
import { useEditorActions, useEditorView } from '../editor-context';
import { type GraphNode, labelOf, linksOf, nodesOf, setTargets, upstreamOf } from '../model/graph';

/** The next nodes of each output, to link nodes with the keyboard instead of on the canvas. */
export function Links({ node }: { node: GraphNode }) {
  const { graph, kinds, canEdit } = useEditorView();
  const { change } = useEditorActions();
  const kind = kinds.get(node.type);
  const links = useMemo(() => linksOf(graph, kinds), [graph, kinds]);
  const targets = useMemo(() => {
    // A link to one of these would close a cycle.
    const upstream = new Set([node.id, ...upstreamOf(links, node.id)]);
    return nodesOf(graph).filter(({ id, type }) => kinds.get(type)?.category !== 'START' && !upstream.has(id));
  }, [graph, kinds, links, node.id]);
  const options = targets.map(target => ({ value: target.id, label: labelOf(target, kinds) }));
  const hasLinks = links.some(({ source }) => source === node.id);
  if (kind?.category === 'END' || (options.length === 0 && !hasLinks)) return null;
  return (
    <Box component="section" aria-label="Links" className="editor-closed-group" mt="md">
      <Text className="editor-group-title" mb="xs">
        Links
      </Text>
      <Stack gap="xs">
        {outputsOf(kind, node.data).map(({ handle, title }) => (
          <MultiSelect
            key={handle ?? ''}
            label={handle === null ? 'Next nodes' : `Next nodes: ${title}`}
            data={options}
            value={links
              .filter(({ source, handle: own }) => source === node.id && own === handle)
              .map(({ target }) => target)}
            onChange={chosen => change(current => setTargets(current, node.id, handle, chosen))}
            placeholder="Choose nodes"
            disabled={!canEdit}
            searchable
            comboboxProps={{ withinPortal: true }}
          />
        ))}
      </Stack>
    </Box>
  );
}
