import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@countersign/contract';
import { expect } from 'chai';
import { saveArtifact } from './save-artifact.js';

describe('saveArtifact', () => {
  const content = Buffer.from('the notes');
  const sha256 = createHash('sha256').update(content).digest('hex');
  const artifact = {
    runId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
    artifactName: 'notes.md',
    version: 1,
    sha256,
    transferId: '0'.repeat(32),
  };
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-save-'));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Creates a client of a server that sends these pieces and then ends the response or breaks the connection. */
  const createDownloadClient = (pieces: readonly Uint8Array[], isInterrupted = false) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        if (isInterrupted) controller.error(new TypeError('The connection was reset.'));
        else controller.close();
      },
    });
    return createClient({
      baseUrl: 'http://x',
      retries: 0,
      fetch: () =>
        Promise.resolve(
          new Response(body, {
            status: 200,
            headers: { 'content-type': 'text/markdown', 'content-length': String(content.byteLength) },
          }),
        ),
    });
  };
  const listFiles = (): string[] => readdirSync(directory);

  it('should replace the file with the approved content, readable by this user only, and report the progress', async () => {
    // given
    const file = join(directory, 'notes.md');
    writeFileSync(file, 'older');
    const progressReports: unknown[] = [];
    // when
    const result = await saveArtifact(
      createDownloadClient([content.subarray(0, 4), content.subarray(4)]),
      artifact,
      file,
      (...progress) => progressReports.push(progress),
    );
    // then
    expect(result).to.deep.equal({ ok: true, value: { saved: true } });
    expect(readFileSync(file, 'utf8')).to.equal('the notes');
    expect(listFiles()).to.deep.equal(['notes.md']);
    expect(progressReports[0]).to.deep.equal([4, 9]);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).to.equal(0o600);
  });

  it('should keep the existing file if the downloaded content has another digest', async () => {
    const file = join(directory, 'notes.md');
    writeFileSync(file, 'older');
    expect(await saveArtifact(createDownloadClient([Buffer.from('another')]), artifact, file)).to.deep.include({
      ok: false,
      code: 'not_the_evidence',
    });
    expect(readFileSync(file, 'utf8')).to.equal('older');
    expect(listFiles()).to.deep.equal(['notes.md']);
  });

  it('should delete the partial file if the download is interrupted', async () => {
    expect(
      await saveArtifact(createDownloadClient([content], true), artifact, join(directory, 'notes.md')),
    ).to.deep.include({
      ok: false,
      kind: 'connection',
    });
    expect(listFiles()).to.deep.equal([]);
  });

  it('should report an error if the file cannot be written', async () => {
    const result = await saveArtifact(
      createDownloadClient([content]),
      artifact,
      join(directory, 'missing', 'notes.md'),
    );
    expect(result).to.deep.include({
      ok: false,
      code: 'not_written',
      message: 'The file can’t be saved there: ENOENT. Choose another location.',
    });
  });
});
