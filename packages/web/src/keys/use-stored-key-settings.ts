import { parseKeySettings, type KeySettings } from '@countersign/inbox-ui/keys/key-settings';
import { useCallback, useState } from 'react';

const STORAGE_KEY = 'countersign:keys';

/** Returns the key settings stored in the browser, and a function that changes them. */
export function useStoredKeySettings(): readonly [KeySettings, (settings: KeySettings) => void] {
  const [settings, setState] = useState<KeySettings>(readStoredKeySettings);
  const setSettings = useCallback((next: KeySettings) => {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
    setState(next);
  }, []);
  return [settings, setSettings];
}

function readStoredKeySettings(): KeySettings {
  try {
    return parseKeySettings(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null'));
  } catch {
    return parseKeySettings(undefined);
  }
}
