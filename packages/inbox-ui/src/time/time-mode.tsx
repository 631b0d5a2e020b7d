import { loadChoice, storeChoice } from '../ui/stored-choice.js';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';

export const TIME_MODES = Object.freeze(['relative', 'local', 'utc'] as const);
export type TimeMode = (typeof TIME_MODES)[number];

const STORAGE_KEY = 'countersign:time-mode';

const TimeModeContext = createContext<{ readonly mode: TimeMode; setMode(mode: TimeMode): void }>({
  mode: 'relative',
  setMode: () => undefined,
});

/** Returns the user's time display mode, which is stored in the browser, and its setter. */
export function useTimeMode() {
  return useContext(TimeModeContext);
}

export function TimeModeProvider({ children }: { readonly children: ReactNode }) {
  const [mode, setState] = useState<TimeMode>(() => loadChoice(STORAGE_KEY, TIME_MODES));
  const setMode = useCallback((next: TimeMode) => {
    storeChoice(STORAGE_KEY, next);
    setState(next);
  }, []);
  const value = useMemo(() => ({ mode, setMode }), [mode, setMode]);
  return <TimeModeContext.Provider value={value}>{children}</TimeModeContext.Provider>;
}
