import { z } from 'zod';

const MAX_ISSUES = 5;

/**
 * Returns the message of an error. It may be long and contain text of the server and secrets: see `McpServer.shown`.
 */
export function errorMessage(error: unknown): string {
  // Its own message would list every validation error, possibly a million.
  if (error instanceof z.core.$ZodError) {
    const issues = error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => `${path.join('.')}: ${message}`);
    return `Its response does not conform to MCP: ${issues.join('; ')}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Quotes text of a server within a sentence of ours, so that the two cannot be confused. */
export function quote(text: string): string {
  return `“${text.replaceAll(/[“”]/g, '"')}”`;
}
