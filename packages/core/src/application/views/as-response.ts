import type { CommandResponse } from '../../ports/engine.js';
import { isoTime, type JsonObject } from '@countersign/model';

/** Returns a view as JSON. View types are exact, so that the API contract can be checked against them. */
export function asResponse(view: object): JsonObject {
  return view as JsonObject;
}

/** Casts the response of a command to the view that built it, in this request or an earlier identical one. */
export async function answerWith<View extends object>(
  answer: Promise<CommandResponse>,
): Promise<CommandResponse<View>> {
  return (await answer) as CommandResponse & CommandResponse<View>;
}

/** Formats a time in milliseconds as RFC 3339, in UTC, with milliseconds. */
export function timestamp(ms: number): string {
  return isoTime(ms);
}

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}
