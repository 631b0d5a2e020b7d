import { keySettingsOf, type KeySettings } from '@countersign/inbox-ui/keys/key-settings';
import { useCallback, useState } from 'react';

const STORE = 'countersign:keys';

/** Returns the key settings stored in the browser, and a function that changes them. */
export function useStoredKeySettings(): readonly [KeySettings, (settings: KeySettings) => void] {
  const [settings, setState] = useState<KeySettings>(stored);
  const setSettings = useCallback((next: KeySettings) => {
    localStorage.setItem(STORE, JSON.stringify(next));
    setState(next);
  }, []);
  return [settings, setSettings];
}

function stored(): KeySettings {
  try {
    return keySettingsOf(JSON.parse(localStorage.getItem(STORE) ?? 'null'));
  } catch {
    return keySettingsOf(undefined);
  }
}
