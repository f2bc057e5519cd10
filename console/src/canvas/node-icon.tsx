import * as icons from '@/icons';
import type { Icon } from '@/shared/icon';

/** The color of a kind that names none. */
export const FALLBACK_COLOR = '#566070';

export interface NodeIconProps {
  /** The name of a Tabler icon. An unknown name shows a box. */
  name: string | undefined;
  /** The color of the kind. */
  color: string | undefined;
  size?: number;
}

/** The icon that a kind of node names: `route-alt-left` is IconRouteAltLeft, as console/icons.mjs names the exports. */
function iconOf(name: string): Icon {
  const exported = `Icon${name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  return (icons as Record<string, Icon>)[exported] ?? icons.IconBox;
}

/** The icon of a kind of node on a tinted square. */
export function NodeIcon({ name = '', color = FALLBACK_COLOR, size = 32 }: NodeIconProps) {
  const Shape = iconOf(name);
  return (
    <span className="node-icon" style={{ '--node-color': color, width: size, height: size } as React.CSSProperties}>
      <Shape size={Math.round(size * 0.58)} stroke={1.8} aria-hidden />
    </span>
  );
}
