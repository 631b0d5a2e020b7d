import { EVERYWHERE, type KeyAction, type KeyGroup } from './key-actions.js';
import type { ShortcutSettings } from './shortcut-settings.js';

interface ScopedAction {
  readonly action: KeyAction;
  readonly scope: string;
}

/**
 * Returns the keys of all actions by id; actions without keys are omitted. User settings take precedence over defaults,
 * so that a new version never takes over a key that the user has set.
 */
export function buildKeyMap(groups: readonly KeyGroup[], { keys }: ShortcutSettings): ReadonlyMap<string, string> {
  const all = listScopedActions(groups);
  const found = new Map<string, string>();
  const assignKeys = (
    { action: { id, fixed }, scope }: ScopedAction,
    requestedKeys: string | null | undefined,
  ): void => {
    if (requestedKeys === null || requestedKeys === undefined) return;
    const isTaken =
      fixed !== true &&
      all.some(
        (other) =>
          other.action.id !== id &&
          scopesOverlap(scope, other.scope) &&
          keysConflict(requestedKeys, found.get(other.action.id)),
      );
    if (!isTaken) found.set(id, requestedKeys);
  };
  const isSet = ({ action: { id, fixed } }: ScopedAction): boolean => fixed !== true && Object.hasOwn(keys, id);
  for (const each of all) if (each.action.fixed === true) assignKeys(each, each.action.keys);
  for (const each of all) if (isSet(each)) assignKeys(each, keys[each.action.id]);
  for (const each of all) if (each.action.fixed !== true && !isSet(each)) assignKeys(each, each.action.keys);
  return found;
}

/** Returns the action that already uses these keys or keys that clash with them. */
export function findConflictingAction(
  groups: readonly KeyGroup[],
  settings: ShortcutSettings,
  id: string,
  requestedKeys: string,
): KeyAction | undefined {
  const all = listScopedActions(groups);
  const map = buildKeyMap(groups, settings);
  const scope = all.find(({ action }) => action.id === id)?.scope ?? EVERYWHERE;
  return all.find(
    (other) =>
      other.action.id !== id &&
      scopesOverlap(scope, other.scope) &&
      keysConflict(requestedKeys, map.get(other.action.id)),
  )?.action;
}

/**
 * Returns whether the keys are one or two plain characters, which users of speech input can trigger by accident (WCAG
 * 2.2, 2.1.4).
 */
export function isCharacter(keys: string): boolean {
  return !keys.startsWith('Mod+') && keys.split(' ').every((key) => [...key].length === 1);
}

function listScopedActions(groups: readonly KeyGroup[]): ScopedAction[] {
  return groups.flatMap(({ scope, actions }) => actions.map((action) => ({ action, scope })));
}

function scopesOverlap(one: string, other: string): boolean {
  return one === other || one === EVERYWHERE || other === EVERYWHERE;
}

/** Returns whether keys are equal or one is a prefix of the other, which would make the longer one unreachable. */
function keysConflict(requestedKeys: string, other: string | undefined): boolean {
  return (
    other !== undefined &&
    (requestedKeys === other || other.startsWith(`${requestedKeys} `) || requestedKeys.startsWith(`${other} `))
  );
}
