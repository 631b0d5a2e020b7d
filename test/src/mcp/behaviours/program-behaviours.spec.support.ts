import type { Behaviour } from './http-behaviours.spec.support.js';

export interface ProgramBehaviour extends Behaviour {
  /**
   * JavaScript that may redefine `line`, which writes a line, and `before`, which runs before the response to a call.
   */
  readonly script: string;
}

const FOUND_RESULTS = ['found a', 'found b', 'found c', 'found d'];

/** Returns a program with the default behaviour, changed by a script. */
export const buildProgram = (script: string): string => `
  let calls = 0;
  let line = (text) => process.stdout.write(text + '\\n');
  let before = () => undefined;
  ${script}
  require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
    const { id, method, params } = JSON.parse(text);
    const answer = (result) => line(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method === 'initialize')
      answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } });
    else if (method === 'tools/list') answer({ tools: [{ name: 'find', inputSchema: { type: 'object', properties: { q: {} } } }] });
    else if (method === 'tools/call') {
      calls += 1;
      const { q } = params.arguments;
      before(q);
      answer({ content: [{ type: 'text', text: 'found ' + q }] });
    }
  });
`;

export const PROGRAM_BEHAVIOURS: readonly ProgramBehaviour[] = [
  { title: 'a program', result: 'completed', expectedResults: FOUND_RESULTS, script: '' },
  {
    title: 'a program that logs on its standard output',
    result: 'ignored; completed',
    expectedResults: FOUND_RESULTS,
    script: `line('Welcome!'); before = () => { for (let count = 0; count < 150; count += 1) line('looking …'); };`,
  },
  {
    title: 'a program with CRLF and a byte-order mark',
    result: 'completed',
    expectedResults: FOUND_RESULTS,
    script: `let isFirst = true; line = (text) => { process.stdout.write((isFirst ? '\\ufeff' : '') + text + '\\r\\n'); isFirst = false; };`,
  },
  {
    title: 'a program that exits during a read call',
    result: 'program restarted, call repeated; completed',
    expectedResults: FOUND_RESULTS,
    script: `before = (q) => { if (q === 'd' && calls > 1) process.exit(1); };`,
  },
];
