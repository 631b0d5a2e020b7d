import { z } from 'zod';

const MAX_ISSUES = 5;

/**
 * Returns the message of an error. It may be long and contain text of the server and secrets: see
 * `McpServer.toDisplayText`.
 */
export function errorMessage(error: unknown): string {
  // The message of a Zod error would list every validation error, possibly a million.
  if (error instanceof z.core.$ZodError) {
    const issues = error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => `${path.join('.')}: ${message}`);
    return `Its response does not conform to MCP: ${issues.join('; ')}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Quotes text of a server for use within a message, so that it cannot be mistaken for a part of the message. */
export function quote(text: string): string {
  return `“${text.replaceAll(/[“”]/g, '"')}”`;
}
