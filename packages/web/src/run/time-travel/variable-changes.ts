import type { JsonObject, JsonValue } from '@countersign/contract';

export interface VariableChanges {
  /** Marks of the rows of a JSON tree, by RFC 6901 pointer. */
  readonly marks: ReadonlyMap<string, 'added' | 'changed'>;
  /** Names of removed variables. */
  readonly removed: readonly string[];
}

/** Above this number, single changes are less useful than their count. */
const MAX_MARKS = 500;

/**
 * Returns the changes of the variables between two states: variables by name, and objects down to the members that
 * differ.
 */
export function variableChanges(before: JsonObject, after: JsonObject): VariableChanges {
  const marks = new Map<string, 'added' | 'changed'>();
  const compare = (one: JsonObject, other: JsonObject, path: string): void => {
    for (const [name, value] of Object.entries(other)) {
      if (marks.size >= MAX_MARKS) return;
      const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!Object.hasOwn(one, name)) {
        marks.set(pointer, 'added');
        continue;
      }
      const earlier = one[name] ?? null;
      if (same(earlier, value)) continue;
      marks.set(pointer, 'changed');
      if (isObject(earlier) && isObject(value)) compare(earlier, value, pointer);
    }
  };
  compare(before, after, '');
  return { marks, removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)) };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Both come from the same server, which writes members in insertion order. */
function same(one: JsonValue, other: JsonValue): boolean {
  return (
    one === other ||
    (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other))
  );
}
