import './monaco-environment.js';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { GraphiQL } from 'graphiql';
import { useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { storeApiKey, storedApiKey } from '../identity/api-key.js';
import { IdentityBar } from '../identity/identity-bar.js';
import { useSession } from '../identity/use-session.js';
import { createFetcher } from './fetcher.js';
import { operationsPlugin } from './operations-plugin.js';
import { pageStorage } from './storage.js';
import { SystemTheme } from './system-theme.js';
import { readyMadeTabs } from './tabs.js';

const plugins = [HISTORY_PLUGIN, operationsPlugin, explorerPlugin({ showAttribution: false })];

function Page() {
  const [apiKey, setApiKey] = useState(storedApiKey);
  const { session, notice, logIn, logOut } = useSession();
  // GraphiQL reads the schema again when the fetcher changes, which a new identity requires.
  const fetcher = useMemo(() => createFetcher(apiKey, session), [apiKey, session]);
  const changeKey = (next: string) => {
    storeApiKey(next);
    setApiKey(next);
  };
  return (
    <>
      <IdentityBar
        apiKey={apiKey}
        onApiKey={changeKey}
        email={session?.email ?? null}
        notice={notice}
        onLogIn={logIn}
        onLogOut={logOut}
      />
      <main>
        <GraphiQL
          fetcher={fetcher}
          storage={pageStorage}
          plugins={plugins}
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
