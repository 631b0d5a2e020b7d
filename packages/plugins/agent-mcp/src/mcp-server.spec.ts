import { expect } from 'chai';
import { isProcessAlive } from '@countersign/model/testing';
import type { OutboundHttpPort } from '@countersign/core/plugin';
import { McpConfigurationSchema } from './configuration.js';
import { McpServer } from './mcp-server.js';

/** Program of a server with one tool, which is named after the process id. */
const PROGRAM = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const respond = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method === 'initialize') respond({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } });
    if (method === 'tools/list') respond({ tools: [{ name: String(process.pid) }] });
  });
  setInterval(() => undefined, 1_000);
`;

/**
 * Program of a server that reports changed tools during each call. It completes the call at the next tool list request
 * or, if the call is held, when the client cancels that request.
 */
const CHANGING_TOOLS_PROGRAM = `
  const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  let [callId, isHeld] = [undefined, false];
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const respond = (result) => send({ id, result });
    if (method === 'initialize') respond({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'a', version: '1' } });
    if (method === 'tools/list' && !isHeld) respond({ tools: [{ name: String(process.pid) }] });
    if (method === 'tools/call') {
      [callId, isHeld] = [id, params.arguments.isHeld === true];
      send({ method: 'notifications/tools/list_changed' });
    }
    const isFinished = isHeld ? method === 'notifications/cancelled' : method === 'tools/list';
    if (callId !== undefined && isFinished) {
      send({ id: callId, result: { content: [] } });
      [callId, isHeld] = [undefined, false];
    }
  });
`;

describe('McpServer', () => {
  const TOOL = { name: 'act', inputSchema: {} };

  function createChangingServer(reconcile: ConstructorParameters<typeof McpServer>[1]['reconcile']) {
    const serverSettings = {
      Name: 'a',
      Command: process.execPath,
      Args: ['-e', CHANGING_TOOLS_PROGRAM],
      ConnectTimeout: 'PT5S',
    };
    const [configuration] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [serverSettings] } } }).Agents.Mcp
      .Servers;
    const reportedProblems: string[] = [];
    const logged: unknown[] = [];
    const log = { debug: () => undefined, info: () => undefined, warn: (...line: unknown[]) => void logged.push(line) };
    const server = new McpServer(configuration!, {
      http: {} as OutboundHttpPort,
      getProgramStart: ({ Command = '', Args }) => ({ command: Command, args: Args, env: {}, cwd: undefined }),
      redactor: { redactJson: (value) => value },
      log: { ...log, error: () => undefined },
      now: () => Date.UTC(2026, 0, 5),
      reconcile,
      discardOffers: (_server, problem) => void reportedProblems.push(problem),
    });
    const call = (isHeld: boolean) =>
      server.call({ tool: TOOL, args: { isHeld }, isRead: false }, new AbortController().signal, () =>
        Promise.resolve(),
      );
    return { server, call, reportedProblems, logged };
  }

  it('should keep its program running and report the problem if its tools could not be compared', async () => {
    // given
    const comparedTools: (string | undefined)[] = [];
    const errors = [undefined, new Error('connect ECONNREFUSED 10.0.0.5:5432'), undefined];
    const { server, call, reportedProblems, logged } = createChangingServer((_server, { tools: [tool] }) => {
      const error = errors[comparedTools.push(String(tool?.['name'])) - 1];
      return error === undefined ? Promise.resolve() : Promise.reject(error);
    });
    await server.start();

    // when
    await call(false);
    // A call waits for the tool listing in progress.
    const problems: (string | undefined)[] = [];
    await server.call({ tool: TOOL, args: {}, isRead: false }, new AbortController().signal, () => {
      problems.push(server.problem);
      return Promise.resolve();
    });
    await server.call({ tool: TOOL, args: {}, isRead: false }, new AbortController().signal, () => {
      problems.push(server.problem);
      return Promise.resolve();
    });
    await server.stop();

    // then
    expect(problems).to.deep.equal(['Its tools could not be compared with the accepted tools.', undefined]);
    expect(reportedProblems).to.deep.equal(['Its tools could not be compared with the accepted tools.']);
    expect(JSON.stringify(logged)).to.contain('ECONNREFUSED').and.not.to.contain('not responding');
    expect(new Set(comparedTools)).to.have.property('size', 1);
  });

  it('should not treat a program as lost if it does not list its tools during a call', async () => {
    // given
    const { server, call, reportedProblems } = createChangingServer(() => Promise.resolve());
    await server.start();

    // when
    const response = await call(true);
    await call(false);
    await server.stop();

    // then
    expect(response).to.deep.equal({ content: [] });
    expect(reportedProblems).to.deep.equal([]);
  });

  it('should stop its program if it is stopped while it connects', async () => {
    // given
    const serverSettings = { Name: 'a', Command: process.execPath, Args: ['-e', PROGRAM], ConnectTimeout: 'PT20S' };
    const [configuration] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [serverSettings] } } }).Agents.Mcp
      .Servers;
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    let pid = 0;
    let stopResult: Promise<void> | undefined;
    const server = new McpServer(configuration!, {
      http: {} as OutboundHttpPort,
      getProgramStart: ({ Command = '', Args }) => ({ command: Command, args: Args, env: {}, cwd: undefined }),
      redactor: { redactJson: (value) => value },
      log,
      now: () => Date.UTC(2026, 0, 5),
      // when
      reconcile: async (_server, { tools: [tool] }) => {
        pid = Number(tool?.['name']);
        stopResult = server.stop();
      },
      discardOffers: () => undefined,
    });
    await server.start();
    await stopResult;
    // then
    expect(pid).to.be.greaterThan(0);
    const wasAlive = isProcessAlive(pid);
    if (wasAlive) process.kill(pid, 'SIGKILL');
    expect(wasAlive).to.equal(false);
  });

  it('should stop immediately while a version probe has no response', async () => {
    // given
    const serverSettings = { Name: 'a', Url: 'http://127.0.0.1:9/mcp', ConnectTimeout: 'PT10M' };
    const [configuration] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [serverSettings] } } }).Agents.Mcp
      .Servers;
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    let requestCount = 0;
    let notifyRequested = (): void => undefined;
    const requested = new Promise<void>((resolve) => (notifyRequested = resolve));
    const stream: OutboundHttpPort['stream'] = ({ signal }) => {
      requestCount += 1;
      notifyRequested();
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    const server = new McpServer(configuration!, {
      http: { stream } as OutboundHttpPort,
      getProgramStart: () => expect.fail('The server is not a program.'),
      redactor: { redactJson: (value) => value },
      log,
      now: () => Date.UTC(2026, 0, 5),
      reconcile: () => Promise.resolve(),
      discardOffers: () => undefined,
    });
    void server.start();
    await requested;

    // when
    await server.stop();

    // then
    expect(requestCount).to.equal(1);
  });

  for (const [description, status, createHeaders] of [
    ['echoes the requested URL', 404, () => ({})],
    ['redirects', 308, (url: string) => ({ location: url.replace('http:', 'https:') })],
  ] as readonly (readonly [string, number, (url: string) => Record<string, string>])[]) {
    it(`should hide the secrets of its URL in the reported problem and the log when the server ${description}`, async () => {
      // given
      const address = 'http://127.0.0.1:9/mcp/s/SECRET-PATH-99?api_key=SECRET-QUERY-1';
      const [configuration] = McpConfigurationSchema.parse({
        Agents: { Mcp: { Servers: [{ Name: 'a', Url: address }] } },
      }).Agents.Mcp.Servers;
      const logged: unknown[] = [];
      const log = (...line: unknown[]): void => void logged.push(line);
      const stream: OutboundHttpPort['stream'] = ({ url }) => {
        const { pathname, search, href } = new URL(url);
        async function* body(): AsyncGenerator<Buffer> {
          yield await Promise.resolve(Buffer.from(`<pre>Cannot POST ${pathname}${search}</pre>`));
        }
        return Promise.resolve({ status, headers: createHeaders(href), body: body(), close: () => undefined } as never);
      };
      const reportedProblems: string[] = [];
      const server = new McpServer(configuration!, {
        http: { stream } as OutboundHttpPort,
        getProgramStart: () => expect.fail('The server is not a program.'),
        redactor: { redactJson: (value) => value },
        log: { debug: log, info: log, warn: log, error: log },
        now: () => Date.UTC(2026, 0, 5),
        reconcile: () => Promise.resolve(),
        discardOffers: (_, problem) => void reportedProblems.push(problem),
      });

      // when
      await server.start();
      await server.stop();

      // then
      expect(server.problem).to.include('/mcp/s/[secret]').and.to.include('api_key=[secret]');
      expect(reportedProblems).to.deep.equal([server.problem]);
      expect(logged).not.to.be.empty;
      expect(JSON.stringify(logged)).not.to.match(/SECRET-(PATH|QUERY)/);
    });
  }
});
