import type { JsonObject, JsonValue } from '@countersign/contract';

export interface VariableChanges {
  /** Marks of the rows of a JSON tree, by JSON Pointer (RFC 6901). */
  readonly marks: ReadonlyMap<string, 'added' | 'changed'>;
  /** Names of removed variables. */
  readonly removed: readonly string[];
}

/** Maximum number of marked changes; further changes are not marked. */
const MAX_MARKS = 500;

/** Returns the changes of the variables between two states. Nested objects are compared member by member. */
export function findVariableChanges(before: JsonObject, after: JsonObject): VariableChanges {
  const marks = new Map<string, 'added' | 'changed'>();
  const compare = (oldObject: JsonObject, newObject: JsonObject, path: string): void => {
    for (const [name, value] of Object.entries(newObject)) {
      if (marks.size >= MAX_MARKS) return;
      const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!Object.hasOwn(oldObject, name)) {
        marks.set(pointer, 'added');
        continue;
      }
      const oldValue = oldObject[name] ?? null;
      if (isEqual(oldValue, value)) continue;
      marks.set(pointer, 'changed');
      if (isObject(oldValue) && isObject(value)) compare(oldValue, value, pointer);
    }
  };
  compare(before, after, '');
  return { marks, removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)) };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares values by their JSON text: both are from the same server, which writes members in insertion order. */
function isEqual(oldValue: JsonValue, newValue: JsonValue): boolean {
  return (
    oldValue === newValue ||
    (typeof oldValue === 'object' &&
      typeof newValue === 'object' &&
      JSON.stringify(oldValue) === JSON.stringify(newValue))
  );
}
