/** Content of a field for several names. */
export interface NamesInput {
  /** The names that were chosen, or typed and completed. */
  readonly names: readonly string[];
  /** What the user is typing. It counts as a name when the form is sent. */
  readonly text: string;
}

export const EMPTY_NAMES_INPUT: NamesInput = Object.freeze({ names: [], text: '' });

/** Returns the names in a field, without duplicates. */
export function toNames({ names, text }: NamesInput): string[] {
  return addNames(names, [text]);
}

/** Adds names that are not in the list yet. */
export function addNames(names: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...names, ...added.map((name) => name.trim()).filter((name) => name !== '')])];
}

/** Completes the names before each comma of typed or pasted text. */
export function typeNames({ names }: NamesInput, text: string): NamesInput {
  const parts = text.split(',');
  return { names: addNames(names, parts.slice(0, -1)), text: (parts.at(-1) ?? '').trimStart() };
}
