import { Button, Popover, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertCircle, IconAlertTriangle } from '@/icons';
import { countOf } from '@/shared/lists/count';
import { useEditorView } from '../editor-context';
import { findNode, labelOf, nodesOf } from '../model/graph';

/** Errors and warnings of the graph. A click on a row selects its node. */
export function IssueList({ onIssue }: { onIssue: (nodeId: string) => void }) {
  const { issues, root, kinds } = useEditorView();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  // The check reports an empty graph too, but a user who has built nothing yet has made no mistake.
  if (issues.length === 0 || nodesOf(root).length === 0) return null;
  const errors = issues.filter(({ severity }) => severity === 'ERROR').length;
  const warnings = issues.length - errors;
  const labelFor = (nodeId: string | null) => {
    if (nodeId === null) return 'Graph';
    const node = findNode(root, nodeId);
    return node ? labelOf(node, kinds) : nodeId;
  };
  const Icon = errors > 0 ? IconAlertCircle : IconAlertTriangle;
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-end" width={360} shadow="md" withinPortal trapFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          color={errors > 0 ? 'red' : 'gray'}
          c={errors > 0 ? undefined : 'light-dark(#9a4a00, #f0b65a)'}
          leftSection={<Icon size={16} />}
          onClick={toggle}
          aria-expanded={isOpen}
        >
          {errors > 0 ? countOf(errors, 'error') : countOf(warnings, 'warning')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={6}>
        <ScrollArea.Autosize mah={360} type="auto">
          {issues.map(({ severity, nodeId, path, message }, index) => (
            <UnstyledButton
              // biome-ignore lint/suspicious/noArrayIndexKey: issues have no id.
              key={index}
              className="editor-issue-row"
              onClick={() => {
                close();
                if (nodeId !== null) onIssue(nodeId);
              }}
            >
              {severity === 'ERROR' ? (
                <IconAlertCircle size={16} color="var(--mantine-color-error)" style={{ flex: 'none', marginTop: 2 }} />
              ) : (
                <IconAlertTriangle size={16} color="#b45309" style={{ flex: 'none', marginTop: 2 }} />
              )}
              <span>
                <strong>{labelFor(nodeId)}</strong>
                <Text span fz="inherit" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {path ? ` · ${path}` : ''}
                </Text>
                <br />
                {message}
              </span>
            </UnstyledButton>
          ))}
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
