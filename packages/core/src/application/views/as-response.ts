import type { CommandResponse } from '../../ports/engine.js';
import { isoTime, type JsonObject } from '@countersign/model';

/** A view as the JSON that it is; the types of views are exact, so that the contract can be checked against them. */
export function asResponse(view: object): JsonObject {
  return view as JsonObject;
}

/** The answer of a command whose response was made of such a view, now or when the same request was made earlier. */
export async function answerWith<View extends object>(
  answer: Promise<CommandResponse>,
): Promise<CommandResponse<View>> {
  return (await answer) as CommandResponse & CommandResponse<View>;
}

/** RFC 3339, UTC, milliseconds. */
export function timestamp(ms: number): string {
  return isoTime(ms);
}

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}
