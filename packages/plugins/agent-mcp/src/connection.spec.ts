import { type OutboundHttpPort, RetryableFailure } from '@countersign/core/plugin';
import { waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import { McpConfigurationSchema } from './configuration.js';
import { Connection } from './connection.js';

/** Program that exits at its first call and leaves a child program running that keeps the output open. */
const PROGRAM = `
  const { spawn } = require('node:child_process');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const respond = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method === 'initialize') respond({ protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'a', version: '1' } });
    if (method !== 'tools/call') return;
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
    child.once('spawn', () => { console.error(child.pid); process.exit(); });
  });
`;

describe('Connection', () => {
  it('should not send a call to a program that has exited, even if its output is still open', async function () {
    if (process.platform === 'win32') this.skip();
    // given
    const serverSettings = { Name: 'a', Command: process.execPath, Args: ['-e', PROGRAM], ConnectTimeout: 'PT20S' };
    const [configuration] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [serverSettings] } } }).Agents.Mcp
      .Servers;
    const ignore = (): void => undefined;
    let pid = '';
    const connection = await Connection.open(
      configuration!,
      {
        http: {} as OutboundHttpPort,
        getProgramStart: ({ Command = '', Args }) => ({ command: Command, args: Args, env: {}, cwd: undefined }),
        now: () => Date.UTC(2026, 0, 5),
      },
      {
        onClose: ignore,
        onToolsChanged: ignore,
        onError: ignore,
        onStderr: (text) => (pid += text),
        onNoise: ignore,
      },
    );
    const callTool = (): Promise<unknown> =>
      connection
        .callTool({ name: 'act', inputSchema: {} }, {}, new AbortController().signal)
        .catch((error: unknown) => error);

    // when
    const firstCall = callTool();
    await waitUntil('the program has exited', () => connection.exit !== undefined);
    const secondResult = await callTool();
    await firstCall;
    await waitUntil('the program has written the id of its child process', () => pid.endsWith('\n'));
    process.kill(Number(pid), 'SIGKILL');

    // then
    expect(secondResult).to.be.instanceOf(RetryableFailure);
  });
});
