import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { seconds } from '@countersign/model/testing';
import { createGuardedHttp, TestServers } from './guarded-http.spec.support.js';

describe('GuardedHttp', () => {
  let servers: TestServers;
  beforeEach(() => {
    servers = new TestServers();
  });
  afterEach(() => servers.close());

  it('should send the request and return the response', async () => {
    // given
    const port = await servers.startHttp((_, response) =>
      response.writeHead(418, { 'X-Kind': 'tea', 'Set-Cookie': 'session=1' }).end('short and stout'),
    );

    // when
    const result = await createGuardedHttp().send(`http://127.0.0.1:${port}/pot?size=2`, {
      method: 'put',
      headers: { 'X-Key': 'k' },
      body: 'wäter',
    });

    // then
    expect(servers.received).to.have.length(1);
    expect(servers.received[0]).to.deep.include({ method: 'PUT', url: '/pot?size=2', body: 'wäter' });
    expect(servers.received[0]?.headers).to.include({
      'x-key': 'k',
      'content-length': '6',
      'user-agent': 'Countersign',
    });
    expect(result).to.include({ status: 418 });
    expect(result.body.toString()).to.equal('short and stout');
    expect(result.headers).to.include({ 'x-kind': 'tea' }).and.not.to.have.property('set-cookie');
  });

  describe('checks of the destination', () => {
    for (const url of [
      'http://127.0.0.1:1/',
      'http://2130706433:1/',
      'http://0x7f000001:1/',
      'http://0177.0.0.1:1/',
      'http://127.1:1/',
      'http://[::1]:1/',
      'http://[::ffff:127.0.0.1]:1/',
      'http://localhost:1/',
      'http://169.254.169.254:1/',
    ]) {
      it(`should refuse the private address ${url}`, async () => {
        expect(await createGuardedHttp({ networks: [] }).refusal(url)).to.include({
          code: 'outbound_address_not_allowed',
          retryable: false,
        });
      });
    }

    it('should refuse a name if any of its addresses is private', async () => {
      const port = await servers.startHttp((_, response) => response.end());
      const resolve = (address: string) => async () => [
        { address: '93.184.216.34', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ];

      for (const address of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254']) {
        expect(
          await createGuardedHttp({ networks: [], resolve: resolve(address) }).refusal(
            `http://rebound.example:${port}/`,
          ),
          address,
        ).to.include({ code: 'outbound_address_not_allowed' });
      }
      expect(servers.received).to.deep.equal([]);
    });

    it('should connect to the checked address even if a second lookup would return another address', async () => {
      // given
      const port = await servers.startHttp((_, response) => response.end('checked'));
      const addresses = ['127.0.0.1', '10.0.0.1'];
      let lookupCount = 0;
      const resolve = async () => [{ address: addresses[lookupCount++] ?? '', family: 4 }];

      // when
      const result = await createGuardedHttp({ networks: ['127.0.0.1'], resolve }).send(
        `http://rebound.example:${port}/`,
      );

      // then
      expect(result.body.toString()).to.equal('checked');
      expect(lookupCount).to.equal(1);
      expect(servers.received[0]?.headers.host).to.equal(`rebound.example:${port}`);
    });

    it('should refuse a host that is not allowed, without the query in the error message', async () => {
      const error = await createGuardedHttp().refusal('https://other.example/path?token=abc', {
        allowedHosts: ['api.example'],
      });

      expect(error).to.include({ code: 'outbound_host_not_allowed', retryable: false });
      expect(error.message).to.contain('other.example').and.not.to.contain('token');
    });

    for (const url of [
      'ftp://a.example/',
      'file:///etc/passwd',
      'http://',
      'a.example',
      'https://user:pass@a.example/',
      'https://user@a.example/',
      `https://a.example/${'a'.repeat(9_000)}`,
    ]) {
      it(`should refuse the URL ${url.slice(0, 40)}`, async () => {
        expect(await createGuardedHttp().refusal(url)).to.include({ code: 'outbound_url_invalid', retryable: false });
      });
    }

    it('should report an unknown name as retryable', async () => {
      const resolve = () => Promise.reject(Object.assign(new Error('The name was not found.'), { code: 'ENOTFOUND' }));

      expect(await createGuardedHttp({ resolve }).refusal('https://unknown.example/')).to.include({
        code: 'outbound_name_not_found',
        retryable: true,
      });
    });
  });

  describe('checks of the request', () => {
    it('should refuse reserved or malformed headers and invalid methods', async () => {
      for (const name of [
        'Host',
        'content-length',
        'Transfer-Encoding',
        'Connection',
        'Authorization',
        'Cookie',
        'Proxy-Authorization',
        'Bad Name',
        '',
        'X\r\nY',
      ]) {
        expect(await createGuardedHttp().refusal('http://127.0.0.1:1/', { headers: { [name]: 'x' } }), name).to.include(
          {
            code: 'outbound_request_invalid',
          },
        );
      }
      expect(
        await createGuardedHttp().refusal('http://127.0.0.1:1/', { headers: { 'X-A': 'a\r\nX-B: b' } }),
      ).to.include({
        code: 'outbound_request_invalid',
      });
      for (const method of ['CONNECT', 'TRACE', 'GET /', '', 'G\r\nT'])
        expect(await createGuardedHttp().refusal('http://127.0.0.1:1/', { method }), method).to.include({
          code: 'outbound_request_invalid',
        });
    });
  });

  describe('a failed request', () => {
    it('should be marked as sent if a connection was established', async () => {
      const resetPort = await servers.startTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
      const silentPort = await servers.startTcp(() => undefined);
      const largePort = await servers.startHttp((_, response) => response.end('x'.repeat(2_000)));

      expect(await createGuardedHttp().refusal(`http://127.0.0.1:${resetPort}/`)).to.include({
        code: 'outbound_connection_lost',
        wasSent: true,
      });
      expect(
        await createGuardedHttp().refusal(`http://127.0.0.1:${silentPort}/`, { timeoutMs: seconds(1) }),
      ).to.include({
        code: 'outbound_timeout',
        wasSent: true,
      });
      expect(await createGuardedHttp().refusal(`http://127.0.0.1:${largePort}/`, { maxBytes: 1_000 })).to.include({
        code: 'outbound_response_too_large',
        wasSent: true,
      });
    });

    it('should not be marked as sent without a trusted connection', async () => {
      const untrustedPort = await servers.startHttps((response) => response.end());

      expect(await createGuardedHttp().refusal(`https://127.0.0.1:${untrustedPort}/`)).to.include({
        code: 'outbound_tls_failed',
        wasSent: false,
      });
      expect(await createGuardedHttp().refusal('http://127.0.0.1:1/')).to.include({
        code: 'outbound_unreachable',
        wasSent: false,
      });
      expect(await createGuardedHttp({ networks: [] }).refusal('http://127.0.0.1:1/')).to.include({
        code: 'outbound_address_not_allowed',
        wasSent: false,
      });
      expect(await createGuardedHttp().refusal('http://127.0.0.1:1/', { allowedHosts: [] })).to.include({
        code: 'outbound_host_not_allowed',
        wasSent: false,
      });
    });
  });

  describe('a response', () => {
    it('should be refused if it is too large, with or without a declared length', async () => {
      const declaredSizePort = await servers.startHttp((_, response) => response.end('x'.repeat(2_000)));
      const endlessPort = await servers.startHttp((_, response) => {
        const write = (): void =>
          void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(write)));
        write();
      });

      for (const port of [declaredSizePort, endlessPort]) {
        expect(await createGuardedHttp().refusal(`http://127.0.0.1:${port}/`, { maxBytes: 1_000 })).to.include({
          code: 'outbound_response_too_large',
          retryable: false,
        });
      }
    });

    it('should be limited by its decompressed size', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      const port = await servers.startHttp((_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
      );

      expect(await createGuardedHttp().refusal(`http://127.0.0.1:${port}/`, { maxBytes: 1_000_000 })).to.include({
        code: 'outbound_response_too_large',
      });
    });

    it('should be decompressed even if no encoding was requested', async () => {
      const port = await servers.startHttp((_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('hello')),
      );

      expect((await createGuardedHttp().send(`http://127.0.0.1:${port}/`)).body.toString()).to.equal('hello');
      expect(servers.received[0]?.headers['accept-encoding']).to.equal('identity');
    });

    it('should be refused if its encoding is unknown or broken', async () => {
      const unknownEncodingPort = await servers.startHttp((_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip, gzip' }).end('x'),
      );
      const brokenEncodingPort = await servers.startHttp((_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('not gzip at all'),
      );

      expect(await createGuardedHttp().refusal(`http://127.0.0.1:${unknownEncodingPort}/`)).to.include({
        code: 'outbound_response_encoding',
        retryable: false,
      });
      expect(await createGuardedHttp().refusal(`http://127.0.0.1:${brokenEncodingPort}/`)).to.include({
        code: 'outbound_response_broken',
        retryable: true,
      });
    });

    it('should be refused if the connection closes before it is complete', async () => {
      const truncatedPort = await servers.startTcp((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
      );
      const unfinishedChunkPort = await servers.startTcp((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')),
      );
      const resetPort = await servers.startTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
      const silentPort = await servers.startTcp((socket) => socket.once('data', () => socket.end()));
      const upgradePort = await servers.startTcp((socket) =>
        socket.once('data', () =>
          socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
        ),
      );

      for (const port of [truncatedPort, unfinishedChunkPort, resetPort, silentPort, upgradePort]) {
        expect(await createGuardedHttp().refusal(`http://127.0.0.1:${port}/`)).to.include({
          code: 'outbound_connection_lost',
          retryable: true,
        });
      }
    });

    it('should be refused if it is not HTTP or its headers are too large', async () => {
      const noisePort = await servers.startTcp((socket) =>
        socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')),
      );
      const largeHeadersPort = await servers.startTcp((socket) =>
        socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`)),
      );

      expect(await createGuardedHttp().refusal(`http://127.0.0.1:${noisePort}/`)).to.include({
        code: 'outbound_response_broken',
      });
      expect(await createGuardedHttp().refusal(`http://127.0.0.1:${largeHeadersPort}/`)).to.include({
        code: 'outbound_response_too_large',
        retryable: false,
      });
    });

    it('should be refused if the certificate of the server is not trusted', async () => {
      const port = await servers.startHttps((response) => response.end('secret'));

      expect(await createGuardedHttp().refusal(`https://127.0.0.1:${port}/`)).to.include({
        code: 'outbound_tls_failed',
        retryable: false,
      });
      expect(await createGuardedHttp().refusal(`http://127.0.0.1:${port}/`))
        .to.have.property('code')
        .that.is.oneOf(['outbound_connection_lost', 'outbound_response_broken']);
    });

    it('should be missing, with a retryable error, if no server listens on the port', async () => {
      expect(await createGuardedHttp().refusal('http://127.0.0.1:1/')).to.include({
        code: 'outbound_unreachable',
        retryable: true,
      });
    });
  });

  describe('the time limit', () => {
    it('should apply to a slow response and to a missing response', async () => {
      const slowPort = await servers.startHttp((_, response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      });
      const silentPort = await servers.startHttp(() => undefined);

      for (const port of [slowPort, silentPort]) {
        expect(await createGuardedHttp().refusal(`http://127.0.0.1:${port}/`, { timeoutMs: 150 })).to.include({
          code: 'outbound_timeout',
          retryable: true,
        });
      }
    });

    it('should be accepted if it exceeds the maximum delay of a Node.js timer', async () => {
      const port = await servers.startHttp((_, response) => response.end('in time'));

      expect(
        (await createGuardedHttp().send(`http://127.0.0.1:${port}/`, { timeoutMs: 2 ** 31 })).body.toString(),
      ).to.equal('in time');
    });

    it('should apply to an endless name lookup', async () => {
      expect(
        await createGuardedHttp({ resolve: () => new Promise(() => undefined) }).refusal('https://slow.example/', {
          timeoutMs: 50,
        }),
      ).to.include({ code: 'outbound_timeout' });
    });

    it('should not replace the reason of an abort by the caller', async () => {
      const controller = new AbortController();
      const port = await servers.startHttp(() => controller.abort(new Error('cancelled')));

      const outcome: unknown = await createGuardedHttp()
        .send(`http://127.0.0.1:${port}/`, { signal: controller.signal })
        .catch((error: unknown) => error);

      expect(outcome).to.have.property('message', 'cancelled');
    });
  });
});
