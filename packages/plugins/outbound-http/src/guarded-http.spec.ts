import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { seconds } from '@countersign/model/testing';
import { guard, Servers } from './guarded-http.spec.support.js';

describe('GuardedHttp', () => {
  let servers: Servers;
  beforeEach(() => {
    servers = new Servers();
  });
  afterEach(() => servers.close());

  it('should send the request and return the response', async () => {
    // given
    const port = await servers.http((_, response) =>
      response.writeHead(418, { 'X-Kind': 'tea', 'Set-Cookie': 'session=1' }).end('short and stout'),
    );

    // when
    const answer = await guard().send(`http://127.0.0.1:${port}/pot?size=2`, {
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
    expect(answer).to.include({ status: 418 });
    expect(answer.body.toString()).to.equal('short and stout');
    expect(answer.headers).to.include({ 'x-kind': 'tea' }).and.not.to.have.property('set-cookie');
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
        expect(await guard({ networks: [] }).refusal(url)).to.include({
          code: 'outbound_address_not_allowed',
          retryable: false,
        });
      });
    }

    it('should refuse a name if any of its addresses is private', async () => {
      const port = await servers.http((_, response) => response.end());
      const resolve = (address: string) => async () => [
        { address: '93.184.216.34', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ];

      for (const address of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254']) {
        expect(
          await guard({ networks: [], resolve: resolve(address) }).refusal(`http://rebound.example:${port}/`),
          address,
        ).to.include({ code: 'outbound_address_not_allowed' });
      }
      expect(servers.received).to.deep.equal([]);
    });

    it('should connect to the checked address even if the name would then resolve to another one', async () => {
      // given
      const port = await servers.http((_, response) => response.end('checked'));
      const answers = ['127.0.0.1', '10.0.0.1'];
      let asked = 0;
      const resolve = async () => [{ address: answers[asked++] ?? '', family: 4 }];

      // when
      const answer = await guard({ networks: ['127.0.0.1'], resolve }).send(`http://rebound.example:${port}/`);

      // then
      expect(answer.body.toString()).to.equal('checked');
      expect(asked).to.equal(1);
      expect(servers.received[0]?.headers.host).to.equal(`rebound.example:${port}`);
    });

    it('should refuse a host that is not allowed, without showing the query', async () => {
      const error = await guard().refusal('https://other.example/path?token=abc', { allowedHosts: ['api.example'] });

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
        expect(await guard().refusal(url)).to.include({ code: 'outbound_url_invalid', retryable: false });
      });
    }

    it('should report an unknown name as retryable', async () => {
      const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));

      expect(await guard({ resolve }).refusal('https://gone.example/')).to.include({
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
        expect(await guard().refusal('http://127.0.0.1:1/', { headers: { [name]: 'x' } }), name).to.include({
          code: 'outbound_request_invalid',
        });
      }
      expect(await guard().refusal('http://127.0.0.1:1/', { headers: { 'X-A': 'a\r\nX-B: b' } })).to.include({
        code: 'outbound_request_invalid',
      });
      for (const method of ['CONNECT', 'TRACE', 'GET /', '', 'G\r\nT'])
        expect(await guard().refusal('http://127.0.0.1:1/', { method }), method).to.include({
          code: 'outbound_request_invalid',
        });
    });
  });

  describe('a failed request', () => {
    it('should be marked as sent if a connection was established', async () => {
      const reset = await servers.tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
      const silent = await servers.tcp(() => undefined);
      const large = await servers.http((_, response) => response.end('x'.repeat(2_000)));

      expect(await guard().refusal(`http://127.0.0.1:${reset}/`)).to.include({
        code: 'outbound_connection_lost',
        wasSent: true,
      });
      expect(await guard().refusal(`http://127.0.0.1:${silent}/`, { timeoutMs: seconds(1) })).to.include({
        code: 'outbound_timeout',
        wasSent: true,
      });
      expect(await guard().refusal(`http://127.0.0.1:${large}/`, { maxBytes: 1_000 })).to.include({
        code: 'outbound_response_too_large',
        wasSent: true,
      });
    });

    it('should not be marked as sent without a trusted connection', async () => {
      const untrusted = await servers.https((response) => response.end());

      expect(await guard().refusal(`https://127.0.0.1:${untrusted}/`)).to.include({
        code: 'outbound_tls_failed',
        wasSent: false,
      });
      expect(await guard().refusal('http://127.0.0.1:1/')).to.include({ code: 'outbound_unreachable', wasSent: false });
      expect(await guard({ networks: [] }).refusal('http://127.0.0.1:1/')).to.include({
        code: 'outbound_address_not_allowed',
        wasSent: false,
      });
      expect(await guard().refusal('http://127.0.0.1:1/', { allowedHosts: [] })).to.include({
        code: 'outbound_host_not_allowed',
        wasSent: false,
      });
    });
  });

  describe('a response', () => {
    it('should be refused if it is too large, with or without a declared length', async () => {
      const declared = await servers.http((_, response) => response.end('x'.repeat(2_000)));
      const endless = await servers.http((_, response) => {
        const write = (): void =>
          void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(write)));
        write();
      });

      for (const port of [declared, endless]) {
        expect(await guard().refusal(`http://127.0.0.1:${port}/`, { maxBytes: 1_000 })).to.include({
          code: 'outbound_response_too_large',
          retryable: false,
        });
      }
    });

    it('should be limited by its decompressed size', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      const port = await servers.http((_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
      );

      expect(await guard().refusal(`http://127.0.0.1:${port}/`, { maxBytes: 1_000_000 })).to.include({
        code: 'outbound_response_too_large',
      });
    });

    it('should be decompressed even if no encoding was requested', async () => {
      const port = await servers.http((_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('hello')),
      );

      expect((await guard().send(`http://127.0.0.1:${port}/`)).body.toString()).to.equal('hello');
      expect(servers.received[0]?.headers['accept-encoding']).to.equal('identity');
    });

    it('should be refused if its encoding is unknown or broken', async () => {
      const unknown = await servers.http((_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip, gzip' }).end('x'),
      );
      const broken = await servers.http((_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('not gzip at all'),
      );

      expect(await guard().refusal(`http://127.0.0.1:${unknown}/`)).to.include({
        code: 'outbound_response_encoding',
        retryable: false,
      });
      expect(await guard().refusal(`http://127.0.0.1:${broken}/`)).to.include({
        code: 'outbound_response_broken',
        retryable: true,
      });
    });

    it('should be refused if the connection closes before it is complete', async () => {
      const half = await servers.tcp((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
      );
      const chunk = await servers.tcp((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')),
      );
      const reset = await servers.tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
      const silent = await servers.tcp((socket) => socket.once('data', () => socket.end()));
      const other = await servers.tcp((socket) =>
        socket.once('data', () =>
          socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
        ),
      );

      for (const port of [half, chunk, reset, silent, other]) {
        expect(await guard().refusal(`http://127.0.0.1:${port}/`)).to.include({
          code: 'outbound_connection_lost',
          retryable: true,
        });
      }
    });

    it('should be refused if it is not HTTP or its headers are endless', async () => {
      const noise = await servers.tcp((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')));
      const headers = await servers.tcp((socket) =>
        socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`)),
      );

      expect(await guard().refusal(`http://127.0.0.1:${noise}/`)).to.include({ code: 'outbound_response_broken' });
      expect(await guard().refusal(`http://127.0.0.1:${headers}/`)).to.include({
        code: 'outbound_response_too_large',
        retryable: false,
      });
    });

    it('should be refused if the certificate of the server is not trusted', async () => {
      const port = await servers.https((response) => response.end('secret'));

      expect(await guard().refusal(`https://127.0.0.1:${port}/`)).to.include({
        code: 'outbound_tls_failed',
        retryable: false,
      });
      expect(await guard().refusal(`http://127.0.0.1:${port}/`))
        .to.have.property('code')
        .that.is.oneOf(['outbound_connection_lost', 'outbound_response_broken']);
    });

    it('should be reported as unreachable if no server listens', async () => {
      expect(await guard().refusal('http://127.0.0.1:1/')).to.include({
        code: 'outbound_unreachable',
        retryable: true,
      });
    });
  });

  describe('the time limit', () => {
    it('should apply to a slow response and to a missing response', async () => {
      const drip = await servers.http((_, response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      });
      const never = await servers.http(() => undefined);

      for (const port of [drip, never]) {
        expect(await guard().refusal(`http://127.0.0.1:${port}/`, { timeoutMs: 150 })).to.include({
          code: 'outbound_timeout',
          retryable: true,
        });
      }
    });

    it('should be accepted if it exceeds the maximum of a timer', async () => {
      const port = await servers.http((_, response) => response.end('in time'));

      expect((await guard().send(`http://127.0.0.1:${port}/`, { timeoutMs: 2 ** 31 })).body.toString()).to.equal(
        'in time',
      );
    });

    it('should apply to an endless name lookup', async () => {
      expect(
        await guard({ resolve: () => new Promise(() => undefined) }).refusal('https://slow.example/', {
          timeoutMs: 50,
        }),
      ).to.include({ code: 'outbound_timeout' });
    });

    it('should yield to an abort by the caller', async () => {
      const wanted = new AbortController();
      const port = await servers.http(() => wanted.abort(new Error('cancelled')));

      const outcome: unknown = await guard()
        .send(`http://127.0.0.1:${port}/`, { signal: wanted.signal })
        .catch((error: unknown) => error);

      expect(outcome).to.have.property('message', 'cancelled');
    });
  });
});
