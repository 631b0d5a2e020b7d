import type { CommandResponse } from '../../ports/engine.js';
import { isoTime, type JsonObject } from '@countersign/model';

/** Returns a view as JSON. View types are exact, so that the API contract can be checked against them. */
export function toJsonResponse(view: object): JsonObject {
  return view as JsonObject;
}

/**
 * Casts the response of a command to its view type. This request, or an earlier identical one, built the response from
 * that view.
 */
export async function withResponseType<View extends object>(
  pendingResponse: Promise<CommandResponse>,
): Promise<CommandResponse<View>> {
  return (await pendingResponse) as CommandResponse & CommandResponse<View>;
}

/** Formats a time in milliseconds as RFC 3339, in UTC, with milliseconds. */
export function toTimestamp(ms: number): string {
  return isoTime(ms);
}

export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
