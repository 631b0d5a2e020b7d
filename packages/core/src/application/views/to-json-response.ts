import type { CommandResponse } from '../../ports/engine.js';
import { ApiError, isoTime, type JsonObject } from '@countersign/model';

/** Returns a view as JSON. View types are exact, so that the API contract can be checked against them. */
export function toJsonResponse(view: object): JsonObject {
  return view as JsonObject;
}

/**
 * Casts the response of a command to its view type. This request, or an earlier identical one, built the response from
 * that view.
 *
 * @throws {ApiError} `response_erased` if the request repeats an earlier one, whose stored response was erased
 */
export async function withResponseType<View extends object>(
  pendingResponse: Promise<CommandResponse>,
): Promise<CommandResponse<View>> {
  const commandResponse = await pendingResponse;
  if (commandResponse.replayed && isErased(commandResponse.response))
    throw new ApiError(
      'response_erased',
      'This request was carried out before, but its response was erased with personal data of the run. Nothing was done now. Read the current state.',
    );
  return commandResponse as CommandResponse & CommandResponse<View>;
}

/** Returns whether a stored response was replaced when personal data of its run was erased (`StoredResponse`). */
function isErased(response: JsonObject): boolean {
  return response['erased'] === true && typeof response['runId'] === 'string' && Object.keys(response).length === 2;
}

/** Formats a time in milliseconds as RFC 3339, in UTC, with milliseconds. */
export function toTimestamp(ms: number): string {
  return isoTime(ms);
}

export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
