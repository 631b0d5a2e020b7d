import { expect } from 'chai';
import { isAlive } from '@countersign/model/testing';
import type { OutboundHttpPort } from '@countersign/core/plugin';
import { McpConfigurationSchema } from './configuration.js';
import { McpServer } from './mcp-server.js';

/** A server whose one tool is named after its process. */
const PROGRAM = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const answer = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method === 'initialize') answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } });
    if (method === 'tools/list') answer({ tools: [{ name: String(process.pid) }] });
  });
  setInterval(() => undefined, 1_000);
`;

describe('McpServer', () => {
  it('should leave no program behind where it is stopped while it connects', async () => {
    // given
    const given = { Name: 'a', Command: process.execPath, Args: ['-e', PROGRAM], ConnectTimeout: 'PT20S' };
    const [configuration] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [given] } } }).Agents.Mcp.Servers;
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    let pid = 0;
    let stopped: Promise<void> | undefined;
    const server = new McpServer(configuration!, {
      http: {} as OutboundHttpPort,
      startOf: ({ Command = '', Args }) => ({ command: Command, args: Args, env: {}, cwd: undefined }),
      redactor: { json: (value) => value },
      log,
      now: () => Date.UTC(2026, 0, 5),
      // when
      compare: async (_server, { tools: [tool] }) => {
        pid = Number(tool?.['name']);
        stopped = server.stop();
      },
      lose: () => undefined,
    });
    await server.start();
    await stopped;
    // then
    expect(pid).to.be.greaterThan(0);
    const wasAlive = isAlive(pid);
    if (wasAlive) process.kill(pid, 'SIGKILL');
    expect(wasAlive).to.equal(false);
  });

  it('should be stopped at once while it asks a server what that speaks, and does not hear', async () => {
    // given
    const given = { Name: 'a', Url: 'http://127.0.0.1:9/mcp', ConnectTimeout: 'PT10M' };
    const [configuration] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [given] } } }).Agents.Mcp.Servers;
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    let asked = 0;
    let tellThatAsked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (tellThatAsked = resolve));
    const stream: OutboundHttpPort['stream'] = ({ signal }) => {
      asked += 1;
      tellThatAsked();
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    const server = new McpServer(configuration!, {
      http: { stream } as OutboundHttpPort,
      startOf: () => expect.fail('It is no program.'),
      redactor: { json: (value) => value },
      log,
      now: () => Date.UTC(2026, 0, 5),
      compare: () => Promise.resolve(),
      lose: () => undefined,
    });
    void server.start();
    await isAsked;

    // when
    await server.stop();

    // then
    expect(asked).to.equal(1);
  });
});
