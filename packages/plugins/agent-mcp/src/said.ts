import { z } from 'zod';

const MAX_ISSUES = 5;

/** What an error says. It may be long, and hold what a server has said, and secrets: see `McpServer.shown`. */
export function said(error: unknown): string {
  // Its message would be made of all that does not fit, which may be a million things.
  if (error instanceof z.core.$ZodError) {
    const issues = error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => `${path.join('.')}: ${message}`);
    return `It gave an answer that is not what MCP says: ${issues.join('; ')}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** The words of a server within a sentence of ours, which they are not to be taken for. */
export function quoted(text: string): string {
  return `“${text.replaceAll(/[“”]/g, '"')}”`;
}
