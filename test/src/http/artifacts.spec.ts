import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Artifact, Problem } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';

const MAX_BYTES = 3_000_000;

describe('API: artifacts', () => {
  let countersign: TestHost;
  let runId: string;
  let token: string;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'], configuration: { Artifacts: { MaxBytes: MAX_BYTES } } });
    await countersign.deploy(approvalModel('simple'));
    ({ runId } = await (await countersign.client('viewer')).startRun({ body: { workflowId: 'simple' } }));
    token = await countersign.token('operator');
  });

  after(() => countersign.close());

  const artifactUrl = (name: string): string =>
    `${countersign.url}/api/runs/${runId}/artifacts/${encodeURIComponent(name)}`;
  const call = (name: string, init: RequestInit = {}): Promise<Response> =>
    fetch(artifactUrl(name), {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    });
  const upload = (name: string, body: string | Uint8Array<ArrayBuffer>, type = 'text/plain'): Promise<Response> =>
    call(name, { method: 'POST', body, headers: { 'content-type': type } });

  it('should store uploaded bytes and return them version by version', async () => {
    const bytes = new Uint8Array(randomBytes(1_500_000));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const firstResponse = await upload('build.bin', bytes, 'application/x-custom');
    expect(firstResponse.status).to.equal(201);
    const artifact = (await firstResponse.json()) as Artifact;
    expect(artifact).to.include({
      name: 'build.bin',
      version: 1,
      size: bytes.length,
      sha256,
      contentType: 'application/x-custom',
      createdBy: 'operator',
    });
    expect(firstResponse.headers.get('location')).to.equal(`/api/runs/${runId}/artifacts/build.bin?version=1`);
    expect(((await (await upload('build.bin', 'second')).json()) as Artifact).version).to.equal(2);

    const newestResponse = await call('build.bin');
    expect(await newestResponse.text()).to.equal('second');
    const oldVersionResponse = await fetch(`${artifactUrl('build.bin')}?version=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(
      createHash('sha256')
        .update(Buffer.from(await oldVersionResponse.arrayBuffer()))
        .digest('hex'),
    ).to.equal(sha256);
    expect(oldVersionResponse.headers.get('etag')).to.equal(`"${sha256}"`);
    expect(oldVersionResponse.headers.get('content-type')).to.equal('application/x-custom');
    expect(oldVersionResponse.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(oldVersionResponse.headers.get('content-disposition')).to.equal('attachment; filename="build.bin"');

    const client = await countersign.client('viewer');
    expect((await client.listArtifacts({ runId })).items.map((item) => item.version)).to.deep.equal([2, 1]);
    expect((await client.getRun({ runId })).artifacts.map((item) => item.version)).to.deep.equal([2]);
  });

  it('should support range requests and conditional requests', async () => {
    await upload('digits', '0123456789');
    const rangeResponse = await call('digits', { headers: { range: 'bytes=2-4' } });
    expect([
      rangeResponse.status,
      rangeResponse.headers.get('content-range'),
      await rangeResponse.text(),
    ]).to.deep.equal([206, 'bytes 2-4/10', '234']);
    const suffixRangeResponse = await call('digits', { headers: { range: 'bytes=-3' } });
    expect(await suffixRangeResponse.text()).to.equal('789');
    // A suffix longer than the file means the whole file (RFC 9110, 14.1.2).
    for (const range of ['bytes=-10', 'bytes=-5000', 'bytes=-99999999999999999999', 'bytes=0-0,-5000']) {
      const wholeResponse = await call('digits', { headers: { range } });
      expect(
        [wholeResponse.status, wholeResponse.headers.get('content-range'), await wholeResponse.text()],
        range,
      ).to.deep.equal([206, 'bytes 0-9/10', '0123456789']);
    }
    expect((await call('digits', { headers: { range: 'bytes=-0' } })).status).to.equal(416);
    await upload('nothing', '');
    const emptyRangeResponse = await call('nothing', { headers: { range: 'bytes=-5' } });
    expect([emptyRangeResponse.status, await emptyRangeResponse.text()]).to.deep.equal([200, '']);
    const unsatisfiableRangeResponse = await call('digits', { headers: { range: 'bytes=10-' } });
    expect([unsatisfiableRangeResponse.status, unsatisfiableRangeResponse.headers.get('content-range')]).to.deep.equal([
      416,
      'bytes */10',
    ]);
    expect(((await unsatisfiableRangeResponse.json()) as Problem).code).to.equal('range_not_satisfiable');
    const etag = rangeResponse.headers.get('etag') ?? '';
    expect((await call('digits', { headers: { 'if-none-match': etag } })).status).to.equal(304);
    const staleIfRangeResponse = await call('digits', { headers: { 'range': 'bytes=2-4', 'if-range': '"other"' } });
    expect([staleIfRangeResponse.status, await staleIfRangeResponse.text()]).to.deep.equal([200, '0123456789']);
    const multiRangeResponse = await call('digits', { headers: { range: 'bytes=0-0,5-6' } });
    expect([multiRangeResponse.status, await multiRangeResponse.text()]).to.deep.equal([200, '0123456789']);
    const headResponse = await call('digits', { method: 'HEAD' });
    expect([headResponse.status, headResponse.headers.get('content-length'), await headResponse.text()]).to.deep.equal([
      200,
      '10',
      '',
    ]);
  });

  it('should accept names in any script and empty artifacts', async () => {
    const name = 'Prüfbericht "1" 報告.txt';
    expect((await upload(name, '')).status).to.equal(201);
    const downloadResponse = await call(name);
    expect(downloadResponse.headers.get('content-disposition')).to.contain("filename*=UTF-8''Pr%C3%BCfbericht");
    expect([downloadResponse.status, await downloadResponse.text()]).to.deep.equal([200, '']);
  });

  it('should encode names beyond ASCII in Content-Disposition with an ASCII fallback', async () => {
    expect((await upload('é.txt', 'x')).status).to.equal(201);
    expect((await call('é.txt')).headers.get('content-disposition')).to.equal(
      `attachment; filename="_.txt"; filename*=UTF-8''%C3%A9.txt`,
    );
  });

  it('should limit the length of a name in characters, not in code units', async () => {
    expect((await upload('😀'.repeat(200), 'x')).status).to.equal(201);
    expect((await upload('😀'.repeat(201), 'x')).status).to.equal(422);
  });

  it('should refuse invalid names, sizes and content types, unknown runs and artifacts, and viewers', async () => {
    const readStatusAndCode = async (response: Response): Promise<[number, string]> => [
      response.status,
      ((await response.json()) as Problem).code,
    ];
    for (const name of ['a/b', '..', 'a\\b', 'a\nb', 'x'.repeat(201)]) {
      const encoded = name === '..' ? '%2E%2E' : encodeURIComponent(name);
      // fetch would resolve dots before sending the URL
      const request = httpRequest(`${countersign.url}/`, {
        method: 'POST',
        path: `/api/runs/${runId}/artifacts/${encoded}`,
        headers: { 'authorization': `Bearer ${token}`, 'content-length': 0 },
      });
      request.end();
      const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
      const problem = JSON.parse(await text(response)) as Problem;
      expect(problem, name).to.include({ status: 422, code: 'validation_failed' });
      expect(
        problem.errors.map(({ pointer }) => pointer),
        name,
      ).to.deep.equal(['/path/artifactName']);
      if (name === '..') continue;
      expect(await readStatusAndCode(await call(name)), name).to.deep.equal([422, 'validation_failed']);
    }
    const unknownRunUrl = `${countersign.url}/api/runs/none/artifacts/x`;
    expect(
      await readStatusAndCode(await fetch(unknownRunUrl, { headers: { authorization: `Bearer ${token}` } })),
    ).to.deep.equal([404, 'run_not_found']);
    expect(
      await readStatusAndCode(
        await fetch(`${countersign.url}/api/runs/none/artifacts/..%2F`, {
          method: 'POST',
          body: 'x',
          headers: { authorization: `Bearer ${token}` },
        }),
      ),
    ).to.deep.equal([404, 'run_not_found']);
    const form = new FormData();
    form.set('file', new Blob(['x']), 'x.txt');
    expect(await readStatusAndCode(await call('form', { method: 'POST', body: form }))).to.deep.equal([
      415,
      'unsupported_media_type',
    ]);
    expect(await readStatusAndCode(await upload('huge', new Uint8Array(MAX_BYTES + 1)))).to.deep.equal([
      413,
      'payload_too_large',
    ]);
    expect(await readStatusAndCode(await upload('odd', 'x', 'nonsense'))).to.deep.equal([
      415,
      'unsupported_media_type',
    ]);
    expect(await readStatusAndCode(await call('none'))).to.deep.equal([404, 'artifact_not_found']);
    const viewerToken = await countersign.token('viewer');
    expect(
      await readStatusAndCode(
        await call('x', { method: 'POST', body: 'x', headers: { authorization: `Bearer ${viewerToken}` } }),
      ),
    ).to.deep.equal([403, 'forbidden']);
  });

  it('should return no bytes of an artifact whose file was modified, not even for a range request', async () => {
    // given
    const { sha256 } = (await (await upload('figures', 'amount: 100')).json()) as { sha256: string };
    expect(await (await call('figures')).text()).to.equal('amount: 100');

    // when: the file has other content of the same length
    await writeFile(join(countersign.dataDirectory, 'artifacts', sha256.slice(0, 2), sha256.slice(2)), 'amount: 900');

    // then
    for (const headers of [{}, { range: 'bytes=0-3' }] as Record<string, string>[]) {
      const response = await call('figures', { headers });
      expect(response.status).to.equal(500);
      const text = await response.text();
      expect(JSON.parse(text)).to.include({ code: 'artifact_damaged', retryable: false });
      // The test does not search for `900`, because the request id may contain it.
      expect(text).to.not.contain('amount').and.not.contain(countersign.dataDirectory);
    }
    expect((await upload('figures', 'amount: 100')).status).to.equal(201);
    expect(await (await call('figures')).text()).to.equal('amount: 100');
  });

  it('should stop reading a body without a length when it exceeds the maximum size', async () => {
    const request = httpRequest(artifactUrl('endless'), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    const responsePromise = once(request, 'response') as Promise<[NodeJS.ReadableStream & { statusCode: number }]>;
    request.on('error', () => undefined);
    const chunk = Buffer.alloc(64 * 1024);
    for (let sent = 0; sent <= MAX_BYTES + chunk.length; sent += chunk.length) request.write(chunk);
    const [response] = await responsePromise;
    expect(response.statusCode).to.equal(413);
    request.destroy();
    expect((await call('endless')).status).to.equal(404);
  });

  it('should store nothing of an aborted upload', async () => {
    const request = httpRequest(artifactUrl('broken'), {
      method: 'POST',
      headers: { 'authorization': `Bearer ${token}`, 'content-length': 100_000 },
    });
    request.on('error', () => undefined);
    request.write(Buffer.alloc(1000));
    await once(request, 'socket');
    await new Promise<void>((resolve) => request.write(Buffer.alloc(1000), () => resolve()));
    request.destroy();
    expect((await call('broken')).status).to.equal(404);
  });
});
