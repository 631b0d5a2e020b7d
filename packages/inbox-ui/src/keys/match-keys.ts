/** The first key of two, and when it was pressed (ms). */
export interface KeyState {
  first: string | undefined;
  at: number;
}

/** What keys do now. */
export interface KeyedAction {
  readonly keys: string;
  run(): void;
}

const SEQUENCE_MS = 1_200;

/**
 * What a key press ends, if anything. None are keys that are typed into a field, Enter and Space at what has them
 * for itself (buttons, links, rows), and all keys while a dialog or menu is open that nothing beside it is reached from.
 */
export function matchKeys(
  event: KeyboardEvent,
  actions: readonly KeyedAction[],
  state: KeyState,
): KeyedAction | undefined {
  if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key))
    return undefined;
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey || (!mod && isTyping(event.target)) || isElsewhere(event)) return undefined;
  const pressed = mod ? `Mod+${event.key.toLowerCase()}` : event.key;
  const sequence =
    state.first !== undefined && event.timeStamp - state.at < SEQUENCE_MS ? `${state.first} ${pressed}` : undefined;
  const found =
    (sequence === undefined ? undefined : actions.find(({ keys }) => keys === sequence)) ??
    actions.find(({ keys }) => keys === pressed);
  const begins = found === undefined && actions.some(({ keys }) => keys.startsWith(`${pressed} `));
  state.first = begins ? pressed : undefined;
  state.at = event.timeStamp;
  return found;
}

function isElsewhere({ key, target }: KeyboardEvent): boolean {
  if ((key === 'Enter' || key === ' ') && target !== document.body) return true;
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
