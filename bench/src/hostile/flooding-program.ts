/** Kinds of endless output that a program writes after it has responded to `initialize` and `tools/list`. */
export const FLOODS = Object.freeze([
  'bytes without a line break',
  'small messages',
  'messages of 1 MB',
  'lines that contain no JSON',
  'standard error',
] as const);
export type Flood = (typeof FLOODS)[number];

/** Returns the source of an MCP server that floods, for `node -e`. */
export function buildFloodingProgram(flood: Flood): string {
  return `
    const notification = (text) => JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: text } }) + '\\n';
    const floods = {
      'bytes without a line break': [process.stdout, 'x'.repeat(1 << 20)],
      'small messages': [process.stdout, notification('x').repeat(1_000)],
      'messages of 1 MB': [process.stdout, notification('x'.repeat(1_000_000))],
      'lines that contain no JSON': [process.stdout, 'x\\n'],
      'standard error': [process.stderr, 'an error\\n'.repeat(10_000)],
    };
    const [stream, text] = floods[${JSON.stringify(flood)}];
    const flood = () => stream.write(text, flood);
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const respond = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
      if (method === 'initialize') respond({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'flood', version: '1' } });
      if (method === 'tools/list') respond({ tools: [] });
      if (method === 'tools/list') flood();
    });
  `;
}
