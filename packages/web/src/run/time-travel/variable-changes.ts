import type { JsonObject, JsonValue } from '@countersign/contract';

export interface VariableChanges {
  /** What a line of a JSON tree is marked as, by its RFC 6901 pointer. */
  readonly marks: ReadonlyMap<string, 'added' | 'changed'>;
  /** Names of variables that are gone. */
  readonly removed: readonly string[];
}

/** Beyond this, single changes say less than that there are many. */
const MAX_MARKS = 500;

/** What became of the variables between two moments: variables by name, and in objects down to what differs. */
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

/** Both come from the same server, which writes members in the order in which they were set. */
function same(one: JsonValue, other: JsonValue): boolean {
  return (
    one === other ||
    (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other))
  );
}
