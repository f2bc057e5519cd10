import { Button, Menu } from '@mantine/core';
import { IconCode } from '@/icons';
import { notifyProblem, notifySuccess } from '@/shared/notify';

const FORMATS = [
  ['curl', 'curl', toCurl],
  ['graphql', 'GraphQL', toGraphql],
  ['javascript', 'JavaScript', toJavaScript],
  ['python', 'Python', toPython],
] as const;

export interface CopyRequestMenuProps {
  workflowId: number;
  inputOf: () => Record<string, unknown>;
}

/**
 * Copies a request that starts a run of the published version with the entered input. Commands and code read the API key from
 * the environment. GraphQL is copied as a document and its variables, for clients that set the key themselves.
 */
export function CopyRequestMenu({ workflowId, inputOf }: CopyRequestMenuProps) {
  const copy = async (title: string, format: (id: number, input: object) => string) => {
    try {
      await navigator.clipboard.writeText(format(workflowId, inputOf()));
      notifySuccess(`Copied as ${title}.`);
    } catch (error) {
      notifyProblem('Not copied', error);
    }
  };
  return (
    <Menu position="top-start" shadow="md" withinPortal>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconCode size={16} />}>
          Copy as…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>A request that runs the published version</Menu.Label>
        {FORMATS.map(([name, title, format]) => (
          <Menu.Item key={name} onClick={() => void copy(title, format)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const addressOf = (id: number) => `${location.origin}/api/v1/workflows/${id}/run/`;

function toCurl(id: number, input: object): string {
  const body = JSON.stringify(input).replaceAll("'", `'\\''`);
  return `curl -X POST '${addressOf(id)}' \\
  -H "X-Api-Key: $SCENARIUM_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`;
}

function toGraphql(id: number, input: object): string {
  return `mutation Run($input: JSON) {
  workflowRunStart(workflowId: ${id}, input: $input) {
    run { id state }
    errors { code message path }
  }
}

# Variables
${JSON.stringify({ input }, null, 2)}`;
}

function toJavaScript(id: number, input: object): string {
  return `const response = await fetch('${addressOf(id)}', {
  method: 'POST',
  headers: { 'X-Api-Key': process.env.SCENARIUM_API_KEY, 'Content-Type': 'application/json' },
  body: JSON.stringify(${JSON.stringify(input, null, 2).replaceAll('\n', '\n  ')}),
});
const { status, data } = await response.json();`;
}

function toPython(id: number, input: object): string {
  // A string literal of JSON text is also one of Python. An object literal is not: Python has no `true` and `null`.
  const literal = JSON.stringify(JSON.stringify(input));
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${addressOf(id)}",
    data=json.dumps(json.loads(${literal})).encode(),
    headers={"X-Api-Key": os.environ["SCENARIUM_API_KEY"], "Content-Type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`;
}
