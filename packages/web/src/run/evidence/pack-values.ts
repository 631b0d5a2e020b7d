/** Readers of the untrusted values of a pack. Values of another type count as missing. */

export type PackObject = Readonly<Record<string, unknown>>;

/** Returns the object, or an empty object. */
export function toObject(value: unknown): PackObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PackObject) : {};
}

/** Returns the objects of a list. */
export function toObjects(value: unknown): readonly PackObject[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}

/** Returns the text, or `null`. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Returns the number, or `null`. */
export function toNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** Returns the time if it is one, or `null`. */
export function toTime(value: unknown): string | null {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;
}
