import { type RefObject, useEffect, useRef } from 'react';

/**
 * Scrolls a tab bar sideways until its active tab is visible: at first, when another tab becomes active and when tabs are added. Other
 * renders keep the position that the user scrolled to. `selector` finds the active tab.
 */
export function useActiveTabInView<Bar extends HTMLElement>(selector: string): RefObject<Bar | null> {
  const bar = useRef<Bar>(null);
  const shown = useRef<{ tab: Element | null; count: number }>({ tab: null, count: 0 });
  useEffect(() => {
    const list = bar.current;
    const tab = list?.querySelector(selector) ?? null;
    const count = list?.childElementCount ?? 0;
    if (!list || !tab || (shown.current.tab === tab && shown.current.count === count)) return;
    shown.current = { tab, count };
    const { left, width } = tab.getBoundingClientRect();
    const frame = list.getBoundingClientRect();
    // Not scrollIntoView, which would also scroll the page.
    list.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
  });
  return bar;
}
