import { EVERYWHERE, type KeyAction, type KeyGroup } from './key-actions.js';
import type { KeySettings } from './key-settings.js';

interface Placed {
  readonly action: KeyAction;
  readonly place: string;
}

/**
 * Returns the keys of all actions by id; actions without keys are omitted. User settings take precedence over defaults,
 * so that a later version takes no key from a user.
 */
export function keyMapOf(groups: readonly KeyGroup[], { keys }: KeySettings): ReadonlyMap<string, string> {
  const all = placed(groups);
  const found = new Map<string, string>();
  const give = ({ action: { id, fixed }, place }: Placed, wanted: string | null | undefined): void => {
    if (wanted === null || wanted === undefined) return;
    const taken =
      fixed !== true &&
      all.some(
        (other) => other.action.id !== id && meet(place, other.place) && clash(wanted, found.get(other.action.id)),
      );
    if (!taken) found.set(id, wanted);
  };
  const isSet = ({ action: { id, fixed } }: Placed): boolean => fixed !== true && Object.hasOwn(keys, id);
  for (const each of all) if (each.action.fixed === true) give(each, each.action.keys);
  for (const each of all) if (isSet(each)) give(each, keys[each.action.id]);
  for (const each of all) if (each.action.fixed !== true && !isSet(each)) give(each, each.action.keys);
  return found;
}

/** Returns the action that already uses these keys or keys that clash with them. */
export function takenBy(
  groups: readonly KeyGroup[],
  settings: KeySettings,
  id: string,
  wanted: string,
): KeyAction | undefined {
  const all = placed(groups);
  const map = keyMapOf(groups, settings);
  const place = all.find(({ action }) => action.id === id)?.place ?? EVERYWHERE;
  return all.find(
    (other) => other.action.id !== id && meet(place, other.place) && clash(wanted, map.get(other.action.id)),
  )?.action;
}

/**
 * Returns whether the keys are one or two plain characters, which users of speech input can trigger by accident (WCAG
 * 2.2, 2.1.4).
 */
export function isCharacter(keys: string): boolean {
  return !keys.startsWith('Mod+') && keys.split(' ').every((key) => [...key].length === 1);
}

function placed(groups: readonly KeyGroup[]): Placed[] {
  return groups.flatMap(({ place, actions }) => actions.map((action) => ({ action, place })));
}

function meet(one: string, other: string): boolean {
  return one === other || one === EVERYWHERE || other === EVERYWHERE;
}

/** Returns whether keys are equal or one is a prefix of the other, which would make the longer one unreachable. */
function clash(wanted: string, other: string | undefined): boolean {
  return other !== undefined && (wanted === other || other.startsWith(`${wanted} `) || wanted.startsWith(`${other} `));
}
