import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { StdioTransport } from './stdio-transport.js';

/** Turns of the event loop after which everything that was in a pipe before has been read. */
const TURNS = 3;

/** Writes more that is no message than it may. Something that outlives it has its output too, and says a message after it has gone. */
const NOISY = `
  const { spawn } = require('node:child_process');
  const late = \`
    const { writeSync, writeFileSync } = require('node:fs');
    const look = () => {
      if (process.ppid === \${process.pid}) return setTimeout(look, 5);
      writeSync(1, '{"jsonrpc":"2.0","method":"notifications/late"}\\\\n');
      writeFileSync(\${JSON.stringify(process.argv[1])}, '');
    };
    look();
  \`;
  spawn(process.execPath, ['-e', late], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
  process.stdout.write('{"jsonrpc":"2.0","method":"notifications/early"}\\n' + 'this is no message\\n'.repeat(150));
  setInterval(() => undefined, 1000);
`;

describe('StdioTransport', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-mcp-'));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('should hear nothing more of a program that it has ended for what it writes', async () => {
    // given
    const said = join(directory, 'said');
    const transport = new StdioTransport({
      command: process.execPath,
      args: ['-e', NOISY, said],
      env: {},
      cwd: undefined,
      onStderr: () => undefined,
    });
    const heard: JSONRPCMessage[] = [];
    transport.onmessage = (message) => void heard.push(message);
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));

    // when
    await transport.start();
    await closed;
    while (!existsSync(said)) await setImmediate();
    for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();

    // then
    expect(heard).to.deep.equal([{ jsonrpc: '2.0', method: 'notifications/early' }]);
  });
});
