import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';

/**
 * Sets the theme of the editors again when the theme of the system changes, unless the user selected one in the settings.
 * GraphiQL sets it only once, although its style sheet follows the system.
 */
export function SystemTheme() {
  const theme = useGraphiQL(state => state.theme);
  const { setTheme } = useGraphiQLActions();
  useEffect(() => {
    if (theme !== null) return;
    const system = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setTheme(null);
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, [theme, setTheme]);
  return null;
}
