import { ToolError } from '@countersign/core/plugin';
import { expect } from 'chai';
import { ArtifactListTool } from './artifact-list-tool.js';
import { ArtifactReadTool } from './artifact-read-tool.js';
import { ArtifactWriteTool } from './artifact-write-tool.js';
import { InMemoryArtifacts, callTool, captureError } from './tools.spec.support.js';

interface ReadOutput {
  readonly content: string;
  readonly nextOffset: number | null;
}

describe('artifact tools', () => {
  let artifacts: InMemoryArtifacts;
  beforeEach(() => {
    artifacts = new InMemoryArtifacts();
  });

  describe('ArtifactReadTool', () => {
    const readTool = new ArtifactReadTool();

    it('should return the newest version as text, with the taint of an upload', async () => {
      // given
      await artifacts.put('report.md', 'old', 'text/markdown');
      await artifacts.put('report.md', 'neu – ü', 'text/markdown');

      // when
      const output = await callTool(readTool, { name: 'report.md' }, { artifacts });

      // then
      expect(output).to.eql({
        content: {
          name: 'report.md',
          version: 2,
          size: 10,
          contentType: 'text/markdown',
          encoding: 'text',
          content: 'neu – ü',
          nextOffset: null,
        },
        taint: ['upload'],
      });
    });

    it('should return the requested version', async () => {
      await artifacts.put('report.md', 'old', 'text/plain');
      await artifacts.put('report.md', 'new', 'text/plain');

      expect(
        (await callTool<ReadOutput>(readTool, { name: 'report.md', version: 1 }, { artifacts })).content,
      ).to.include({
        content: 'old',
        version: 1,
      });
    });

    for (const text of ['aäbc–de😀fg', '😀😀😀😀', 'plain ascii text', 'äöüß–€😀']) {
      it(`should return "${text}" in parts without splitting characters`, async () => {
        for (let maxBytes = 4; maxBytes <= 9; maxBytes += 1) {
          // given
          await artifacts.put('notes', text, 'text/plain');

          // when
          const parts: ReadOutput[] = [];
          for (let offset: number | null = 0; offset !== null; offset = parts.at(-1)?.nextOffset ?? null) {
            parts.push(
              (await callTool<ReadOutput>(readTool, { name: 'notes', offset, maxBytes }, { artifacts })).content,
            );
          }

          // then
          expect(parts.map(({ content }) => content).join('')).to.equal(text);
          expect(parts.every(({ content }) => Buffer.byteLength(content) <= maxBytes)).to.equal(true);
        }
      });
    }

    for (const [description, bytes] of Object.entries({
      'content that is not UTF-8': Buffer.from([0xff, 0xfe, 0x80, 0x41]),
      'content with a NUL': Buffer.from('a\0b'),
      'content that ends within a character': Buffer.from([0x41, 0xf0, 0x9f]),
    })) {
      it(`should return ${description} as base64`, async () => {
        await artifacts.put('image', bytes, 'image/png');

        const { content } = await callTool<ReadOutput>(readTool, { name: 'image' }, { artifacts });

        expect(content).to.include({ encoding: 'base64', content: bytes.toString('base64'), nextOffset: null });
      });
    }

    it('should return an empty part for an offset after the end', async () => {
      await artifacts.put('notes', 'abc', 'text/plain');

      expect((await callTool<ReadOutput>(readTool, { name: 'notes', offset: 100 }, { artifacts })).content).to.include({
        content: '',
        nextOffset: null,
      });
    });

    it('should report a missing artifact or version to the language model', async () => {
      await artifacts.put('notes', 'abc', 'text/plain');

      expect(await captureError(callTool(readTool, { name: 'note' }, { artifacts })))
        .to.be.instanceOf(ToolError)
        .and.include({ code: 'artifact_not_found' });
      expect(await captureError(callTool(readTool, { name: 'notes', version: 2 }, { artifacts }))).to.include({
        code: 'artifact_not_found',
      });
    });

    it('should declare the artifact as part of the approval subject', () => {
      expect(readTool.artifacts(readTool.input.parse({ name: 'report.md' }))).to.eql(['report.md']);
    });

    for (const name of ['', '..', 'a/b', 'a\\b', 'a\nb', 'x'.repeat(201)]) {
      it(`should refuse the artifact name ${JSON.stringify(name.slice(0, 10))}`, () => {
        expect(readTool.input.safeParse({ name }).success).to.equal(false);
      });
    }
  });

  describe('ArtifactListTool', () => {
    it('should list the newest version of each artifact', async () => {
      await artifacts.put('a', '1', 'text/plain');
      await artifacts.put('a', '12', 'text/plain');
      await artifacts.put('b', '1', 'text/html');

      expect(await callTool(new ArtifactListTool(), {}, { artifacts })).to.eql({
        content: {
          artifacts: [
            { name: 'a', version: 2, size: 2, contentType: 'text/plain' },
            { name: 'b', version: 1, size: 1, contentType: 'text/html' },
          ],
          leftOut: 0,
        },
        taint: ['upload'],
      });
    });

    it('should report the number of omitted artifacts', async () => {
      for (let count = 0; count < 203; count += 1) await artifacts.put(`a${count}`, '', 'text/plain');

      const { content } = await callTool<{ artifacts: unknown[]; leftOut: number }>(
        new ArtifactListTool(),
        {},
        { artifacts },
      );

      expect(content.artifacts).to.have.length(200);
      expect(content.leftOut).to.equal(3);
    });
  });

  describe('ArtifactWriteTool', () => {
    const writeTool = new ArtifactWriteTool();

    it('should store text as a new version', async () => {
      await artifacts.put('report.md', 'old', 'text/plain');

      const output = await callTool(
        writeTool,
        { name: 'report.md', content: 'neu ü', contentType: 'text/markdown' },
        { artifacts },
      );

      expect(output).to.eql({
        content: { name: 'report.md', version: 2, size: 6, contentType: 'text/markdown' },
        taint: [],
      });
      expect(
        (await callTool<ReadOutput>(new ArtifactReadTool(), { name: 'report.md' }, { artifacts })).content.content,
      ).to.equal('neu ü');
    });

    it('should store bytes from base64', async () => {
      await callTool(
        writeTool,
        { name: 'image', content: '/wA=', encoding: 'base64', contentType: 'image/png' },
        { artifacts },
      );

      expect((await callTool<ReadOutput>(new ArtifactReadTool(), { name: 'image' }, { artifacts })).content).to.include(
        {
          encoding: 'base64',
          content: '/wA=',
        },
      );
    });

    for (const content of ['/wA', '%%%%', '/wA=\n', '_wA=']) {
      it(`should refuse ${JSON.stringify(content)} as base64`, async () => {
        const refusal = await captureError(
          callTool(writeTool, { name: 'image', content, encoding: 'base64' }, { artifacts }),
        );

        expect(refusal).to.be.instanceOf(ToolError).and.include({ code: 'artifact_invalid' });
        expect(await artifacts.list()).to.eql([]);
      });
    }

    for (const contentType of ['html', 'text/html\r\nX: 1', 'text/', '']) {
      it(`should refuse ${JSON.stringify(contentType)} as a content type`, () => {
        expect(writeTool.input.safeParse({ name: 'a', content: '', contentType }).success).to.equal(false);
      });
    }
  });
});
