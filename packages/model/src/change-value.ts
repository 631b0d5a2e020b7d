import { isJsonObject, type Json, type JsonObject } from './json.js';

/** An object that describes a change: approvers see its members compared. */
export interface ChangeValue extends JsonObject {
  readonly before: Json;
  readonly after: Json;
}

export function isChange(value: Json): value is ChangeValue {
  return isJsonObject(value) && Object.hasOwn(value, 'before') && Object.hasOwn(value, 'after');
}
