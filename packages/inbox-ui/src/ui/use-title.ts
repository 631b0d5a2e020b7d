import { useEffect } from 'react';
import { texts } from '../texts/index.js';

/** Names the window, so that several of them, and the entries of the history, are told apart. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.app.name}`;
  }, [title]);
}
