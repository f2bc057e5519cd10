import { useEffect } from 'react';

let screens = 0;

/** Whether a screen has edits that would be lost if the user left it. */
export function hasUnsavedWork(): boolean {
  return screens > 0;
}

/** Keeps the screen with its edits when the session ends. */
export function useUnsavedWork(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    screens++;
    return () => {
      screens--;
    };
  }, [isUnsaved]);
}
