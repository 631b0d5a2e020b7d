import { OutboundHttpError } from '@countersign/core/plugin';
import { expect } from 'chai';
import { createGuardedHttp, TestServers } from './guarded-http.spec.support.js';
import { buildNextHop } from './redirect.js';

describe('redirects', () => {
  const SECRETS = { TOKEN: { Value: 'tok-secret', Hosts: ['*:*'] } };
  let servers: TestServers;
  beforeEach(() => {
    servers = new TestServers();
  });
  afterEach(() => servers.close());

  const startRedirectServer = (status: number, location: (port: number) => string) => {
    let port = 0;
    return servers
      .startHttp((request, response) =>
        request.url === '/' ? response.writeHead(status, { location: location(port) }).end() : response.end('there'),
      )
      .then((listeningPort) => (port = listeningPort));
  };

  it('should be followed within an origin, with the credential', async () => {
    const port = await startRedirectServer(307, () => '/next?a=1');

    const result = await createGuardedHttp({ secrets: SECRETS }).send(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: 'b',
      headers: { 'X-Own': 'o' },
      credential: { type: 'bearer', secret: 'TOKEN' },
    });

    expect(result.body.toString()).to.equal('there');
    expect(servers.received[1]).to.deep.include({ method: 'POST', url: '/next?a=1', body: 'b' });
    expect(servers.received[1]?.headers).to.include({ 'authorization': 'Bearer tok-secret', 'x-own': 'o' });
  });

  it('should not send the credential and custom headers to another origin', async () => {
    const otherPort = await servers.startHttp((_, response) => response.end('other'));
    const port = await startRedirectServer(308, () => `http://127.0.0.1:${otherPort}/elsewhere`);

    await createGuardedHttp({ secrets: SECRETS }).send(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: '{}',
      headers: { 'X-Own': 'o', 'Content-Type': 'application/json' },
      credential: { type: 'header', name: 'X-Api-Key', secret: 'TOKEN' },
    });

    expect(servers.received[0]?.headers).to.include({ 'x-api-key': 'tok-secret' });
    expect(servers.received[1]?.headers)
      .to.include({ 'content-type': 'application/json' })
      .and.not.to.have.any.keys('x-api-key', 'x-own', 'authorization');
    expect(JSON.stringify(servers.received[1])).not.to.contain('tok-secret');
  });

  describe('of a request with redirectHosts', () => {
    /** Returns the outcome of a redirected request. `redirectPort` and `otherPort` are the ports of the two servers. */
    async function followRedirect(
      redirectHosts: (redirectPort: number, otherPort: number) => readonly string[],
      location: (redirectPort: number, otherPort: number) => string,
    ): Promise<string> {
      const otherPort = await servers.startHttp((_, response) => response.end('other'));
      const redirectPort = await startRedirectServer(302, (port) => location(port, otherPort));
      return createGuardedHttp()
        .send(`http://127.0.0.1:${redirectPort}/`, { redirectHosts: redirectHosts(redirectPort, otherPort) })
        .then(
          ({ body }) => body.toString(),
          (error: unknown) => (error as OutboundHttpError).code,
        );
    }
    const redirectToOtherServer = (_redirectPort: number, otherPort: number): string =>
      `http://127.0.0.1:${otherPort}/`;

    it('should be followed within the host of the URL and to the hosts in redirectHosts', async () => {
      expect(
        await followRedirect(
          () => [],
          () => '/next',
        ),
      ).to.equal('there');
      expect(
        await followRedirect((_, otherPort) => ['a.example', `127.0.0.1:${otherPort}`], redirectToOtherServer),
      ).to.equal('other');
      expect(
        await followRedirect((_, otherPort) => [`[::ffff:127.0.0.1]:${otherPort}`], redirectToOtherServer),
      ).to.equal('other');
    });

    for (const [description, redirectHosts] of [
      ['other hosts', () => ['a.example']],
      ['no host', () => []],
      ['the host without the port', () => ['127.0.0.1']],
      ['only patterns, which are not supported', () => ['*', '*:*', '127.0.0.1:*']],
      ['values that are not hosts', () => ['', 'http://127.0.0.1/']],
    ] as const) {
      it(`should be refused if redirectHosts contains ${description}`, async () => {
        expect(await followRedirect(redirectHosts, redirectToOtherServer)).to.equal('outbound_redirect_refused');
        expect(servers.received).to.have.length(1);
      });
    }

    it('should also be refused at the second hop, with redirectHosts in the error message', async () => {
      const otherPort = await servers.startHttp((_, response) => response.end('other'));
      const port = await servers.startHttp((request, response) =>
        response.writeHead(302, { location: request.url === '/' ? '/next' : `http://127.0.0.1:${otherPort}/` }).end(),
      );

      const failure: unknown = await createGuardedHttp()
        .send(`http://127.0.0.1:${port}/`, { redirectHosts: [] })
        .catch((error: unknown) => error);

      expect(failure)
        .to.be.instanceOf(OutboundHttpError)
        .with.property('message')
        .that.contains(`127.0.0.1:${otherPort}`)
        .and.contains('redirectHosts');
      expect(failure).to.include({ code: 'outbound_redirect_refused', retryable: false });
    });
  });

  for (const [status, method, nextMethod] of [
    [303, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [301, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [302, 'PUT', 'PUT'],
    [303, 'HEAD', 'HEAD'],
    [308, 'DELETE', 'DELETE'],
  ] as const) {
    it(`should turn ${method} into ${nextMethod} after status ${status}`, async () => {
      const port = await startRedirectServer(status, () => '/next');

      await createGuardedHttp().send(`http://127.0.0.1:${port}/`, {
        method,
        ...(method === 'HEAD' ? {} : { body: 'b', headers: { 'Content-Type': 'text/plain' } }),
      });

      expect(servers.received[1]).to.deep.include({
        method: nextMethod,
        body: nextMethod === 'GET' || nextMethod === 'HEAD' ? '' : 'b',
      });
      expect(servers.received[1]?.headers['content-type']).to.equal(
        nextMethod === 'GET' || method === 'HEAD' ? undefined : 'text/plain',
      );
    });
  }

  it('should not lead to a private address in any notation', async () => {
    const innerPort = await servers.startHttp((_, response) => response.end('inner'), '127.0.0.2');
    const resolve = async (hostname: string) => [
      { address: hostname === 'inner.example' ? '127.0.0.2' : '127.0.0.1', family: 4 },
    ];
    for (const target of [
      `http://127.0.0.2:${innerPort}/`,
      `http://inner.example:${innerPort}/`,
      `http://2130706434:${innerPort}/`,
      `//127.0.0.2:${innerPort}/`,
      `http://[::ffff:7f00:2]:${innerPort}/`,
    ]) {
      const port = await startRedirectServer(302, () => target);

      expect(
        await createGuardedHttp({ networks: ['127.0.0.1'], resolve }).refusal(`http://outer.example:${port}/`),
        target,
      ).to.include({ code: 'outbound_address_not_allowed', retryable: false });
    }
    expect(servers.received.map(({ headers }) => headers.host)).not.to.include('inner.example');
  });

  it('should not lead to a host that is not allowed or to an invalid URL', async () => {
    const captureRefusal = async (location: string) =>
      createGuardedHttp().refusal(`http://127.0.0.1:${await startRedirectServer(302, () => location)}/`, {
        allowedHosts: ['127.0.0.1:*'],
      });

    expect(await captureRefusal('http://other.example/')).to.include({ code: 'outbound_host_not_allowed' });
    expect(await captureRefusal('file:///etc/passwd')).to.include({ code: 'outbound_url_invalid' });
    expect(await captureRefusal('http://user:pass@127.0.0.1/')).to.include({ code: 'outbound_url_invalid' });
    expect(await captureRefusal('http://')).to.include({ code: 'outbound_url_invalid' });
  });

  it('should not lead from HTTPS to HTTP', () => {
    const hop = {
      url: new URL('https://a.example/'),
      method: 'GET',
      headers: {},
      body: undefined,
      credential: undefined,
    };

    expect(() => buildNextHop(hop, 302, new URL('http://a.example/')))
      .to.throw(OutboundHttpError)
      .with.property('code', 'outbound_redirect_refused');
    expect(buildNextHop(hop, 302, new URL('https://b.example/')).url.host).to.equal('b.example');
    expect(
      buildNextHop({ ...hop, url: new URL('http://a.example/') }, 302, new URL('https://a.example/')).url.protocol,
    ).to.equal('https:');
  });

  it('should stop at maxRedirects', async () => {
    const port = await servers.startHttp((_, response) => response.writeHead(302, { location: '/again' }).end());

    expect(await createGuardedHttp().refusal(`http://127.0.0.1:${port}/`, { maxRedirects: 3 })).to.include({
      code: 'outbound_too_many_redirects',
      retryable: false,
    });
    expect(servers.received).to.have.length(4);
  });

  it('should be returned as a response if maxRedirects is 0', async () => {
    const port = await startRedirectServer(302, () => '/next');

    expect(await createGuardedHttp().send(`http://127.0.0.1:${port}/`, { maxRedirects: 0 })).to.include({
      status: 302,
    });
    expect(servers.received).to.have.length(1);
  });
});
