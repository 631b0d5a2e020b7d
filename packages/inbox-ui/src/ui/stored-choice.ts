/**
 * Returns the choice that the user has made in this browser.
 *
 * @param choices the possible choices; the first one is the default
 */
export function loadChoice<T extends string>(key: string, choices: readonly [T, ...T[]]): T {
  const stored = localStorage.getItem(key);
  return choices.find((each) => each === stored) ?? choices[0];
}

export function storeChoice(key: string, choice: string): void {
  localStorage.setItem(key, choice);
}
