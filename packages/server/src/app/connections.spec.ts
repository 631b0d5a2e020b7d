import { expect } from 'chai';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Connections } from './connections.js';

describe('Connections', () => {
  let server: Server;
  let connections: Connections;
  let port: number;
  let agent: Agent;

  beforeEach(async () => {
    server = createServer();
    connections = new Connections(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });

  afterEach(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** Sends a request over the keep-alive connection. */
  function sendRequest(): { serverResponse: Promise<ServerResponse>; clientResponse: Promise<IncomingMessage> } {
    const serverResponse = once(server, 'request').then(([, response]) => response as ServerResponse);
    const clientResponse = once(get({ port, host: '127.0.0.1', agent }), 'response').then(
      ([response]) => response as IncomingMessage,
    );
    return { serverResponse, clientResponse };
  }

  it('should let the server close immediately when the only connections are unused or idle', async () => {
    // given
    const connectionOpened = once(server, 'connection');
    const spareConnection = connect(port, '127.0.0.1').resume();
    await connectionOpened;
    const { serverResponse, clientResponse } = sendRequest();
    (await serverResponse).end('yes');
    await text(await clientResponse);

    // when
    const closed = once(server, 'close');
    const spareConnectionClosed = once(spareConnection, 'close');
    server.close();
    connections.drain();

    // then
    await Promise.all([closed, spareConnectionClosed]);
  });

  it('should wait for responses in progress, add "Connection: close", and then let the server close', async () => {
    // given: a response that has started and a response that has not
    const first = sendRequest();
    const startedResponse = await first.serverResponse;
    startedResponse.write('be');
    const secondConnection: Socket = connect(port, '127.0.0.1');
    const second = once(server, 'request').then(([, response]) => response as ServerResponse);
    secondConnection.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    const unstartedResponse = await second;

    // when
    let isClosed = false;
    const closed = once(server, 'close').then(() => (isClosed = true));
    server.close();
    connections.drain();
    startedResponse.end('gun');
    expect(await text(await first.clientResponse)).to.equal('begun');
    expect(isClosed).to.equal(false);
    unstartedResponse.end('late');

    // then
    expect(await text(secondConnection)).to.match(/\r\nConnection: close\r\n[\s\S]*late/);
    await closed;
  });
});
