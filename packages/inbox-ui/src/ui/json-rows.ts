import type { JsonValue } from '@countersign/contract';

/**
 * Number of members of a value that are shown initially. Each request for more doubles the number, so that the last
 * member is reached with few requests.
 */
export const JSON_CHUNK = 500;
/** Maximum number of lines that "expand all" shows, so that it cannot block the page. */
const MAX_EXPANDED_LINES = 5_000;

/** A line of a JSON tree. */
export interface JsonRow {
  /** RFC 6901 pointer from the root; unique, and stable as long as the value does not change. */
  readonly path: string;
  /** Depth, from 1. */
  readonly level: number;
  /** Key in an object or index in an array; `undefined` at the root. */
  readonly name: string | undefined;
  readonly value: JsonValue;
  /** Number of members; `undefined` for a value without members. */
  readonly size: number | undefined;
  readonly expanded: boolean;
  /** Position among its siblings, from 1. */
  readonly position: number;
  readonly siblingCount: number;
  /** Number of hidden members that this line represents. Its `path` is the path of the parent, followed by `/…`. */
  readonly hiddenCount?: number;
}

export interface JsonTreeState {
  readonly expanded: ReadonlySet<string>;
  /** Number of displayed members of each value of which more than one chunk is displayed. */
  readonly visibleCounts: ReadonlyMap<string, number>;
}

/** Returns the visible lines of a JSON tree from top to bottom. */
export function buildJsonRows(root: JsonValue, { expanded, visibleCounts }: JsonTreeState): readonly JsonRow[] {
  const rows: JsonRow[] = [];
  // A stack instead of recursion: deeply nested values must not crash the page.
  const stack: JsonRow[] = [buildRow(root, '', 1, undefined, 1, 1, expanded)];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    rows.push(next);
    if (next.hiddenCount !== undefined || !next.expanded) continue;
    const { path, level, value } = next;
    const names = memberNames(value);
    const visible = Math.min(names.length, visibleCounts.get(path) ?? JSON_CHUNK);
    if (visible < names.length)
      stack.push({
        path: `${path}/…`,
        level: level + 1,
        name: undefined,
        value: null,
        size: undefined,
        expanded: false,
        position: visible + 1,
        siblingCount: visible + 1,
        hiddenCount: names.length - visible,
      });
    for (let i = visible - 1; i >= 0; i -= 1) {
      const name = names[i] ?? '';
      stack.push(
        buildRow(
          getMember(value, name),
          `${path}/${escapePointerToken(name)}`,
          level + 1,
          name,
          i + 1,
          visible < names.length ? visible + 1 : visible,
          expanded,
        ),
      );
    }
  }
  return rows;
}

/**
 * Returns the paths of the values that must be expanded to show all values down to a depth. Stops, breadth first, at a
 * maximum number of lines.
 */
export function findPathsToDepth(root: JsonValue, depth: number, maxLines = MAX_EXPANDED_LINES): ReadonlySet<string> {
  const paths = new Set<string>();
  let lines = 1;
  let currentLevel: readonly (readonly [string, JsonValue])[] = [['', root]];
  for (let level = 0; level < depth && currentLevel.length > 0; level += 1) {
    const next: (readonly [string, JsonValue])[] = [];
    for (const [path, value] of currentLevel) {
      const names = memberNames(value);
      if (names.length === 0) continue;
      const visible = names.slice(0, JSON_CHUNK);
      lines += visible.length;
      if (lines > maxLines && level > 0) return paths;
      paths.add(path);
      for (const name of visible) next.push([`${path}/${escapePointerToken(name)}`, getMember(value, name)]);
    }
    currentLevel = next;
  }
  return paths;
}

function buildRow(
  value: JsonValue,
  path: string,
  level: number,
  name: string | undefined,
  position: number,
  siblingCount: number,
  expanded: ReadonlySet<string>,
): JsonRow {
  const size =
    typeof value === 'object' && value !== null
      ? Array.isArray(value)
        ? value.length
        : Object.keys(value).length
      : undefined;
  return {
    path,
    level,
    name,
    value,
    size,
    expanded: size !== undefined && size > 0 && expanded.has(path),
    position,
    siblingCount,
  };
}

function memberNames(value: JsonValue): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function getMember(value: JsonValue, name: string): JsonValue {
  return (Object.getOwnPropertyDescriptor(value, name)?.value as JsonValue | undefined) ?? null;
}

function escapePointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
