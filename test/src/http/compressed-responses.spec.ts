import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

describe('API: compressed responses', () => {
  let countersign: TestHost;
  let token: string;
  let runId: string;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    token = await countersign.token('viewer', { subject: 'vera' });
    const viewer = await countersign.client('viewer', 'vera');
    await countersign.deploy(approvalModel('simple', '', ''));
    ({ runId } = await viewer.startRun({
      body: { workflowId: 'simple', inputs: { text: 'repeated '.repeat(90_000), short: 'x' } },
    }));
  });

  after(() => countersign.close());

  async function get(path: string, acceptEncoding?: string): Promise<{ response: IncomingMessage; body: Buffer }> {
    const sent = request(`${countersign.url}${path}`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
      },
    }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { response, body: await buffer(response) };
  }

  it('should be sent in the encoding that the client prefers, with the same content', async () => {
    // given
    const path = '/api/workflows/simple';

    // when
    const plain = await get(path);
    const gzipped = await get(path, 'gzip');
    const brotli = await get(path, 'gzip, deflate, br');
    const refused = await get(path, 'gzip;q=0, br;q=0');

    // then
    expect(plain.response.headers).to.not.have.property('content-encoding');
    expect(plain.response.headers).to.include({
      'vary': 'Accept-Encoding',
      'content-length': String(plain.body.length),
    });
    expect(gzipped.response.headers).to.include({
      'content-encoding': 'gzip',
      'vary': 'Accept-Encoding',
      'content-length': String(gzipped.body.length),
    });
    expect(gunzipSync(gzipped.body).equals(plain.body)).to.equal(true);
    expect(brotli.response.headers).to.include({ 'content-encoding': 'br' });
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).to.equal(true);
    expect(refused.body.equals(plain.body)).to.equal(true);
    expect(gzipped.body.length).to.be.below(plain.body.length / 2);
  });

  it('should also be compressed if they are sent in several pieces', async () => {
    // when
    const plain = await get(`/api/runs/${runId}`);
    const gzipped = await get(`/api/runs/${runId}`, 'gzip');

    // then
    expect(gzipped.response.headers).to.include({ 'content-encoding': 'gzip' });
    expect(gunzipSync(gzipped.body).equals(plain.body)).to.equal(true);
    expect(gzipped.body.length).to.be.below(plain.body.length / 50);
  });

  it('should not be compressed if they are small or problems', async () => {
    for (const path of ['/api/me', '/api/runs/unknown']) {
      const { response } = await get(path, 'br, gzip');
      expect(response.headers).to.not.have.property('content-encoding');
    }
  });

  it('should leave the server working after a client disconnects in the middle', async () => {
    // given
    const sent = request(`${countersign.url}/api/runs/${runId}`, {
      headers: { 'authorization': `Bearer ${token}`, 'accept-encoding': 'gzip' },
    }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];

    // when
    response.destroy();

    // then
    const { body } = await get(`/api/runs/${runId}`, 'br');
    expect(brotliDecompressSync(body).length).to.be.above(800_000);
  });
});
