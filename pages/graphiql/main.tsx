import './monaco-environment.js';
import { GraphiQL } from 'graphiql';
import { useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { storeApiKey, storedApiKey } from '../api-key.js';
import { ApiKeyBar } from './api-key-bar.js';
import { createFetcher } from './fetcher.js';
import { pageStorage } from './storage.js';
import { SystemTheme } from './system-theme.js';
import { readyMadeTabs } from './tabs.js';

function Page() {
  const [apiKey, setApiKey] = useState(storedApiKey);
  // A new fetcher makes GraphiQL read the schema again, which is what a new key asks for.
  const fetcher = useMemo(() => createFetcher(apiKey), [apiKey]);
  const keep = (next: string) => {
    storeApiKey(next);
    setApiKey(next);
  };
  return (
    <>
      <ApiKeyBar apiKey={apiKey} onChange={keep} />
      <main>
        <GraphiQL
          fetcher={fetcher}
          storage={pageStorage}
          defaultTabs={readyMadeTabs}
          defaultEditorToolsVisibility="variables"
          inputValueDeprecation
          schemaDescription
        >
          <GraphiQL.Logo>
            <SystemTheme />
          </GraphiQL.Logo>
        </GraphiQL>
      </main>
    </>
  );
}

const root = document.getElementById('page');
if (root === null) throw new Error('index.html lacks the element #page');
createRoot(root).render(<Page />);
