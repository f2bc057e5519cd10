import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useDeferredValue, useMemo, useState } from 'react';
import { type ReadyOperation, type Resource, readyResources } from './operations.js';

/** A menu of ready-made operations, one for each root field of the schema; one that is picked opens in a tab of its own. */
export const operationsPlugin: GraphiQLPlugin = { title: 'Operations', icon: OperationsIcon, content: OperationsMenu };

function OperationsIcon() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M4 6h2M4 12h2M4 18h2M10 6h10M10 12h10M10 18h10" />
    </svg>
  );
}

function OperationsMenu() {
  const schema = useGraphiQL(state => state.schema);
  const open = useOpenInTab();
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed);
  const resources = useMemo(() => (schema == null ? [] : readyResources(schema)), [schema]);
  const shown = useMemo(() => matching(resources, wanted), [resources, wanted]);

  return (
    <section className="operations" aria-label="Operations">
      <h2 className="operations-title">Operations</h2>
      <input
        type="search"
        className="operations-search"
        aria-label="Find an operation"
        placeholder="Find an operation"
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      {schema == null && <p>They are made from the schema, which has not been read.</p>}
      {schema != null && shown.length === 0 && <p>No operation is called so.</p>}
      {shown.map(({ name, operations }) => (
        <details key={name} open={wanted !== ''}>
          <summary>
            {name} <span className="operations-count">{operations.length}</span>
          </summary>
          <ul>
            {operations.map(operation => (
              <li key={operation.field}>
                <button type="button" title={operation.summary} onClick={() => open(operation)}>
                  <span className={`operations-kind operations-${operation.kind}`}>{operation.kind.charAt(0)}</span>
                  {operation.field}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}

function useOpenInTab(): (operation: ReadyOperation) => void {
  const queryEditor = useGraphiQL(state => state.queryEditor);
  const variableEditor = useGraphiQL(state => state.variableEditor);
  const { addTab, stop } = useGraphiQLActions();
  return ({ query, variables }) => {
    // What runs writes its answers into the tab that is open.
    stop();
    addTab();
    queryEditor?.setValue(query);
    variableEditor?.setValue(variables);
  };
}

function matching(resources: Resource[], typed: string): Resource[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const isMeant = (text: string) => words.every(word => text.toLowerCase().includes(word));
  return resources.flatMap(({ name, operations }) => {
    const found = operations.filter(({ field, kind, summary }) => isMeant(`${name} ${field} ${kind} ${summary}`));
    return found.length === 0 ? [] : [{ name, operations: found }];
  });
}
