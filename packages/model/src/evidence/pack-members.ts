import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ReportProblem } from './integrity-problem.js';

/** Returns the objects of a list in a pack. Reports and omits other items. */
export function requireObjects(parent: JsonObject, name: string, pointer: string, report: ReportProblem): JsonObject[] {
  const list = parent[name];
  if (!Array.isArray(list)) {
    report('malformed', `${pointer}/${name}`, 'Must be a list.');
    return [];
  }
  return list.filter((each, index): each is JsonObject => {
    const isObject = isJsonObject(each);
    if (!isObject) report('malformed', `${pointer}/${name}/${index}`, 'Must be an object.');
    return isObject;
  });
}

/** Returns the objects of a value that should be a list of objects. Ignores everything else. */
export function filterObjects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns a member that is an object. Reports any other value and returns an empty object. */
export function requireObject(parent: JsonObject, name: string, pointer: string, report: ReportProblem): JsonObject {
  const value = parent[name];
  if (isJsonObject(value)) return value;
  report('malformed', `${pointer}/${name}`, 'Must be an object.');
  return {};
}

export function stringOr<T>(value: Json | undefined, fallback: T): string | T {
  return typeof value === 'string' ? value : fallback;
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOrEmpty(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the numbers of a value that should be a list of positions. Ignores everything else. */
export function filterPositions(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'number') : [];
}
