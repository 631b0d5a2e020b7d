import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { Report } from './integrity-problem.js';

/** The objects of a list in a pack; what is no object is reported and left out. */
export function objectsAt(parent: JsonObject, name: string, pointer: string, report: Report): JsonObject[] {
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

/** The objects of what should be a list of objects; whatever else it is, or is among them, is left out. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A member that is an object; an empty one, and a report, where it is none. */
export function objectAt(parent: JsonObject, name: string, pointer: string, report: Report): JsonObject {
  const value = parent[name];
  if (isJsonObject(value)) return value;
  report('malformed', `${pointer}/${name}`, 'Must be an object.');
  return {};
}

export function textOr<T>(value: Json | undefined, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

/** An empty one where it is no object. */
export function objectOr(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The positions of what should be a list of them; whatever else it is, or is among them, is left out. */
export function positionsIn(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'number') : [];
}
