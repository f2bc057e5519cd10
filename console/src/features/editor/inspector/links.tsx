import { Box, MultiSelect, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useEditorActions, useEditorView } from '../editor-context';
import { type GraphNode, labelOf, linksOf, nodesOf, setTargets, upstreamOf } from '../model/graph';
import { outputsOf } from '../model/kinds';

/** The next nodes of each output, to link nodes without a pointer. */
export function Links({ node }: { node: GraphNode }) {
  const { graph, kinds, canEdit } = useEditorView();
  const { change } = useEditorActions();
  const kind = kinds.get(node.type);
  const links = useMemo(() => linksOf(graph, kinds), [graph, kinds]);
  const others = useMemo(() => {
    const before = new Set([node.id, ...upstreamOf(links, node.id)]);
    return nodesOf(graph).filter(({ id, type }) => kinds.get(type)?.category !== 'START' && !before.has(id));
  }, [graph, kinds, links, node.id]);
  const options = others.map(other => ({ value: other.id, label: labelOf(other, kinds) }));
  if (kind?.category === 'END' || (options.length === 0 && links.length === 0)) return null;
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
            onChange={targets => change(current => setTargets(current, node.id, handle, targets))}
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
