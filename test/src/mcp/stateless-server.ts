import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** Returns a server of the official SDK for MCP 2026-07-28. */
export function createStatelessServer(): McpServer {
  const server = new McpServer({ name: 'stateless', version: '1' }, { capabilities: { tools: {} } });
  const text = (resultText: string): { content: { type: 'text'; text: string }[] } => ({
    content: [{ type: 'text', text: resultText }],
  });
  server.registerTool(
    'act',
    { inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }).optional() }) },
    ({ region = '' }) => text(`done ${region}`),
  );
  server.registerTool('confirm', {}, () =>
    inputRequired({
      inputRequests: {
        sure: inputRequired.elicit({ message: 'Are you sure?', requestedSchema: { type: 'object', properties: {} } }),
      },
    }),
  );
  server.registerTool('later', {}, ({ mcpReq }) =>
    mcpReq.requestState() === undefined
      ? inputRequired({ requestState: 'begun' })
      : text(`${mcpReq.requestState()}, done`),
  );
  server.registerTool('never', {}, () => inputRequired({ requestState: 'begun' }));
  return server;
}

// If run as a program, this file serves MCP over stdio. The argument specifies whether it also serves clients of
// earlier revisions.
const [, , legacyMode] = process.argv;
if (legacyMode === 'reject' || legacyMode === 'serve') serveStdio(createStatelessServer, { legacy: legacyMode });
