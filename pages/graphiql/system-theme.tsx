import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';

/**
 * GraphiQL's style sheet follows the system while the page is open, its editors do not: they are given their theme
 * once. This sets it again when the system changes, unless a theme was chosen in the settings.
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
