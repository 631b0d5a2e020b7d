import { isoTime } from '../../domain/iso-time.js';
import type { JsonObject } from '../../domain/json.js';

/** A view as the JSON that it is; the types of views are exact, so that the contract can be checked against them. */
export function asResponse(view: object): JsonObject {
  return view as JsonObject;
}

/** RFC 3339, UTC, milliseconds. */
export function timestamp(ms: number): string {
  return isoTime(ms);
}

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}
