import type { ComponentType, SVGProps } from 'react';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height in pixels. Default: 24. */
  size?: number | string;
  /** Width of the lines of an outlined icon. Default: 2. */
  stroke?: number | string;
}

export type Icon = ComponentType<IconProps>;

/** An icon of lines. The path data is for a square of 24 units. */
export function outline(data: string): Icon {
  const lines = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
  return ({ stroke = 2, ...rest }) => drawIcon(data, { ...lines, strokeWidth: stroke, ...rest });
}

/** An icon of one area. */
export function filled(data: string): Icon {
  return ({ stroke: _, ...rest }) => drawIcon(data, { fill: 'currentColor', ...rest });
}

/** Screen readers skip an icon without a label. */
function drawIcon(data: string, { size = 24, ...rest }: SVGProps<SVGSVGElement> & Pick<IconProps, 'size'>) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: an icon with a meaning has an aria-label.
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden={rest['aria-label'] === undefined} {...rest}>
      <path d={data} />
    </svg>
  );
}
