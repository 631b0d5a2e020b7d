import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import type { KeyGroup, AvailableAction } from './key-actions.js';
import { buildKeyMap, isCharacter } from './key-map.js';
import type { ShortcutSettings } from './shortcut-settings.js';
import { keepFocus } from './keep-focus.js';
import { KeysHelp } from './keys-help.js';
import { matchKeys, type KeyState } from './match-keys.js';
import { lazyDialog } from '../ui/lazy-dialog.js';

const KeyboardDialog = lazyDialog(async () => (await import('./keyboard-dialog.js')).KeyboardDialog);

/** Handler of an action. */
export interface Shortcut {
  readonly action: string;
  readonly run: (() => void) | undefined;
  /**
   * Returns whether the action is available now. Called on each key press, for conditions that may change between
   * renders; if omitted, the action is available whenever it has a `run`.
   */
  readonly when?: () => boolean;
  /**
   * Returns whether `run` handles the key although the action is not available, to explain that. Lists of the available
   * actions omit it.
   */
  readonly isRefused?: () => boolean;
  /**
   * Returns whether the focused element leaves the key to the action; otherwise, the browser handles it. Lists of the
   * available actions contain it anyway.
   */
  readonly hasKey?: () => boolean;
}

interface KeysContextValue {
  /** The keys that work now, by action id. */
  readonly activeKeys: ReadonlyMap<string, string>;
  /** Returns the available actions in the order of their groups. */
  getAvailableActions(): readonly AvailableAction[];
  /** Returns the available actions whose keys work now, and those whose keys are handled with an explanation. */
  getHandledActions(): readonly AvailableAction[];
  register(shortcuts: readonly Shortcut[]): () => void;
  openHelp(): void;
  openSettings(): void;
}

const KeysContext = createContext<KeysContextValue | undefined>(undefined);

interface KeysProviderProps {
  /** All key actions of this application. */
  readonly groups: readonly KeyGroup[];
  readonly settings: ShortcutSettings;
  onSettings(settings: ShortcutSettings): void;
  readonly children: ReactNode;
}

/** Runs the actions of pressed keys, except while the user types. Renders the dialogs that list and change the keys. */
export function KeysProvider({ groups, settings, onSettings, children }: KeysProviderProps) {
  const [registeredShortcuts] = useState(() => new Map<object, readonly Shortcut[]>());
  const [open, setOpen] = useState<'help' | 'settings'>();
  const keys = useMemo<KeysContextValue>(() => {
    const enabledKeys = new Map(
      [...buildKeyMap(groups, settings)].filter(([, each]) => settings.characters || !isCharacter(each)),
    );
    const findHandler = (id: string, isForKeys: boolean): (() => void) | undefined => {
      // Newest first: a dialog's handlers override those of the page.
      for (const shortcuts of [...registeredShortcuts.values()].reverse()) {
        const found = shortcuts.find(
          ({ action, run, when, isRefused, hasKey }) =>
            action === id &&
            run !== undefined &&
            (when?.() !== false || (isForKeys && isRefused?.() === true)) &&
            (!isForKeys || hasKey?.() !== false),
        );
        if (found !== undefined) return found.run;
      }
      return undefined;
    };
    const findActions = (isForKeys: boolean): readonly AvailableAction[] =>
      groups.flatMap(({ title, actions }) =>
        actions.flatMap(({ id, label }) => {
          const run = findHandler(id, isForKeys);
          return run === undefined ? [] : [{ id, label, group: title, keys: enabledKeys.get(id), run }];
        }),
      );
    return {
      activeKeys: enabledKeys,
      getAvailableActions: () => findActions(false),
      getHandledActions: () => findActions(true),
      register(shortcuts) {
        const unknown = shortcuts.find(
          ({ action }) => !groups.some(({ actions }) => actions.some(({ id }) => id === action)),
        );
        if (unknown !== undefined) throw new Error(`Unknown shortcut action ${unknown.action}.`);
        const id = {};
        registeredShortcuts.set(id, shortcuts);
        return () => registeredShortcuts.delete(id);
      },
      openHelp: () => setOpen('help'),
      openSettings: () => setOpen('settings'),
    };
  }, [groups, settings, registeredShortcuts]);
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(keepFocus, []);
  useEffect(() => {
    const state: KeyState = { first: undefined, at: 0 };
    const onKey = (event: KeyboardEvent): void => {
      const actions = latest.current
        .getHandledActions()
        .flatMap(({ keys: actionKeys, run }) => (actionKeys === undefined ? [] : [{ keys: actionKeys, run }]));
      const found = matchKeys(event, actions, state);
      if (found === undefined) return;
      event.preventDefault();
      found.run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const close = (): void => setOpen(undefined);
  return (
    <KeysContext.Provider value={keys}>
      {children}
      <KeysHelp
        opened={open === 'help'}
        onClose={close}
        onSettings={keys.openSettings}
        getAvailableActions={keys.getAvailableActions}
      />
      <KeyboardDialog
        opened={open === 'settings'}
        onClose={close}
        groups={groups}
        settings={settings}
        onSettings={onSettings}
      />
    </KeysContext.Provider>
  );
}

function useKeys(): KeysContextValue {
  const keys = useContext(KeysContext);
  if (keys === undefined) throw new Error('Render this component inside KeysProvider.');
  return keys;
}

/** Returns functions that open the key list and the key settings. */
export function useKeysDialogs(): Pick<KeysContextValue, 'openHelp' | 'openSettings'> {
  return useKeys();
}

/** Returns a function that lists all actions available now, for a palette. */
export function useAvailableActions(): () => readonly AvailableAction[] {
  return useKeys().getAvailableActions;
}

/** Returns the keys of an action that work now, for display next to it. */
export function useActionKeys(action: string): string | undefined {
  return useKeys().activeKeys.get(action);
}

/** Registers handlers for known actions while the component is displayed. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const { register } = useKeys();
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const signature = shortcuts.map(({ action, run }) => `${action}\t${run !== undefined}`).join('\n');
  // Registers before paint, so that a key pressed right after it has an effect.
  useLayoutEffect(() => {
    const findLatest = (id: string): Shortcut | undefined => latest.current.find(({ action }) => action === id);
    const stableShortcuts = latest.current.map(({ action, run }) => ({
      action,
      run: run === undefined ? undefined : () => findLatest(action)?.run?.(),
      when: () => findLatest(action)?.when?.() !== false,
      isRefused: () => findLatest(action)?.isRefused?.() === true,
      hasKey: () => findLatest(action)?.hasKey?.() !== false,
    }));
    return register(stableShortcuts);
  }, [register, signature]);
}
