import { parseShortcutSettings, type ShortcutSettings } from '@countersign/inbox-ui/keys/shortcut-settings';
import { useCallback, useState } from 'react';

const STORAGE_KEY = 'countersign:keys';

/** Returns the key settings stored in the browser, and a function that changes them. */
export function useStoredShortcutSettings(): readonly [ShortcutSettings, (settings: ShortcutSettings) => void] {
  const [settings, setState] = useState<ShortcutSettings>(readStoredShortcutSettings);
  const setSettings = useCallback((next: ShortcutSettings) => {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
    setState(next);
  }, []);
  return [settings, setSettings];
}

function readStoredShortcutSettings(): ShortcutSettings {
  try {
    return parseShortcutSettings(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null'));
  } catch {
    return parseShortcutSettings(undefined);
  }
}
