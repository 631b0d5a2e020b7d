import { useEffect } from 'react';
import { texts } from '../texts/index.js';

/** Sets the window title, to distinguish windows and history entries. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.app.name}`;
  }, [title]);
}
