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

/** On a call, notifies of changed tools. Responds on the next tool list request or, if held, on its cancellation. */
const CHANGING = `
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  let [called, isHeld] = [undefined, false];
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = (result) => say({ id, result });
    if (method === 'initialize') result({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'a', version: '1' } });
    if (method === 'tools/list' && !isHeld) result({ tools: [{ name: String(process.pid) }] });
    if (method === 'tools/call') {
      [called, isHeld] = [id, params.arguments.isHeld === true];
      say({ method: 'notifications/tools/list_changed' });
    }
    const isOver = isHeld ? method === 'notifications/cancelled' : method === 'tools/list';
    if (called !== undefined && isOver) {
      say({ id: called, result: { content: [] } });
      [called, isHeld] = [undefined, false];
    }
  });
`;

describe('McpServer', () => {
  const TOOL = { name: 'act', inputSchema: {} };

  function changing(compare: ConstructorParameters<typeof McpServer>[1]['compare']) {
    const given = { Name: 'a', Command: process.execPath, Args: ['-e', CHANGING], ConnectTimeout: 'PT5S' };
    const [configuration] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [given] } } }).Agents.Mcp.Servers;
    const lost: string[] = [];
    const logged: unknown[] = [];
    const log = { debug: () => undefined, info: () => undefined, warn: (...said: unknown[]) => void logged.push(said) };
    const server = new McpServer(configuration!, {
      http: {} as OutboundHttpPort,
      startOf: ({ Command = '', Args }) => ({ command: Command, args: Args, env: {}, cwd: undefined }),
      redactor: { json: (value) => value },
      log: { ...log, error: () => undefined },
      now: () => Date.UTC(2026, 0, 5),
      compare,
      lose: (_server, problem) => void lost.push(problem),
    });
    const call = (isHeld: boolean) =>
      server.call({ tool: TOOL, given: { isHeld }, isRead: false }, new AbortController().signal, () =>
        Promise.resolve(),
      );
    return { server, call, lost, logged };
  }

  it('should keep its program running and report the problem if its tools could not be compared', async () => {
    // given
    const compared: (string | undefined)[] = [];
    const faults = [undefined, new Error('connect ECONNREFUSED 10.0.0.5:5432'), undefined];
    const { server, call, lost, logged } = changing((_server, { tools: [tool] }) => {
      const fault = faults[compared.push(String(tool?.['name'])) - 1];
      return fault === undefined ? Promise.resolve() : Promise.reject(fault);
    });
    await server.start();

    // when
    await call(false);
    // A call waits for the tool listing in progress.
    const problems: (string | undefined)[] = [];
    await server.call({ tool: TOOL, given: {}, isRead: false }, new AbortController().signal, () => {
      problems.push(server.problem);
      return Promise.resolve();
    });
    await server.call({ tool: TOOL, given: {}, isRead: false }, new AbortController().signal, () => {
      problems.push(server.problem);
      return Promise.resolve();
    });
    await server.stop();

    // then
    expect(problems).to.deep.equal(['Its tools could not be compared with the accepted tools.', undefined]);
    expect(lost).to.deep.equal(['Its tools could not be compared with the accepted tools.']);
    expect(JSON.stringify(logged)).to.contain('ECONNREFUSED').and.not.to.contain('not responding');
    expect(new Set(compared)).to.have.property('size', 1);
  });

  it('should not treat a program as lost if it does not list its tools during a call', async () => {
    // given
    const { server, call, lost } = changing(() => Promise.resolve());
    await server.start();

    // when
    const answer = await call(true);
    await call(false);
    await server.stop();

    // then
    expect(answer).to.deep.equal({ content: [] });
    expect(lost).to.deep.equal([]);
  });

  it('should stop its program if it is stopped while it connects', async () => {
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

  it('should stop immediately while a version probe has no response', async () => {
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

  for (const [what, status, headersOf] of [
    ['echoes the requested URL', 404, () => ({})],
    ['redirects', 308, (url: string) => ({ location: url.replace('http:', 'https:') })],
  ] as readonly (readonly [string, number, (url: string) => Record<string, string>])[]) {
    it(`should hide the secrets of its URL in the reported problem and the log when the server ${what}`, async () => {
      // given
      const address = 'http://127.0.0.1:9/mcp/s/SECRET-PATH-99?api_key=SECRET-QUERY-1';
      const [configuration] = McpConfigurationSchema.parse({
        Agents: { Mcp: { Servers: [{ Name: 'a', Url: address }] } },
      }).Agents.Mcp.Servers;
      const logged: unknown[] = [];
      const note = (...line: unknown[]): void => void logged.push(line);
      const stream: OutboundHttpPort['stream'] = ({ url }) => {
        const { pathname, search, href } = new URL(url);
        async function* body(): AsyncGenerator<Buffer> {
          yield await Promise.resolve(Buffer.from(`<pre>Cannot POST ${pathname}${search}</pre>`));
        }
        return Promise.resolve({ status, headers: headersOf(href), body: body(), close: () => undefined } as never);
      };
      const lost: string[] = [];
      const server = new McpServer(configuration!, {
        http: { stream } as OutboundHttpPort,
        startOf: () => expect.fail('It is no program.'),
        redactor: { json: (value) => value },
        log: { debug: note, info: note, warn: note, error: note },
        now: () => Date.UTC(2026, 0, 5),
        compare: () => Promise.resolve(),
        lose: (_, problem) => void lost.push(problem),
      });

      // when
      await server.start();
      await server.stop();

      // then
      expect(server.problem).to.include('/mcp/s/[secret]').and.to.include('api_key=[secret]');
      expect(lost).to.deep.equal([server.problem]);
      expect(logged).not.to.be.empty;
      expect(JSON.stringify(logged)).not.to.match(/SECRET-(PATH|QUERY)/);
    });
  }
});
