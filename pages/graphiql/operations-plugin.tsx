import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useDeferredValue, useMemo, useState } from 'react';
import { type ReadyOperation, type Resource, readyResources } from './operations.js';

/** A menu with one operation for each root field of the schema. A selected operation opens in a new tab. */
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
  const [search, setSearch] = useState('');
  const deferredSearch = useDeferredValue(search);
  const resources = useMemo(() => (schema == null ? [] : readyResources(schema)), [schema]);
  const shown = useMemo(() => filterResources(resources, deferredSearch), [resources, deferredSearch]);

  return (
    <section className="operations" aria-label="Operations">
      <h2 className="operations-title">Operations</h2>
      <input
        type="search"
        className="operations-search"
        aria-label="Find an operation"
        placeholder="Find an operation"
        value={search}
        onChange={event => setSearch(event.target.value)}
      />
      {schema == null && <p>The operations appear when the schema has been loaded.</p>}
      {schema != null && shown.length === 0 && <p>No operation matches.</p>}
      {shown.map(({ name, operations }) => (
        <details key={name} open={deferredSearch !== ''}>
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
    // A running operation writes its results into the active tab.
    stop();
    addTab();
    queryEditor?.setValue(query);
    variableEditor?.setValue(variables);
  };
}

function filterResources(resources: Resource[], search: string): Resource[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (text: string) => words.every(word => text.toLowerCase().includes(word));
  return resources.flatMap(({ name, operations }) => {
    const found = operations.filter(({ field, kind, summary }) => isMatch(`${name} ${field} ${kind} ${summary}`));
    return found.length === 0 ? [] : [{ name, operations: found }];
  });
}
