type KeyPress = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Returns the keys of a key press in Electron's notation; `undefined` if they cannot be a global shortcut. A global
 * shortcut needs at least two modifiers, because other applications use shortcuts with one modifier.
 */
export function toAccelerator({ code, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | undefined {
  const key = /^(?:Key([A-Z])|Digit([0-9])|(F(?:[1-9]|1[0-2])))$/
    .exec(code)
    ?.slice(1)
    .find((each) => each !== undefined);
  const modifiers = [
    ...(ctrlKey || metaKey ? ['CommandOrControl'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey ? ['Shift'] : []),
  ];
  return key === undefined || modifiers.length < 2 ? undefined : [...modifiers, key].join('+');
}

/** Formats a shortcut for display. */
export function formatAccelerator(accelerator: string, isMac: boolean): string {
  if (!isMac) return accelerator.replace('CommandOrControl', 'Ctrl').replaceAll('+', ' + ');
  return accelerator.replace('CommandOrControl', '⌘').replace('Alt', '⌥').replace('Shift', '⇧').replaceAll('+', ' ');
}
