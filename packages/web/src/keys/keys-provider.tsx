import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { keepFocus } from './keep-focus.js';
import { KeysHelp } from './keys-help.js';
import { matchKeys, type KeyState } from './match-keys.js';

/** Something that keys do. */
export interface Shortcut {
  /** `?`, `j`, `Mod+k`, or two one after the other: `g r`. */
  readonly keys: string;
  /** What it does, for the help. */
  readonly label: string;
  run(): void;
}

interface Registry {
  add(group: string, shortcuts: readonly Shortcut[]): () => void;
  openHelp(): void;
}

const KeysContext = createContext<Registry | undefined>(undefined);

/** Keys are the page's as long as it is shown, and none while somebody types. */
export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const groups = useRef(new Map<object, { readonly group: string; readonly shortcuts: readonly Shortcut[] }>());
  const [helpOpen, setHelpOpen] = useState(false);
  const registry = useMemo<Registry>(
    () => ({
      add(group, shortcuts) {
        const id = {};
        groups.current.set(id, { group, shortcuts });
        return () => groups.current.delete(id);
      },
      openHelp: () => setHelpOpen(true),
    }),
    [],
  );
  useEffect(keepFocus, []);
  useEffect(() => {
    const state: KeyState = { first: undefined, at: 0 };
    const onKey = (event: KeyboardEvent): void => {
      // The newest first: a dialog's keys cover those of the page.
      const all = [...groups.current.values()].reverse().flatMap(({ shortcuts }) => shortcuts);
      const found = matchKeys(event, all, state);
      if (found === undefined) return;
      event.preventDefault();
      found.run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <KeysContext.Provider value={registry}>
      {children}
      <KeysHelp opened={helpOpen} onClose={() => setHelpOpen(false)} groups={() => [...groups.current.values()]} />
    </KeysContext.Provider>
  );
}

function useRegistry(): Registry {
  const registry = useContext(KeysContext);
  if (registry === undefined) throw new Error('There are no keys here.');
  return registry;
}

/** Opens the list of keys. */
export function useKeysHelp(): () => void {
  return useRegistry().openHelp;
}

/** Shortcuts of a page or part, under a heading in the help, as long as it is shown. */
export function useShortcuts(group: string, shortcuts: readonly Shortcut[]): void {
  const registry = useRegistry();
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const signature = shortcuts.map(({ keys, label }) => `${keys}\t${label}`).join('\n');
  useEffect(() => {
    const stable = latest.current.map(({ keys, label }) => ({ keys, label, run: () => latest.current.find((each) => each.keys === keys)?.run() }));
    return registry.add(group, stable);
  }, [registry, group, signature]);
}
