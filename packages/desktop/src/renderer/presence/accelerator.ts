type KeyPress = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * The keys of a press as Electron writes them; `undefined` where they can't open the window from anywhere: that takes two keys
 * that are held, as one and a letter is what other applications are used by.
 */
export function acceleratorOf({ code, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | undefined {
  const key = /^(?:Key([A-Z])|Digit([0-9])|(F(?:[1-9]|1[0-2])))$/
    .exec(code)
    ?.slice(1)
    .find((each) => each !== undefined);
  const held = [
    ...(ctrlKey || metaKey ? ['CommandOrControl'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey ? ['Shift'] : []),
  ];
  return key === undefined || held.length < 2 ? undefined : [...held, key].join('+');
}

/** As people read it. */
export function acceleratorText(accelerator: string, mac: boolean): string {
  if (!mac) return accelerator.replace('CommandOrControl', 'Ctrl').replaceAll('+', ' + ');
  return accelerator.replace('CommandOrControl', '⌘').replace('Alt', '⌥').replace('Shift', '⇧').replaceAll('+', ' ');
}
