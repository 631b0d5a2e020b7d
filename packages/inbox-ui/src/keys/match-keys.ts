/** First key of a sequence and the time when it was pressed (ms). */
export interface KeyState {
  first: string | undefined;
  at: number;
}

/** An action with its current keys. */
export interface KeyedAction {
  readonly keys: string;
  run(): void;
}

const MAX_SEQUENCE_MS = 1_200;

/**
 * Returns the action that a key press completes, if any. Ignores keys typed into a field, Enter and Space on an element
 * that handles them (buttons, links; Enter also on rows), and all keys while a modal dialog or a menu is open. Space
 * counts as `PageDown`, and Shift+Space as `PageUp`, as in browsers.
 */
export function matchKeys(
  event: KeyboardEvent,
  actions: readonly KeyedAction[],
  state: KeyState,
): KeyedAction | undefined {
  if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key))
    return undefined;
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey || (!mod && isTyping(event.target)) || isHandledElsewhere(event)) return undefined;
  const pressed = mod ? `Mod+${event.key.toLowerCase()}` : toScrollKey(event);
  const sequence =
    state.first !== undefined && event.timeStamp - state.at < MAX_SEQUENCE_MS ? `${state.first} ${pressed}` : undefined;
  const found =
    (sequence === undefined ? undefined : actions.find(({ keys }) => keys === sequence)) ??
    actions.find(({ keys }) => keys === pressed);
  const startsSequence = found === undefined && actions.some(({ keys }) => keys.startsWith(`${pressed} `));
  state.first = startsSequence ? pressed : undefined;
  state.at = event.timeStamp;
  return found;
}

function toScrollKey({ key, shiftKey }: KeyboardEvent): string {
  if (key !== ' ') return key;
  return shiftKey ? 'PageUp' : 'PageDown';
}

function isHandledElsewhere({ key, target }: KeyboardEvent): boolean {
  if (key === 'Enter' && target !== document.body) return true;
  if (key === ' ' && !(target instanceof HTMLElement && target.matches('body, main, [role="row"], [role="grid"]')))
    return true;
  return (
    document.querySelector('[aria-modal="true"]') !== null ||
    (target instanceof HTMLElement && target.closest('[role="menu"]') !== null)
  );
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type))
  );
}
